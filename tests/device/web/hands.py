"""Short ways to show a page, find an element on it and act on it."""

from __future__ import annotations

from typing import Any

from openvenus.action import Action, Click
from openvenus.device import Performed
from openvenus.device.web import WebDevice
from openvenus.episode import Observation
from openvenus.screen import Element
from tests.device.web.site import Site


class Hands:
    """A device and what was last seen on it."""

    def __init__(self, device: WebDevice, site: Site) -> None:
        self.device = device
        self.site = site
        self.seen: Observation | None = None

    async def show(self, body: str, **more: Any) -> Observation:
        """Serve a page and open it."""
        await self.device.open(self.site.add(body, **more))
        return await self.look()

    async def look(self, *, image: bool = False) -> Observation:
        self.seen = await self.device.observe(image=image)
        return self.seen

    @property
    def now(self) -> Observation:
        assert self.seen is not None, "look first"
        return self.seen

    def every(self, **wanted: Any) -> list[Element]:
        """What was last seen that has these attributes."""
        return [e for e in self.now.elements if all(getattr(e, k) == v for k, v in wanted.items())]

    def one(self, name: str = "", **wanted: Any) -> Element:
        """The only thing with this name (or text) and these attributes."""
        found = [e for e in self.every(**wanted) if not name or name in (e.name, e.text)]
        listed = [(e.role, e.name, e.text) for e in self.now.elements]
        assert len(found) == 1, f"{len(found)} of {name!r} {wanted} among {listed}"
        return found[0]

    async def do(self, action: Action, target: Element | None = None) -> Performed:
        """Act on what was last seen, without looking again."""
        return await self.device.perform(action, self.now, target=target.id if target else None)

    async def click(self, name: str = "", **wanted: Any) -> Performed:
        """Click an element and look again."""
        element = self.one(name, **wanted)
        done = await self.do(Click(point=element.point), element)
        await self.look()
        return done

    async def js(self, code: str) -> Any:
        """Value of an expression in the page."""
        return await self.device.evaluate(f"() => {code}")
