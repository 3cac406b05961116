"""Figures as rows of a table, for a terminal and for a page."""

from collections.abc import Mapping, Sequence

from benchmarks._judging.figures import Cell, Figures, Spread

HEADINGS = (
    "contestant",
    "stored",
    "annotators",
    "loops/s",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "server CPU ms",
    "database CPU ms",
    "client CPU ms",
)


def rows(results: Mapping[Cell, Figures]) -> list[tuple[str, ...]]:
    return [_row(cell, results[cell]) for cell in sorted(results)]


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Names to the left, numbers to the right."""
    table = [HEADINGS, *rows]
    widths = [max(len(row[place]) for row in table) for place in range(len(HEADINGS))]
    lines = []
    for row in table:
        name, *numbers = (
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([name, *numbers]))
    return "\n".join(lines)


def in_markdown(rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["--:"] * (len(HEADINGS) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [HEADINGS, rule, *rows])


def _row(cell: Cell, measured: Figures) -> tuple[str, ...]:
    speeds = (
        measured.loops_per_second,
        measured.p50,
        measured.p95,
        measured.p99,
        measured.server,
        measured.database,
        measured.client,
    )
    return (cell.contestant, f"{cell.stored:,}", str(cell.annotators), *map(_in_words, speeds))


def _in_words(spread: Spread | None) -> str:
    if spread is None:
        return "–"
    return f"{_number(spread.median)} ({_number(spread.low)}–{_number(spread.high)})"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"
