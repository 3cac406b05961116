"""Costs as people read them: a row an address, the dearest of all its filters, campaigns and states."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MOST_QUERIES, MOST_MS = 20, 300
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
Cost = Mapping[str, Any]


def broken(database: str, costs: Sequence[Cost]) -> Iterator[str]:
    """What stands above the promise, or did not answer as it should."""
    for cost in costs:
        if cost["queries"] > MOST_QUERIES or cost["wall_ms"] > MOST_MS or not cost["is_answered"]:
            yield (
                f"{TITLES[database]}, {cost['state']}: {cost['path']} answers {cost['status']} after "
                f"{cost['queries']} queries, {cost['wall_ms']:.0f} ms, {cost['cpu_ms']:.0f} ms of processor time"
            )


def table_of(costs: Mapping[str, Sequence[Cost]]) -> str:
    names = list(dict.fromkeys(cost["name"] for found in costs.values() for cost in found))
    heads = [f"{TITLES[database]} {unit}" for database in costs for unit in ("queries", "ms", "CPU ms")]
    lines = [["address", "asked", *heads, "kB"], ["---", "--:", *("--:" for _ in heads), "--:"]]
    lines += [_row(name, costs) for name in names]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str, costs: Mapping[str, Sequence[Cost]]) -> list[str]:
    cells: list[str] = []
    ways, size = 0, 0
    for found in costs.values():
        own = [cost for cost in found if cost["name"] == name]
        ways, size = max(ways, len(own)), max([size, *(cost["size"] for cost in own)])
        cells += [f"{max((cost[key] for cost in own), default=0):.0f}" for key in ("queries", "wall_ms", "cpu_ms")]
    return [f"`{name}`", str(ways), *cells, f"{size / 1000:.0f}"]
