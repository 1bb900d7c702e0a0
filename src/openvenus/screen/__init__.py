"""What is on the screen: frames with their coordinate spaces, and element trees."""

from openvenus.screen._change import Change, describe_change
from openvenus.screen._element import Element, ElementSource, ElementTree
from openvenus.screen._frame import Frame, Rotation

__all__ = [
    "Change",
    "Element",
    "ElementSource",
    "ElementTree",
    "Frame",
    "Rotation",
    "describe_change",
]
