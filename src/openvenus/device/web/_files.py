"""Files that a page asks for or gives, from and into one folder and nowhere else."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from openvenus.device.web._call import ask
from openvenus.errors import ActionFailed, DeviceFault, UnsupportedAction

if TYPE_CHECKING:
    from openvenus.device.web._device import WebDevice

_DOWNLOAD_FACTOR = 3.0
"""A download has so many deadlines to end in."""


class Files:
    """Uploads and downloads of one device, within its workspace."""

    def __init__(self, device: WebDevice) -> None:
        self._device = device

    async def upload(self, name: str) -> None:
        """Give a file of the workspace to the file chooser that is open.

        Raises:
            ActionFailed: no chooser is open, or the workspace has no such file.
        """
        folder = self._folder()
        chooser = self._device.watch.chooser
        if chooser is None:
            raise ActionFailed("no file chooser is open; click what opens one first")
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise ActionFailed(f"{name!r} leads out of the workspace")
        if not path.is_file():
            raise ActionFailed(f"the workspace has no file {name!r}{_listed(folder)}")
        self._device.watch.chooser = None
        try:
            await ask(chooser.set_files(path), self._device.options.deadline, "uploading")
        except DeviceFault as e:
            if self._device.watch.crashed or not self._device.watch.pages:
                raise
            raise ActionFailed(f"the page did not take the file: {e.message}") from e

    async def download(self, name: str) -> None:
        """Keep the download that has started, under a name that is not taken yet.

        Raises:
            ActionFailed: none has started, it failed, or the name is taken.
        """
        folder = self._folder()
        pending = self._device.watch.download
        if pending is None:
            raise ActionFailed("no download has started")
        if not folder.is_dir():
            raise ActionFailed(f"the workspace {folder} is not a folder")
        seconds = self._device.options.deadline * _DOWNLOAD_FACTOR
        try:
            source = await ask(pending.path(), seconds, "downloading")
        except DeviceFault as e:
            if self._device.watch.crashed or not self._device.watch.pages:
                raise
            raise ActionFailed(f"the download failed: {e.message}") from e
        try:
            await asyncio.to_thread(_keep, source, folder / name)
        except FileExistsError:
            raise ActionFailed(f"the workspace has a file {name!r} already") from None
        except OSError as e:
            raise ActionFailed(f"{name!r} could not be written: {e.strerror}") from e
        self._device.watch.download = None

    def _folder(self) -> Path:
        folder = self._device.options.workspace
        if folder is None:
            raise UnsupportedAction("this run has no workspace for files")
        return folder


def _keep(source: Path, path: Path) -> None:
    # "x" never writes over a file, nor through a link that lies there.
    with path.open("xb") as made:
        try:
            with source.open("rb") as given:
                shutil.copyfileobj(given, made)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def _listed(folder: Path) -> str:
    names = sorted(p.name for p in folder.iterdir() if p.is_file()) if folder.is_dir() else []
    return f"; it has: {', '.join(names[:20])}" if names else ", it is empty"
