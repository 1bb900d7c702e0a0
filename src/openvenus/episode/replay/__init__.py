"""The replay of an episode: one HTML file that needs nothing else."""

from openvenus.episode.replay._write import write_replay

__all__ = ["write_replay"]
