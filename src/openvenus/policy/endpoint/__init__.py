"""A model behind an OpenAI-compatible endpoint, in our own JSON form."""

from openvenus.policy.endpoint._parse import parse_answer
from openvenus.policy.endpoint._policy import EndpointOptions, EndpointPolicy

__all__ = ["EndpointOptions", "EndpointPolicy", "parse_answer"]
