"""The analysis `exclusion`: what leaving annotators out, or counting them again, would change; made on request."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metrics.analyses.agreement import headline
from metrics.analyses.evidence import REGULAR_AND_REPEAT, Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.preferences import preference_inter
from metrics.analyses.ranking import ranking
from metrics.matrices import ScoreTable

SYSTEM_FIELDS = ("mean", "interval", "z_mean", "rank", "cluster", "judgments")


def exclusion(evidence: Evidence) -> dict[str, Any]:
    """The same evidence twice: as decisions stand, and with the recipe's `without` and `readmitted`.

    Every number that may change is `[before, after]`. `systems` are those of segment scores, or of document scores
    where there are no others, in the order before; `place` is where a system stands in the order of its measure.
    None: not there, or not to be had.
    """
    before = replace(evidence, excluded=evidence.excluded if evidence.standing is None else evidence.standing)
    both = (before, evidence)
    found = [ranking(each) for each in both]
    counts = {table.measure for table in evidence.tables if table.is_count}
    return {
        "without": list(evidence.recipe.without),
        "readmitted": list(evidence.recipe.readmitted),
        "judgments": [each.judgments for each in both],
        "annotators": [len(each.included) for each in both],
        "too_early": [one["too_early"] is not None for one in found],
        "agreement": [entry for table in evidence.tables if (entry := _agreement(table, both)) is not None],
        "systems": [entry for entry in _systems(*map(_ranked, found)) if entry["measure"] not in counts],
    }


def _agreement(table: ScoreTable, both: tuple[Evidence, Evidence]) -> dict[str, Any] | None:
    if table.is_count or not len(table):
        return None
    counted = [table.where(each.usable(table) & each.by_included(table)) for each in both]
    if table.is_relative:
        judged = [one.where(one.of_kinds(REGULAR_AND_REPEAT)) for one in counted]
        kappas = [preference_inter(one, both[0].recipe) if len(one) else {} for one in judged]
        entry = {"coefficient": "kappa", "value": [one.get("kappa") for one in kappas]}
        return {"measure": table.measure, **entry, "interval": [one.get("interval") for one in kappas]}
    found = [headline(one, both[0].recipe) if len(one) else None for one in counted]
    return {
        "measure": table.measure,
        "coefficient": "alpha",
        "value": [number(one[1].value) if one else None for one in found],
        "interval": [interval_ends(one[1].interval) if one else None for one in found],
    }


def _ranked(found: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """By measure and system, in rank order, each with its place."""
    systems = found["systems"] or found.get("documents", found)["systems"]
    places: dict[str, int] = {}
    ranked = {}
    for system in systems:
        places[system["measure"]] = places.get(system["measure"], 0) + 1
        own = {name: system[name] for name in SYSTEM_FIELDS}
        ranked[system["measure"], system["system"]] = own | {"place": places[system["measure"]]}
    return ranked


def _systems(
    before: Mapping[tuple[str, str], Mapping[str, Any]], after: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    entries = []
    for key in dict.fromkeys([*before, *after]):
        measure, system = key
        entry: dict[str, Any] = {"system": system, "measure": measure}
        for name in (*SYSTEM_FIELDS, "place"):
            entry[name] = [side[key][name] if key in side else None for side in (before, after)]
        entries.append(entry)
    return entries
