"""A page for each recorded episode of a benchmark, and one that leads to them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openvenus.bench import Report, Result

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #8884; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.done { color: #18794e; } .failed { color: #c62a2f; }
@media (prefers-color-scheme: dark) { .done { color: #4cc38a; } .failed { color: #ff9592; } }
"""


def write_pages(report: Report, folder: Path) -> Path:
    """Write a replay page for each result that has a record, and `index.html`.

    Returns:
        Path of the index.
    """
    from openvenus.episode import write_replay

    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for result in report.results:
        link = ""
        if result.episode is not None and Path(result.episode).exists():
            page = folder / f"{result.task}-{result.seed}.html"
            write_replay(Path(result.episode), page)
            link = page.name
        rows.append(_row(result, link))
    index = folder / "index.html"
    index.write_text(_document(report, rows), encoding="utf-8")
    return index


def _row(result: Result, link: str) -> str:
    name = escape(f"{result.task} #{result.seed}")
    linked = f'<a href="{escape(link, quote=True)}">{name}</a>' if link else name
    state = (
        '<span class="done">done</span>'
        if result.success
        else f'<span class="failed">failed: {escape(result.cause)}</span>'
    )
    return (
        f"<tr><td>{linked}</td><td>{escape(result.instruction)}</td><td>{state}</td>"
        f'<td class="number">{result.raw_reward:g}</td>'
        f'<td class="number">{result.steps}</td>'
        f'<td class="number">{result.seconds:.1f} s</td></tr>'
    )


def _document(report: Report, rows: Iterable[str]) -> str:
    low, high = report.total.interval
    successes = sum(r.success for r in report.results)
    title = f"{report.suite}: {successes} of {report.total.episodes} done"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>{escape(report.policy)} on {escape(report.suite)} {escape(report.suite_version)}: success
{report.total.success:.2f} (95 % interval {low:.2f} to {high:.2f}).</p>
<table>
<thead><tr><th>task</th><th>instruction</th><th>result</th><th class="number">reward</th>
<th class="number">steps</th><th class="number">time</th></tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody>
</table>
</body>
</html>
"""
