"""Benchmarks: run a suite, keep every result, say how sure the figures are."""

from openvenus.bench._interval import wilson_interval
from openvenus.bench._plan import Plan, Variant, make_plan
from openvenus.bench._report import Report, TaskReport, make_report
from openvenus.bench._result import Result, cause_of, result_of
from openvenus.bench._run import BenchSettings, default_workers, run_suite
from openvenus.bench._store import ResultStore

__all__ = [
    "BenchSettings",
    "Plan",
    "Report",
    "Result",
    "ResultStore",
    "TaskReport",
    "Variant",
    "cause_of",
    "default_workers",
    "make_plan",
    "make_report",
    "result_of",
    "run_suite",
    "wilson_interval",
]
