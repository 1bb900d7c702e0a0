"""MiniWoB++: 130 small pages that score themselves, from the `miniwob` package."""

from openvenus.tasks.miniwob._environment import Clock, MiniwobEnvironment
from openvenus.tasks.miniwob._pages import PageFacts, find_pages, page_facts
from openvenus.tasks.miniwob._suite import MiniwobSuite

__all__ = [
    "Clock",
    "MiniwobEnvironment",
    "MiniwobSuite",
    "PageFacts",
    "find_pages",
    "page_facts",
]
