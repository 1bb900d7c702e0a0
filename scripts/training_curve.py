"""Draws training curves as one SVG picture.

Usage: python scripts/training_curve.py OUT.svg RUN_FOLDER [RUN_FOLDER ...]

Each folder is one that `venus train embedded` wrote. Shown is the mean over all training pages of
the success that the curriculum estimates from the sampled (exploring) episodes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 16, 44
COLORS = ("#2563eb", "#d97706", "#059669", "#7c3aed", "#dc2626")


def read(folder: Path) -> list[tuple[float, float]]:
    """(minutes, mean success) of every update of a run."""
    lines = (folder / "curve.jsonl").read_text().splitlines()
    return [(p["minutes"], p["mean_rate"]) for p in map(json.loads, lines)]


def draw(runs: list[tuple[str, list[tuple[float, float]]]]) -> str:
    """The picture of several runs; a transparent background suits light and dark pages."""
    longest = max(points[-1][0] for _, points in runs)
    highest = 0.1 * (1 + int(10 * max(y for _, points in runs for _, y in points)))

    def x(minutes: float) -> float:
        return LEFT + minutes / longest * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - share / highest * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#888">'
    ]
    for tenth in range(round(highest * 10) + 1):
        at = y(tenth / 10)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" '
            'stroke="#888" stroke-opacity=".25"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>'
        )
    for minutes in range(0, int(longest) + 1, 5):
        parts.append(
            f'<text x="{x(minutes):.1f}" y="{HEIGHT - BOTTOM + 18}" '
            f'text-anchor="middle">{minutes}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">'
        "minutes of training</text>"
    )
    for number, (name, points) in enumerate(runs):
        color = COLORS[number % len(COLORS)]
        line = " ".join(f"{x(m):.1f},{y(v):.1f}" for m, v in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.append(
            f'<text x="{WIDTH - RIGHT - 8}" y="{HEIGHT - BOTTOM - 12 - 18 * number}" '
            f'text-anchor="end" fill="{color}">{name}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    """Read the runs that were named and write the picture."""
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    out, *folders = map(Path, sys.argv[1:])
    runs = []
    for folder in folders:
        seed = json.loads((folder / "summary.json").read_text())["settings"]["seed"]
        runs.append((f"seed {seed}", read(folder)))
    out.write_text(draw(runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
