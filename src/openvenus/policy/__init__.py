"""Policies: what decides the next action."""

from openvenus.policy._contract import BatchPolicy, Policy, Situation

__all__ = ["BatchPolicy", "Policy", "Situation"]
