from __future__ import annotations

import inspect

import pytest

from openvenus import errors
from openvenus.errors import VenusError

ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_is_ours_and_says_what_it_means(kind: type[VenusError]) -> None:
    assert issubclass(kind, VenusError)
    assert kind.__doc__
    assert 1 <= kind.exit_code <= 5


def test_the_hint_follows_the_message() -> None:
    error = errors.DeviceFault("the page has crashed", hint="open it again")
    assert str(error) == "the page has crashed\n  open it again"
    assert (error.message, error.hint) == ("the page has crashed", "open it again")
    assert str(VenusError("no hint")) == "no hint"


@pytest.mark.parametrize(
    ("kind", "base", "code"),
    [
        (errors.InvalidAction, errors.UsageError, 2),
        (errors.DeviceTimeout, errors.DeviceFault, 4),
        (errors.UnsupportedAction, errors.ActionFailed, 1),
        (errors.MissingDependency, VenusError, 4),
        (errors.PolicyFault, VenusError, 5),
        (errors.EpisodeFormatError, VenusError, 2),
    ],
)
def test_kinds_and_exit_codes(kind: type[VenusError], base: type[VenusError], code: int) -> None:
    assert issubclass(kind, base)
    assert kind.exit_code == code
