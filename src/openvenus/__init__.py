"""OpenVenus: one GUI agent loop for web pages, phones and desktops."""

__version__ = "0.1.0"
