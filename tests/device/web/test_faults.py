"""Whatever fails ends as a `DeviceFault` in time, and leaves no process and no profile behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from openvenus import action as act
from openvenus.device.web import Browser, WebDevice, WebOptions
from openvenus.errors import DeviceFault, DeviceTimeout, MissingDependency
from tests.device.web.site import Site

OPTIONS = WebOptions(width=400, height=300, deadline=30.0)
SHORT = replace(OPTIONS, deadline=4.0)


@pytest.fixture
async def lone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WebDevice]:
    """A device with a browser of its own, whose profile is in `tmp_path`."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    made = await WebDevice.launch(OPTIONS)
    yield made
    await made.close()


def processes(folder: Path) -> dict[int, str]:
    """Running processes whose command line has a path in the folder."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if str(folder) in line and state != "Z" and int(entry.name) != os.getpid():
            found[int(entry.name)] = line
    return found


def main_process(folder: Path) -> int:
    found = processes(folder)
    return next(pid for pid, line in found.items() if "--type=" not in line and "chrom" in line)


def profiles(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.startswith("playwright")]


async def gone(folder: Path, seconds: float = 20.0) -> None:
    """Wait until no process and no profile is left."""
    deadline = time.monotonic() + seconds
    while processes(folder) or profiles(folder):
        assert time.monotonic() < deadline, (processes(folder), profiles(folder))
        await asyncio.sleep(0.1)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://nowhere.invalid/", "no server of that name"),
        ("http://127.0.0.1:9/", "port"),
        ("http://127.0.0.1:{free}/", "refused"),
        ("file:///no/such/file.html", "no such file"),
        ("http://[", ""),
    ],
)
async def test_addresses_that_cant_be_opened(lone: WebDevice, address: str, words: str) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = address.replace("{free}", str(listener.getsockname()[1]))
    with pytest.raises(DeviceFault) as caught:
        await lone.open(address)
    assert address in caught.value.message
    assert words in caught.value.message
    await lone.open("data:text/html,<title>fine</title>")
    assert (await lone.observe(image=False)).title == "fine"


async def test_a_server_that_never_answers(tmp_path: Path) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1 << 16)
        await asyncio.sleep(30)

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    device = await WebDevice.launch(OPTIONS)
    device.options = replace(OPTIONS, deadline=1.0)
    try:
        with pytest.raises(DeviceFault, match="did not answer within"):
            await device.open(f"http://127.0.0.1:{port}/")
    finally:
        await device.close()
        server.close()


async def test_a_crash_is_a_fault_until_the_next_address(lone: WebDevice) -> None:
    with pytest.raises(DeviceFault):
        await lone.open("chrome://crash")
    with pytest.raises(DeviceFault):
        await lone.observe(image=False)
    await lone.open("data:text/html,<title>fine</title>")
    assert (await lone.observe(image=False)).title == "fine"


async def test_a_hang_is_a_fault_within_the_deadline(lone: WebDevice, tmp_path: Path) -> None:
    await lone.open("data:text/html,<button onclick='while(true){}'>hang</button>")
    seen = await lone.observe()
    lone.options = SHORT
    started = time.monotonic()
    with pytest.raises(DeviceFault, match="did not answer"):
        await lone.perform(act.Click(point=seen.elements[0].point), seen)
        await lone.observe()
    assert time.monotonic() - started < SHORT.deadline * 2 + 5
    await lone.release()
    lone.options = OPTIONS
    await lone.open("data:text/html,<title>fine</title>")
    assert (await lone.observe(image=False)).title == "fine"


async def test_a_hung_page_does_not_keep_the_browser(lone: WebDevice, tmp_path: Path) -> None:
    await lone.open("data:text/html,<script>setTimeout(() => { while (true) {} }, 50)</script>")
    await asyncio.sleep(0.3)
    started = time.monotonic()
    await lone.close()
    assert time.monotonic() - started < 16
    await gone(tmp_path)


async def test_a_closed_page_is_a_fault(lone: WebDevice) -> None:
    await lone.open("data:text/html,x")
    seen = await lone.observe(image=False)
    await lone.page.close()
    with pytest.raises(DeviceFault):
        await lone.observe()
    with pytest.raises(DeviceFault):
        await lone.perform(act.Click(point=seen.frame.from_device(5, 5)), seen)
    await lone.release()


async def test_a_killed_browser_is_a_fault(lone: WebDevice, tmp_path: Path) -> None:
    await lone.open("data:text/html,x")
    os.kill(main_process(tmp_path), signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(DeviceFault):
        for _ in range(100):
            await lone.observe(image=False)
            await asyncio.sleep(0.05)
    await lone.release()
    await lone.close()
    await lone.close()
    assert time.monotonic() - started < 20
    await gone(tmp_path)


async def test_a_stopped_browser_is_a_fault_and_ends_with_close(
    lone: WebDevice, tmp_path: Path
) -> None:
    await lone.open("data:text/html,x")
    stopped = main_process(tmp_path)
    lone.options = SHORT
    os.kill(stopped, signal.SIGSTOP)
    with pytest.raises(DeviceFault, match="did not answer"):
        await lone.observe()
    await lone.close()
    await gone(tmp_path, 40)


async def test_use_after_close(lone: WebDevice, tmp_path: Path) -> None:
    await lone.close()
    with pytest.raises(DeviceFault, match="closed"):
        await lone.observe()
    await gone(tmp_path)


async def browser_is_gone(browser: Browser) -> bool:
    return not browser.connected


async def test_a_device_closes_without_its_browser() -> None:
    browser = await Browser.launch(OPTIONS)
    try:
        first, second = await browser.new_device(), await browser.new_device()
        await first.close()
        await second.open("data:text/html,<title>still</title>")
        assert (await second.observe(image=False)).title == "still"
        assert browser.connected
    finally:
        await browser.close()
        await browser.close()
    assert await browser_is_gone(browser)
    with pytest.raises(DeviceFault):
        await second.observe()
    with pytest.raises(DeviceFault):
        await browser.new_device()


async def test_a_browser_that_does_not_start(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(DeviceFault):
        await Browser.launch(WebOptions(chromium=str(broken)))
    with pytest.raises(MissingDependency):
        await Browser.launch(WebOptions(chromium=str(tmp_path / "none")))


PROGRAM = """
import asyncio, signal, sys
from openvenus.device.web import WebDevice, WebOptions

async def main():
    device = await WebDevice.launch(WebOptions(width=400, height=300))
    task = asyncio.current_task()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await device.open("data:text/html,<title>x</title>")
        print("ready", flush=True)
        while True:
            await device.observe()
    finally:
        await device.close()

try:
    asyncio.run(main())
except asyncio.CancelledError:
    sys.exit(3)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_the_end_of_the_program_ends_its_browser(tmp_path: Path, number: int) -> None:
    program = subprocess.Popen(  # noqa: ASYNC220 (started once, before anything else runs)
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        ready = await asyncio.to_thread(program.stdout.readline)
        assert ready == "ready\n"
        assert main_process(tmp_path)
        program.send_signal(number)
        code = await asyncio.to_thread(program.wait, 30)
        assert code == (3 if number != signal.SIGKILL else -signal.SIGKILL)
    finally:
        program.kill()
        program.wait()
        if program.stdout is not None:
            program.stdout.close()
    await gone(tmp_path, 20 if number == signal.SIGKILL else 5)


async def test_a_launch_that_is_cancelled_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    launching = asyncio.create_task(WebDevice.launch(OPTIONS))
    await asyncio.sleep(0.4)
    launching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await launching
    await gone(tmp_path)


async def test_a_server_page_that_reloads_for_ever_is_still_read(site: Site) -> None:
    address = site.add(
        "<title>again</title><script>setTimeout(() => location.reload(), 60)</script>"
    )
    device = await WebDevice.launch(OPTIONS)
    try:
        await device.open(address)
        try:
            assert (await device.observe()).title == "again"
        except DeviceFault as e:
            assert "replaced" in e.message or isinstance(e, DeviceTimeout)
    finally:
        await device.close()
