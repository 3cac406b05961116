"""What was measured as rows of a table, and what is above its bound."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from benchmarks._judging.figures import percentile

MOST_LOOP_QUERIES, MOST_LOOP_MS, MOST_RATIO = 12, 20, 1.3
MOST_SECONDS, MOST_MEGABYTES = 30, 1_500
MOST_QUERIES, MOST_CPU_MS, MOST_WALL_MS = 20, 300, 1_000
MOST_FIRST_MS, LEAST_SHARE = 100, 1 / 3
LEAST_ROWS_A_SECOND, MOST_GROWTH_MB = 25_000, 30  # the first on PostgreSQL
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_SHOWN = 10


@dataclass(frozen=True)
class Part:
    """`rows` of one database below the `heads` of a table; `broken` are sentences."""

    heads: tuple[str, ...]
    rows: tuple[str, ...]
    broken: tuple[str, ...]


def page_part(kind: str, costs: Iterable[Mapping[str, Any]]) -> Part:
    """All addresses in one row, then those that cost most."""
    measured = list(costs)
    heads = (
        "| database | address | queries | first ms | slowest ms | CPU ms | tables looked through |",
        "|---|---|--:|--:|--:|--:|---|",
    )
    of_address: dict[str, list[Mapping[str, Any]]] = {}
    for cost in measured:
        of_address.setdefault(cost["name"], []).append(cost)
    worst = sorted(of_address, key=lambda name: -max(cost["cpu_ms"] for cost in of_address[name]))[:_SHOWN]
    rows = [_row(kind, f"all {len(of_address)}, at most", measured)]
    rows += [_row(kind, f"`{name}`", of_address[name]) for name in worst]
    return Part(heads, tuple(rows), tuple(_broken(kind, measured)))


def _row(kind: str, title: str, costs: list[Mapping[str, Any]]) -> str:
    highest = {key: max((cost[key] for cost in costs), default=0) for key in _NUMBERS}
    scans = sorted({scan for cost in costs for scan in cost["scans"]})
    cells = [TITLES[kind], title, *(f"{highest[key]:.0f}" for key in _NUMBERS), ", ".join(scans) or "none"]
    return f"| {' | '.join(cells)} |"


_NUMBERS = ("queries", "first_ms", "slowest_ms", "cpu_ms")


def _broken(kind: str, costs: list[Mapping[str, Any]]) -> Iterator[str]:
    for cost in costs:
        wall = max(cost["first_ms"], cost["slowest_ms"])
        if (
            not cost["is_answered"]
            or cost["scans"]
            or cost["queries"] > MOST_QUERIES
            or wall > MOST_WALL_MS
            or (cost["cpu_ms"] > MOST_CPU_MS)
        ):
            yield (
                f"{TITLES[kind]}, {cost['campaign']}: {cost['path']} costs {cost['queries']} queries, {wall:.0f} ms, "
                f"{cost['cpu_ms']:.0f} ms of processor time; {', '.join(cost['scans']) or 'nothing is looked through'}"
                f"{'' if cost['is_answered'] else '; it answers an error'}"
            )


def file_part(kind: str, cost: Mapping[str, Any]) -> Part:
    """The CSV file of all judgments."""
    heads = (
        "| database | first byte, CPU ms | file, CPU s | its MB | memory, MB | COPY, CPU s | share of its speed |",
        "|---|--:|--:|--:|--:|--:|--:|",
    )
    copied = cost["copy_seconds"]
    share = None if copied is None else copied / cost["seconds"]
    cells = [
        TITLES[kind],
        f"{cost['first_ms']:.0f}",
        f"{cost['seconds']:.1f}",
        f"{cost['file_megabytes']:.0f}",
        f"{cost['megabytes']:.0f}",
        "–" if copied is None else f"{copied:.1f}",
        "–" if share is None else f"{share:.2f}",
    ]
    broken = []
    if cost["first_ms"] > MOST_FIRST_MS:
        broken.append(f"{TITLES[kind]}: the first byte of the CSV file takes {cost['first_ms']:.0f} ms.")
    if share is not None and share < LEAST_SHARE:
        broken.append(f"{TITLES[kind]}: the CSV file has {share:.2f} of the speed of COPY; a third is promised.")
    return Part(heads, (f"| {' | '.join(cells)} |",), tuple(broken))


def import_part(kind: str, whole: Mapping[str, Any], tenth: Mapping[str, Any]) -> Part:
    """The CSV file of all judgments into an empty database; of a tenth of it, the memory alone.

    The promise is of a machine whose loop takes its time: on a slower one, of the speed times how much slower it is.
    """
    heads = (
        "| database | rows | s | rows/s | loop | rows/s × loop | CPU s | database, CPU s | MB | MB with a tenth |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    )
    speed, growth = whole["rows"] / whole["seconds"], whole["megabytes"] - tenth["megabytes"]
    by_loop = speed * max(1.0, whole["times_slower"])
    speeds = f"{whole['seconds']:,.0f} | {speed:,.0f} | {whole['times_slower']:.2f} | {by_loop:,.0f}"
    figures = (whole["cpu_s"], whole["database_s"], whole["megabytes"], tenth["megabytes"])
    row = f"| {TITLES[kind]} | {whole['rows']:,} | {speeds} | {' | '.join(f'{figure:,.0f}' for figure in figures)} |"
    broken = []
    if kind == "postgresql" and by_loop < LEAST_ROWS_A_SECOND:
        speed_told = f"{speed:,.0f} rows a second are imported, {by_loop:,.0f} by the loop"
        broken.append(f"{TITLES[kind]}: {speed_told}; {LEAST_ROWS_A_SECOND:,} are promised.")
    if growth > MOST_GROWTH_MB:
        broken.append(f"{TITLES[kind]}: ten times the rows take {growth:.0f} MB more to import.")
    return Part(heads, (row,), tuple(broken))


def analysis_part(kind: str, costs: Iterable[Mapping[str, Any]]) -> Part:
    heads = (
        "| database | ranking and agreement of | s | CPU s | of the database, CPU s | MB |",
        "|---|---|--:|--:|--:|--:|",
    )
    rows, broken = [], []
    for cost in costs:
        values = (cost["seconds"], cost["cpu_s"], cost["database_s"], cost["megabytes"])
        rows.append(f"| {TITLES[kind]} | {cost['campaign']} | {' | '.join(f'{value:.0f}' for value in values)} |")
        if cost["seconds"] > MOST_SECONDS or cost["megabytes"] > MOST_MEGABYTES:
            broken.append(f"{TITLES[kind]}, {cost['campaign']}: {cost['seconds']:.0f} s, {cost['megabytes']:.0f} MB")
    return Part(heads, tuple(rows), tuple(broken))


def judging_part(kind: str, full: Sequence[Mapping[str, float]], empty: Sequence[Mapping[str, float]]) -> Part:
    """Of loops beside many stored judgments, and of as many beside none."""
    heads = (
        "| database | statements a loop | CPU ms | p50 ms | p95 ms | p95 ms with nothing stored | ratio |",
        "|---|--:|--:|--:|--:|--:|--:|",
    )
    walls, walls_of_empty = ([1_000 * each["wall"] for each in loops] for loops in (full, empty))
    queries, cpu = max(each["queries"] for each in full), 1_000 * mean(each["cpu"] for each in full)
    high, high_of_empty = percentile(walls, 95), percentile(walls_of_empty, 95)
    figures = f"{queries:.0f} | {cpu:.1f} | {median(walls):.1f} | {high:.1f} | {high_of_empty:.1f}"
    row = f"| {TITLES[kind]} | {figures} | {high / high_of_empty:.2f} |"
    is_broken = queries > MOST_LOOP_QUERIES or cpu > MOST_LOOP_MS or high > MOST_RATIO * high_of_empty
    return Part(heads, (row,), (f"{TITLES[kind]}: a loop costs {row}",) if is_broken else ())
