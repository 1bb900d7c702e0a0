"""The weights file: one .npz with float16 tensors and a JSON header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openvenus.errors import PolicyFault
from openvenus.policy.embedded._shape import Shape, tensor_shapes

FORMAT = "openvenus-embedded-1"


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Tensors by name, and where they come from."""

    tensors: Mapping[str, NDArray[np.floating]]
    shape: Shape
    version: str = "0"
    provenance: dict[str, Any] = field(default_factory=dict)
    """Pages, minutes, seed and settings of the training that made them."""


def save_weights(path: Path, weights: Weights) -> None:
    """Write a weights file; the file appears whole or not at all."""
    header = {
        "format": FORMAT,
        "version": weights.version,
        "shape": asdict(weights.shape),
        "provenance": weights.provenance,
    }
    arrays: dict[str, Any] = {k: np.asarray(v, np.float16) for k, v in weights.tensors.items()}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as f:
        np.savez_compressed(f, **arrays)
    part.replace(path)


def load_weights(path: Path) -> Weights:
    """Read a weights file.

    Raises:
        PolicyFault: it is missing, damaged, or its tensors are not those of this version.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {k: archive[k] for k in archive.files}
        header = json.loads(arrays.pop("header").tobytes())
        if header["format"] != FORMAT:
            raise PolicyFault(f"{path}: weights of format {header['format']!r}, need {FORMAT!r}")
        shape = Shape(**header["shape"])
    except FileNotFoundError as e:
        raise PolicyFault(
            f"{path}: no such weights file", hint="make one with: venus train embedded"
        ) from e
    except PolicyFault:
        raise
    except Exception as e:
        raise PolicyFault(f"{path}: not a readable weights file ({e})") from e
    expected = tensor_shapes(shape)
    for name, size in expected.items():
        if name not in arrays or arrays[name].shape != size:
            found = arrays[name].shape if name in arrays else "nothing"
            raise PolicyFault(f"{path}: tensor {name} should be {size}, found {found}")
    return Weights(
        tensors={k: arrays[k] for k in expected},
        shape=shape,
        version=str(header["version"]),
        provenance=dict(header["provenance"]),
    )
