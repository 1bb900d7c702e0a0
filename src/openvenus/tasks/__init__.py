"""Suites of tasks: what to do, how to set it up, and when it was done."""

from openvenus.tasks._contract import FIRST_TRAINING_SEED, Suite
from openvenus.tasks._registry import SUITES, load_suite

__all__ = ["FIRST_TRAINING_SEED", "SUITES", "Suite", "load_suite"]
