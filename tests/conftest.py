"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes depends on what else the machine does; that is no property of ours.
settings.register_profile("openvenus", deadline=None)
settings.load_profile("openvenus")
