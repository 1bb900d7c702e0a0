"""Online learning: full-trajectory, group-relative, from reward alone."""

from openvenus.learn.online._settings import FIRST_TRAINING_SEED, Settings

__all__ = ["FIRST_TRAINING_SEED", "Settings"]
