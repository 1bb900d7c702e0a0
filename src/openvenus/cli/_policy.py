"""From flags to a policy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openvenus.errors import UsageError

if TYPE_CHECKING:
    from openvenus.policy import Policy


class PolicyKind(StrEnum):
    """Which policy decides."""

    embedded = "embedded"
    endpoint = "endpoint"


PolicyOption = Annotated[
    PolicyKind,
    typer.Option(
        "--policy",
        help="embedded: the small one that ships with the package. "
        "endpoint: a model behind an OpenAI-compatible server.",
    ),
]
WeightsOption = Annotated[
    Path | None,
    typer.Option("--weights", help="Weights of the embedded policy; default: those that ship."),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        envvar="OPENVENUS_BASE_URL",
        help="Server of the endpoint policy, as in http://localhost:8000/v1.",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", envvar="OPENVENUS_MODEL", help="Model of the endpoint policy."),
]
KeyOption = Annotated[
    str | None,
    typer.Option(
        "--api-key-env",
        help="Name of the environment variable that holds the key, as in OPENAI_API_KEY.",
    ),
]


@dataclass(frozen=True, slots=True)
class PolicyFlags:
    """What was asked for."""

    kind: PolicyKind = PolicyKind.embedded
    weights: Path | None = None
    base_url: str | None = None
    model: str | None = None
    api_key_env: str | None = None

    @property
    def needs_images(self) -> bool:
        """Whether the policy looks at screenshots."""
        return self.kind is PolicyKind.endpoint

    def open(self) -> Policy:
        """The policy.

        Raises:
            UsageError: flags are missing or belong to another policy.
            PolicyFault, MissingDependency: it can't be loaded.
        """
        if self.kind is PolicyKind.embedded:
            if self.model and self.base_url:
                raise UsageError(
                    "--base-url and --model belong to the endpoint policy",
                    hint="add: --policy endpoint",
                )
            from openvenus.policy.embedded import EmbeddedPolicy

            return EmbeddedPolicy.load(self.weights)
        if self.weights is not None:
            raise UsageError("--weights belongs to the embedded policy")
        if not self.base_url or not self.model:
            missing = "--base-url" if not self.base_url else "--model"
            raise UsageError(
                f"the endpoint policy needs {missing}",
                hint="as in: --policy endpoint --base-url http://localhost:8000/v1 --model NAME",
            )
        from openvenus.policy.endpoint import EndpointPolicy

        return EndpointPolicy(self.base_url, self.model, api_key_env=self.api_key_env)

    def identity(self, policy: Policy) -> dict[str, Any]:
        """What tells this policy from others whose results must not be mixed with its own."""
        if self.kind is PolicyKind.endpoint:
            return {"policy": policy.name, "base_url": self.base_url}
        weights = self.weights.read_bytes() if self.weights is not None else _shipped_weights()
        return {"policy": policy.name, "weights": hashlib.sha256(weights).hexdigest()}


def _shipped_weights() -> bytes:
    from importlib.resources import files

    return (files("openvenus.policy.embedded") / "weights.npz").read_bytes()
