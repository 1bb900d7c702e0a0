"""Doing actions in a page with trusted input, and telling what came of them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from openvenus import action as act
from openvenus.action import Action, Point
from openvenus.device import Performed
from openvenus.device.web._aim import Aim
from openvenus.device.web._call import ask
from openvenus.device.web._files import Files
from openvenus.device.web._keyboard import Keyboard
from openvenus.device.web._touch import play_paths
from openvenus.episode import Observation
from openvenus.errors import ActionFailed, DeviceFault, StaleFrame, UnsupportedAction

if TYPE_CHECKING:
    from openvenus.device.web._device import WebDevice

ACTIONS: frozenset[str] = frozenset(
    (
        "click", "double_click", "triple_click", "right_click", "middle_click", "hover",
        "long_press", "drag", "swipe", "scroll", "gesture", "mouse_down", "mouse_up", "key_down",
        "key_up", "type", "hotkey", "press", "select", "launch", "switch", "wait", "sequence",
    )
)  # fmt: skip
"""What a page can take."""
FILE_ACTIONS: frozenset[str] = frozenset(("upload", "download"))
"""What it can take as well when the run has a workspace."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d)")
"""What an address begins with; a host with a port does not."""
_SCHEMES = {"http", "https", "file", "about", "data"}
_DRAG_STEPS = 8
Button = Literal["left", "right", "middle"]


class Performer:
    """Does actions for one device. Keeps what is held down between steps."""

    def __init__(self, device: WebDevice) -> None:
        self._device = device
        self._keyboard = Keyboard(device)
        self._files = Files(device)
        self._button_down = False
        self._aim = Aim(device)
        self._handlers: dict[str, Callable[[Any, Observation, str | None], Awaitable[Point | None]]]
        self._handlers = {
            "click": self._click,
            "double_click": self._click,
            "triple_click": self._click,
            "right_click": self._click,
            "middle_click": self._click,
            "hover": self._hover,
            "long_press": self._long_press,
            "drag": self._drag,
            "swipe": self._swipe,
            "gesture": self._gesture,
            "scroll": self._scroll,
            "mouse_down": self._mouse_down,
            "mouse_up": self._mouse_up,
            "key_down": self._key_down,
            "key_up": self._key_up,
            "type": self._type,
            "hotkey": self._hotkey,
            "press": self._press,
            "select": self._select,
            "launch": self._launch,
            "switch": self._switch,
            "wait": self._wait,
            "upload": self._upload,
            "download": self._download,
            "sequence": self._sequence,
        }

    async def perform(
        self, action: Action, observation: Observation, target: str | None
    ) -> Performed:
        """Do one action; what can't be done here is answered, not raised."""
        started = time.perf_counter()
        watch = self._device.watch
        navigations, opened, dialogs = watch.navigations, watch.opened, len(watch.dialogs)
        status: Literal["done", "failed", "unsupported", "stale"] = "done"
        message, point = "", None
        handler = self._handlers.get(action.type)
        settled = True
        page = self._device.page
        try:
            if handler is None:
                raise UnsupportedAction(f"a web page can't do '{action.type}'")
            point = await handler(action, observation, target)
        except StaleFrame as e:
            status, message = "stale", str(e)
        except UnsupportedAction as e:
            status, message = "unsupported", str(e)
        except ActionFailed as e:
            status, message = "failed", str(e)
        except DeviceFault:
            # The action may have closed its own tab, which is no failure while another is left.
            if not await self._device.fell_back(page):
                raise
        if status == "done" or action.type == "sequence":
            settled = await self._device.settle()
        return Performed(
            status=status,
            message=message,
            point=point,
            dialogs=tuple(watch.dialogs[dialogs:]),
            navigated=watch.navigations != navigations or watch.opened != opened,
            new_tab=watch.opened != opened,
            settled=settled,
            seconds=time.perf_counter() - started,
        )

    async def release(self) -> None:
        """Let go of everything that is held down."""
        if self._button_down:
            self._button_down = False
            await self._ask(self._device.page.mouse.up(), "releasing the button")
        await self._keyboard.release()

    async def _ask(self, call: Awaitable[Any], what: str, extra: float = 0.0) -> Any:
        return await ask(call, self._device.options.deadline + extra, what)

    async def _at(
        self, point: Point | None, observation: Observation, target: str | None
    ) -> tuple[float, float]:
        return await self._aim.at(point, observation, target)

    def _point(self, at: tuple[float, float], observation: Observation) -> Point:
        return observation.frame.from_device(*at)

    async def _click(
        self,
        a: act.Click | act.DoubleClick | act.TripleClick | act.RightClick | act.MiddleClick,
        observation: Observation,
        target: str | None,
    ) -> Point:
        at = await self._at(a.point, observation, target)
        count = {"double_click": 2, "triple_click": 3}.get(a.type, 1)
        button: Button = (
            "right" if a.type == "right_click" else "middle" if a.type == "middle_click" else "left"
        )
        await self._ask(
            self._device.page.mouse.click(*at, button=button, click_count=count), "clicking"
        )
        return self._point(at, observation)

    async def _hover(self, a: act.Hover, observation: Observation, target: str | None) -> Point:
        at = await self._at(a.point, observation, target)
        await self._ask(self._device.page.mouse.move(*at, steps=2), "moving the pointer")
        return self._point(at, observation)

    async def _long_press(
        self, a: act.LongPress, observation: Observation, target: str | None
    ) -> Point:
        at = await self._at(a.point, observation, target)
        await self._ask(
            self._device.page.mouse.click(*at, delay=a.seconds * 1000), "pressing", a.seconds
        )
        return self._point(at, observation)

    async def _drag(self, a: act.Drag, observation: Observation, target: str | None) -> Point:
        start = await self._at(a.start, observation, None)
        mouse = self._device.page.mouse
        stops = [observation.frame.to_device(p) for p in (*a.via, a.end)]
        await self._ask(mouse.move(*start), "dragging")
        await self._ask(mouse.down(), "dragging")
        self._button_down = True
        pause = a.seconds / (len(stops) * 2)
        for x, y in stops:
            await self._ask(mouse.move(x, y, steps=_DRAG_STEPS), "dragging", a.seconds)
            if pause > 0.2:
                await asyncio.sleep(pause - 0.1)
        await self._ask(mouse.up(), "dragging")
        self._button_down = False
        self._aim.pointer = stops[-1]
        return self._point(start, observation)

    async def _swipe(self, a: act.Swipe, observation: Observation, target: str | None) -> Point:
        at = await self._at(a.start, observation, None)
        await self._paths([(a.start, a.end)], a.seconds, observation)
        return self._point(at, observation)

    async def _gesture(self, a: act.Gesture, observation: Observation, target: str | None) -> None:
        await self._at(a.paths[0][0], observation, None)
        await self._paths(a.paths, a.seconds, observation)

    async def _paths(self, paths: Any, seconds: float, observation: Observation) -> None:
        device = self._device
        session = await device.camera.session(device.page)
        fingers = [[observation.frame.to_device(p) for p in path] for path in paths]
        await self._ask(play_paths(session, fingers, seconds), "touching", seconds)

    async def _scroll(self, a: act.Scroll, observation: Observation, target: str | None) -> Point:
        at = await self._at(a.point or Point(500, 500), observation, None)
        frame = observation.frame
        sign = 1 if a.direction in ("down", "right") else -1
        dx = sign * a.amount * frame.device_width if a.direction in ("left", "right") else 0.0
        dy = sign * a.amount * frame.device_height if a.direction in ("up", "down") else 0.0
        where, within = {"x": at[0], "y": at[1], "listen": True}, None
        before = await self._device.call("offsets", where)
        if before["frame"]:
            inner = await self._device.frames.at(*at)
            if inner is not None:
                within = inner[0]
                where |= {"x": inner[1], "y": inner[2]}
                before = await self._device.call("offsets", where, within)
        where["listen"] = False
        mouse = self._device.page.mouse
        await self._ask(mouse.move(*at), "scrolling")
        await self._ask(mouse.wheel(dx, dy), "scrolling")
        for _ in range(12):
            now = await self._device.call("offsets", where, within)
            if now["at"] != before["at"] or now["taken"]:
                return self._point(at, observation)
            await asyncio.sleep(0.016)
        raise ActionFailed(f"nothing moved: there is no more content {a.direction} from here")

    async def _mouse_down(
        self, a: act.MouseDown, observation: Observation, target: str | None
    ) -> Point:
        at = await self._at(a.point, observation, target)
        await self._ask(self._device.page.mouse.move(*at), "pressing")
        await self._ask(self._device.page.mouse.down(), "pressing")
        self._button_down = True
        return self._point(at, observation)

    async def _mouse_up(
        self, a: act.MouseUp, observation: Observation, target: str | None
    ) -> Point:
        if not self._button_down:
            raise ActionFailed("no button is held down")
        at = await self._at(a.point, observation, None)
        await self._ask(self._device.page.mouse.move(*at, steps=_DRAG_STEPS), "releasing")
        await self._ask(self._device.page.mouse.up(), "releasing")
        self._button_down = False
        return self._point(at, observation)

    async def _key_down(self, a: act.KeyDown, observation: Observation, target: str | None) -> None:
        await self._keyboard.down(a.keys)

    async def _key_up(self, a: act.KeyUp, observation: Observation, target: str | None) -> None:
        await self._keyboard.up(a.keys)

    async def _hotkey(self, a: act.Hotkey, observation: Observation, target: str | None) -> None:
        for _ in range(a.repeat):
            await self._keyboard.chord(a.keys)

    async def _press(self, a: act.Press, observation: Observation, target: str | None) -> None:
        if a.key == "Back":
            for _ in range(a.repeat):
                await self._back()
            return
        for _ in range(a.repeat):
            await self._keyboard.chord((a.key,))

    async def _back(self) -> None:
        page = self._device.page
        session = await self._device.camera.session(page)
        known = await self._ask(session.send("Page.getNavigationHistory"), "going back")
        at, entries = known["currentIndex"], known["entries"]
        # Every tab begins with an empty page that nobody asked for.
        if at == 0 or (at == 1 and entries[0]["url"] == "about:blank"):
            raise ActionFailed("there is no page to go back to")
        await self._ask(page.go_back(wait_until="commit"), "going back")

    async def _type(
        self, a: act.TypeText, observation: Observation, target: str | None
    ) -> Point | None:
        point = None
        if a.point is not None or target is not None:
            at = await self._at(a.point, observation, target)
            await self._ask(self._device.page.mouse.click(*at), "focusing")
            point = self._point(at, observation)
        await self._keyboard.type(a.text, clear=a.clear)
        if a.submit:
            await self._keyboard.chord(("Enter",))
        return point

    async def _select(
        self, a: act.Select, observation: Observation, target: str | None
    ) -> Point | None:
        x, y = observation.frame.to_device(a.point) if a.point is not None else (-1.0, -1.0)
        frame = None
        if target is not None and ":" in target:
            frame, target = await self._device.frames.locate(target)
            dx, dy = await self._device.frames.corner(frame)
            x, y = x - dx, y - dy
        elif target is None and a.point is not None:
            inner = await self._device.frames.at(x, y)
            if inner is not None:
                frame, x, y = inner
        order = {
            "id": target,
            "x": x,
            "y": y,
            "index": list(a.index) if a.index is not None else None,
            "label": list(a.label) if a.label is not None else None,
        }
        said = await self._device.call("select", order, frame)
        if said["status"] != "ok":
            known = said.get("options")
            listed = f"; it has: {', '.join(known[:20])}" if known else ""
            raise ActionFailed(f"nothing was chosen: {said['status']}{listed}")
        return a.point

    async def _upload(self, a: act.Upload, observation: Observation, target: str | None) -> None:
        await self._files.upload(a.name)

    async def _download(
        self, a: act.Download, observation: Observation, target: str | None
    ) -> None:
        await self._files.download(a.name)

    async def _launch(self, a: act.Launch, observation: Observation, target: str | None) -> None:
        scheme = _SCHEME.match(a.target)
        if scheme is not None and scheme[1].lower() not in _SCHEMES:
            raise ActionFailed(f"addresses of the kind '{scheme[1]}:' can't be opened")
        try:
            await self._device.go(a.target)
        except DeviceFault as e:
            if not self._device.watch.pages or self._device.watch.crashed:
                raise
            raise ActionFailed(str(e)) from e

    async def _switch(self, a: act.Switch, observation: Observation, target: str | None) -> None:
        pages = self._device.watch.pages
        for number, page in enumerate(list(pages)):
            title = await self._ask(page.title(), "title")
            if a.device in (title, page.url, str(number)):
                self._device.watch.switch(page)
                await self._ask(page.bring_to_front(), "switching")
                return
        raise ActionFailed(f"there is no tab {a.device!r}; tabs: {', '.join(observation.tabs)}")

    async def _wait(self, a: act.Wait, observation: Observation, target: str | None) -> None:
        await asyncio.sleep(a.seconds)

    async def _sequence(
        self, a: act.Sequence, observation: Observation, target: str | None
    ) -> None:
        for number, one in enumerate(a.actions, start=1):
            handler = self._handlers.get(one.type)
            if handler is None:
                raise UnsupportedAction(f"action {number}: a web page can't do '{one.type}'")
            try:
                await handler(one, observation, None)
            except ActionFailed as e:
                raise ActionFailed(f"action {number} ({one.type}) failed: {e}") from e
