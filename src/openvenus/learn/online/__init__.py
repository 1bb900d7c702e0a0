"""Online learning: full-trajectory, group-relative, from reward alone."""

from openvenus.learn.online._credit import Credit
from openvenus.learn.online._settings import Settings
from openvenus.learn.online._train import train_embedded

__all__ = ["Credit", "Settings", "train_embedded"]
