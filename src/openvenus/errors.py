"""One hierarchy of errors, written for the people who read them.

Every error says what went wrong and where, and `hint` says what to do about it.
`exit_code` is what the `venus` command returns when the error ends it.
"""

from __future__ import annotations

from typing import ClassVar


class VenusError(Exception):
    """Base of every error that OpenVenus raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class UsageError(VenusError):
    """The caller asked for something that can't be meant: a bad flag, name or value."""

    exit_code = 2


class InvalidAction(UsageError):
    """An action, point or key that the action language doesn't have."""


class EpisodeFormatError(VenusError):
    """A record on disk is damaged or isn't one of ours; the message names file and line."""

    exit_code = 2


class MissingDependency(VenusError):
    """Something that must be installed first; the hint gives the command."""

    exit_code = 4


class DeviceFault(VenusError):
    """The device (browser, phone, desktop) failed: not the policy's doing."""

    exit_code = 4


class DeviceTimeout(DeviceFault):
    """The device did not answer within its deadline."""


class StaleFrame(VenusError):
    """The action was decided on a frame whose geometry or target no longer holds."""


class ActionFailed(VenusError):
    """The action could not be carried out on this screen; the message goes back to the policy."""


class UnsupportedAction(ActionFailed):
    """The device can't do actions of this type."""


class PolicyFault(VenusError):
    """The policy failed or never answered: a dead endpoint, a missing model, bad weights."""

    exit_code = 5


class TaskError(VenusError):
    """A task or suite could not be set up or scored."""

    exit_code = 2
