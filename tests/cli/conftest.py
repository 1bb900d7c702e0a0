"""What the command's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from openvenus.policy.embedded import Shape, Weights, save_weights, tensor_shapes
from tests.cli.venus import Venus

PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>Door</title>
<h1>Door</h1><button onclick="this.textContent = 'Opened'">Open</button>
<input placeholder="Name">
"""


@pytest.fixture
def venus(tmp_path: Path) -> Iterator[Venus]:
    """The command, in a folder with `page.html`."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    command = Venus(tmp_path)
    yield command
    command.close()


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of an embedded policy that has learned nothing."""
    shape = Shape()
    rng = np.random.default_rng(1)
    tensors = {
        name: (rng.standard_normal(size) * 0.1).astype(np.float32)
        for name, size in tensor_shapes(shape).items()
    }
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    save_weights(path, Weights(tensors, shape, version="random"))
    return path
