"""Suites of tasks: what to do, how to set it up, and when it was done."""

from openvenus.tasks._contract import Suite
from openvenus.tasks._registry import SUITES, load_suite

__all__ = ["SUITES", "Suite", "load_suite"]
