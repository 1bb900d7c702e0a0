"""Devices: what the loop sees and acts on."""

from openvenus.device._contract import Device, Performed

__all__ = ["Device", "Performed"]
