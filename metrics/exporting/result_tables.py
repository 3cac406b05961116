"""The tables of a finished run, ready for a paper: which there are depends on what the run found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from metrics.exporting.paper_tables import Cell, PaperTable

Parts = Mapping[str, Any]


def tables_of(parts: Parts, titles: Mapping[str, str], signature: str) -> list[PaperTable]:
    """`parts` are analyses by name, `titles` those of measures; the signature goes with each table."""
    found: list[PaperTable] = []
    for make in (_systems, _documents, _pairs, _agreement, _annotators, _errors, _corrections, _comprehension):
        found += make(parts, titles)
    return [_signed(table, signature) for table in found if table.rows]


NEEDED = ("ranking", "agreement", "annotators", "errors", "post_editing", "gisting")


def _signed(table: PaperTable, signature: str) -> PaperTable:
    note = f"{table.note} {signature}".strip()
    return PaperTable(
        table.name, table.title, table.header, table.rows, table.numeric, table.cuts, note=note, decimals=table.decimals
    )


def _systems(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:
    yield from _ranked(parts.get("ranking") or {}, titles, "systems", _("Systems"))


def _documents(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:
    documents = (parts.get("ranking") or {}).get("documents") or {}
    yield from _ranked(documents, titles, "documents", _("Scores of whole documents"))


def _ranked(ranking: Parts, titles: Mapping[str, str], name: str, title: str) -> Iterator[PaperTable]:
    systems = ranking.get("systems", [])
    measures = list(dict.fromkeys(system["measure"] for system in systems))
    for measure in measures:
        own = [system for system in systems if system["measure"] == measure]
        has_z = any(system["z_mean"] is not None for system in own)
        header = [_("Rank"), _("System"), _("Mean"), _("Low"), _("High"), *([_("z-score")] if has_z else []), "n"]
        yield PaperTable(
            name if len(measures) == 1 else f"{name}-{measure}",
            title if len(measures) == 1 else f"{title}: {titles.get(measure, measure)}",
            header,
            [_system_row(system, has_z=has_z) for system in own],
            numeric=frozenset(range(2, len(header))),
            cuts=_cuts([system["cluster"] for system in own]),
        )


def _system_row(system: Mapping[str, Any], *, has_z: bool) -> list[Cell]:
    first, last = system["rank"] or (None, None)
    rank = str(first) if first == last else f"{first}–{last}"
    low, high = system["interval"] or (None, None)
    z = [system["z_mean"]] if has_z else []
    return [rank if first else None, system["system"], system["mean"], low, high, *z, system["judgments"]]


def _cuts(clusters: Sequence[Any]) -> frozenset[int]:
    """Rows below which another cluster begins."""
    return frozenset(place for place, (one, next_one) in enumerate(pairwise(clusters)) if one != next_one)


def _pairs(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    tests = (parts.get("ranking") or {}).get("tests", [])
    main = next((test["measure"] for test in tests), None)
    rows: list[list[Cell]] = [
        [test["first"], test["second"], test.get("share"), test["p"], test["p_corrected"]]
        for test in tests
        if test["measure"] == main
    ]
    header = [_("System"), _("Compared with"), _("Share of wins"), "p", _("p, corrected")]
    yield PaperTable("pairs", _("Pairs of systems"), header, rows, numeric=frozenset({2, 3, 4}), decimals=4)


def _agreement(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:
    found = parts.get("agreement") or {}
    levels = ("nominal", "ordinal", "interval")
    rows: list[list[Cell]] = []
    for measure in found.get("measures", []):
        for level in levels:
            low, high = measure["alpha_interval"].get(level) or (None, None)
            name = titles.get(measure["measure"], measure["measure"])
            rows.append([name, f"α, {level}", measure["alpha"].get(level), low, high, measure["items"]])
    preference = found.get("preference") or {}
    for mode in [mode for mode in ("inter", "intra") if mode in preference]:
        one = preference[mode]
        low, high = one["interval"] or (None, None)
        rows.append([_("Preferences"), f"κ, {mode}", one["kappa"], low, high, one["comparable"]])
    header = [_("Measure"), _("Coefficient"), _("Value"), _("Low"), _("High"), "n"]
    yield PaperTable("agreement", _("Agreement between annotators"), header, rows, numeric=frozenset({2, 3, 4, 5}))


def _annotators(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    columns: dict[str, Callable[[Mapping[str, Any]], Cell]] = {
        _("Annotator"): lambda one: one["annotator"],
        "n": lambda one: one["judgments"],
        _("Mean"): lambda one: one["mean"],
        _("Deviation"): lambda one: one["deviation"],
        _("Median seconds"): lambda one: one["seconds_median"],
        _("Damaged items"): lambda one: one["control_n"],
        _("p of the control test"): lambda one: one["control_p"],
        _("Included"): lambda one: _("yes") if one["included"] else _("no"),
    }
    rows = [[cell(one) for cell in columns.values()] for one in parts.get("annotators") or []]
    yield PaperTable("annotators", _("Annotators"), list(columns), rows, numeric=frozenset(range(1, 7)))


def _errors(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    found = parts.get("errors") or {}
    rows: list[list[Cell]] = [
        [one["system"], one["category"], one["severity"], one["count"], one["points"]]
        for one in found.get("categories", [])
    ]
    header = [_("System"), _("Category"), _("Severity"), _("Errors"), _("Points")]
    yield PaperTable("errors", _("Errors by category and severity"), header, rows, numeric=frozenset({3, 4}))


def _corrections(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    yield _plain_rows("post-editing", _("Post-editing"), (parts.get("post_editing") or {}).get("systems", []))


def _comprehension(parts: Parts, titles: Mapping[str, str]) -> Iterator[PaperTable]:  # noqa: ARG001 - as its siblings
    yield _plain_rows("comprehension", _("Comprehension"), (parts.get("gisting") or {}).get("systems", []))


def _plain_rows(name: str, title: str, entries: Sequence[Mapping[str, Any]]) -> PaperTable:
    """Columns as the analysis names them: they are described in the docs by these names."""
    columns = [key for key, value in (entries[0] if entries else {}).items() if not isinstance(value, dict | list)]
    rows: list[list[Cell]] = [[entry.get(column) for column in columns] for entry in entries]
    return PaperTable(name, title, columns, rows, numeric=frozenset(range(1, len(columns))))
