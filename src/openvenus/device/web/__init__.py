"""The web device: pages in a Chromium, driven through Playwright."""

from openvenus.device.web._browser import Browser
from openvenus.device.web._device import WebDevice
from openvenus.device.web._find import find_chromium
from openvenus.device.web._options import WebOptions

__all__ = ["Browser", "WebDevice", "WebOptions", "find_chromium"]
