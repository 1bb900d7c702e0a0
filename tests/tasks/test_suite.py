"""MiniWoB++ as a suite."""

from __future__ import annotations

import pytest

from openvenus.agent import Environment
from openvenus.errors import TaskError, UsageError
from openvenus.tasks import Suite, load_suite
from openvenus.tasks.miniwob import MiniwobSuite

SUITE = MiniwobSuite()


def test_it_is_a_suite() -> None:
    suite = load_suite("miniwob")
    assert isinstance(suite, Suite)
    assert isinstance(suite.environment(), Environment)
    assert len(suite.tasks) == 130
    assert list(suite.tasks) == sorted(suite.tasks)


def test_tasks_say_where_they_come_from() -> None:
    task = SUITE.task("click-test", 7)
    assert task.id == "miniwob/click-test/7"
    assert task.provenance["suite"] == "miniwob"
    assert (task.provenance["task"], task.provenance["seed"]) == ("click-test", 7)
    assert task.start is not None and task.start.startswith("file://")


def test_unknown_names_and_seeds() -> None:
    with pytest.raises(TaskError, match="click-tset") as e:
        SUITE.task("click-tset", 1)
    assert e.value.hint is not None and "click-test" in e.value.hint
    with pytest.raises(TaskError, match="seed"):
        SUITE.task("click-test", -1)
    with pytest.raises(UsageError, match="no suite"):
        load_suite("nope")
