"""OpenVenus: one GUI agent loop for web pages, phones and desktops.

The names below are loaded when they are first used, so that importing the package is fast and
needs nothing that isn't used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openvenus.agent import Agent, AgentOptions, AgentPool
    from openvenus.device import Device
    from openvenus.device.web import Browser, WebDevice, WebOptions
    from openvenus.episode import (
        Episode,
        Limits,
        Outcome,
        Step,
        Task,
        Verdict,
        list_episodes,
        read_episode,
        write_replay,
    )
    from openvenus.errors import VenusError
    from openvenus.policy import Policy
    from openvenus.policy.embedded import EmbeddedPolicy
    from openvenus.policy.endpoint import EndpointPolicy
    from openvenus.tasks import Suite, load_suite

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentOptions",
    "AgentPool",
    "Browser",
    "Device",
    "EmbeddedPolicy",
    "EndpointPolicy",
    "Episode",
    "Limits",
    "Outcome",
    "Policy",
    "Step",
    "Suite",
    "Task",
    "VenusError",
    "Verdict",
    "WebDevice",
    "WebOptions",
    "__version__",
    "list_episodes",
    "load_suite",
    "read_episode",
    "write_replay",
]

_WHERE = {
    "openvenus.agent": ("Agent", "AgentOptions", "AgentPool"),
    "openvenus.device": ("Device",),
    "openvenus.device.web": ("Browser", "WebDevice", "WebOptions"),
    "openvenus.episode": (
        "Episode",
        "Limits",
        "Outcome",
        "Step",
        "Task",
        "Verdict",
        "list_episodes",
        "read_episode",
        "write_replay",
    ),
    "openvenus.errors": ("VenusError",),
    "openvenus.policy": ("Policy",),
    "openvenus.policy.embedded": ("EmbeddedPolicy",),
    "openvenus.policy.endpoint": ("EndpointPolicy",),
    "openvenus.tasks": ("Suite", "load_suite"),
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
