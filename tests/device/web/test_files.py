"""Files go into a page from one folder, and out of it into the same, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from openvenus import action as act
from openvenus.device.web import Browser, WebDevice, WebOptions
from tests.device.web.hands import Hands
from tests.device.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = """<input type=file id=i aria-label=File onchange="i.files[0].text().then(t => {
  document.title = i.files[0].name + ': ' + t; })">"""


@pytest_asyncio.fixture(loop_scope="module")
async def device(browser: Browser, tmp_path: Path) -> AsyncIterator[WebDevice]:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "note.txt").write_text("Grüße")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "work" / "way out").symlink_to(tmp_path / "secret.txt")
    options = WebOptions(width=800, height=600, deadline=40.0, workspace=tmp_path / "work")
    made = await browser.new_device(options)
    yield made
    await made.close()


async def test_only_with_a_workspace(browser: Browser, hands: Hands, site: Site) -> None:
    assert {"upload", "download"} <= hands.device.actions
    bare = await browser.new_device()
    try:
        assert not {"upload", "download"} & bare.actions
        seen = await bare.observe(image=False)
        done = await bare.perform(act.Upload(name="note.txt"), seen)
        assert done.status == "unsupported"
    finally:
        await bare.close()


async def test_upload(hands: Hands) -> None:
    await hands.show(FORM)
    assert (await hands.do(act.Upload(name="note.txt"))).status == "failed"
    done = await hands.click("File")
    # On a busy machine the browser tells of it only after the page has become quiet.
    said = done.dialogs or (await hands.device.observe(image=False)).dialogs
    assert [(d.kind, d.handled) for d in said] == [("file", "open")]
    for name, words in [("none.txt", "note.txt"), ("way out", "out of the workspace")]:
        done = await hands.do(act.Upload(name=name))
        assert (done.status, words in done.message) == ("failed", True)
    assert (await hands.do(act.Upload(name="note.txt"))).status == "done"
    assert (await hands.look()).title == "note.txt: Grüße"
    assert (await hands.do(act.Upload(name="note.txt"))).status == "failed"


async def test_download(hands: Hands, tmp_path: Path) -> None:
    data = hands.site.add("a,b\n1,2", path="/table.csv", kind="text/csv")
    await hands.show(f"<title>here</title><a download href='{data}'>get</a>")
    assert (await hands.do(act.Download(name="t.csv"))).status == "failed"
    done = await hands.click("get")
    told = [*done.dialogs, *(await hands.look()).dialogs]
    assert [(d.kind, d.message, d.handled) for d in told][:1] == [("download", "table.csv", "open")]
    for taken in ("note.txt", "way out"):
        done = await hands.do(act.Download(name=taken))
        assert (done.status, "already" in done.message) == ("failed", True)
    assert (tmp_path / "secret.txt").read_text() == "secret"
    assert (await hands.do(act.Download(name="t.csv"))).status == "done"
    assert (tmp_path / "work" / "t.csv").read_text() == "a,b\n1,2"
    assert (await hands.do(act.Download(name="u.csv"))).status == "failed"
    assert (await hands.look()).title == "here"
