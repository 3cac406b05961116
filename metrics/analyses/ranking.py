"""The analysis `ranking`: each system's mean and z mean with their intervals, and who can be told apart from whom."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from metrics.analyses.controls import shares_outdone
from metrics.analyses.distributions import distributions
from metrics.analyses.evidence import Evidence
from metrics.analyses.json_numbers import interval_ends, number
from metrics.analyses.pair_tests import PairTests, compare_pairs, documents_needed
from metrics.analyses.pictures import drawn_high, histogram, win_share
from metrics.analyses.preferences import models, preferences_of, units_of_one_text, win_draws
from metrics.analyses.system_values import SystemValues, Units, system_values
from metrics.analyses.too_early import too_early
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.ranking import (
    clusters_from_ranges,
    clusters_from_wins,
    expected_wins,
    rank_ranges,
    rank_ranges_from_wins,
)
from metrics.statistics.resampling import FEWEST_RESAMPLES, percentile_interval
from metrics.statistics.significance import Interval, bootstrap_interval


def ranking(evidence: Evidence) -> dict[str, Any]:
    """Systems in rank order and all pairs tested, one measure after another.

    Document-level scores have units of their own and stay apart, under `documents`. `too_early` is None, or why the
    ranking is; `ordered_by` says what each measure's order and tests rest on; `without_z` names annotators whose
    judgments no z stands for; `notes` say why a difference could not show: `no_shared_segments` (some pair of systems
    was never judged on the same segment, which a paired test needs) and `few_documents` (fewer than
    `documents_needed`, so that no flipping of whole documents reaches significance beside so many pairs).

    Measures that compare no systems (how many questions were asked) are left out. Scales of few points have
    `distributions`. A measure that is compared within a screen is ranked by preferences, and has `models` and their
    `fits`.
    """
    compared = [table for table in evidence.tables if table.is_compared]
    of_segments = [table.where(~table.is_document_level) for table in compared]
    of_documents = [table.where(table.is_document_level) for table in compared]
    result = _ranked_measures(evidence, [table for table in of_segments if len(table)])
    points = distributions(evidence)
    if points:
        result["distributions"] = points
    if any(len(table) for table in of_documents):
        result["documents"] = _ranked_measures(evidence, [table for table in of_documents if len(table)])
    judged = result["systems"] or result.get("documents", result)["systems"]
    counts = {entry["system"]: entry["judgments"] for entry in judged}
    result["too_early"] = too_early(counts, judgments=evidence.judgments, planned=evidence.planned)
    return result


def _ranked_measures(evidence: Evidence, tables: list[ScoreTable]) -> dict[str, Any]:
    result: dict[str, Any] = {"systems": [], "tests": [], "ordered_by": {}}
    without_z: set[str] = set()
    notes: set[str] = set()
    for table in tables:
        if table.is_relative:
            result |= _ranked_by_preference(evidence, table, notes)
            continue
        values = system_values(evidence, table).in_rank_order()
        tests = compare_pairs(values.ordering, values.ordering_means, values.units, evidence.recipe)
        result["systems"] += _system_entries(table, values, tests, evidence.recipe)
        result["tests"] += _test_entries(table, values, tests)
        result["ordered_by"][table.measure] = "z" if values.by_z else "mean"
        without_z |= values.without_z
        notes |= _notes(values, tests, evidence.recipe)
    if "few_documents" in notes:
        pairs = Counter(test["measure"] for test in result["tests"])
        result["documents_needed"] = documents_needed(max(pairs.values()), evidence.recipe)
    return {**result, "without_z": sorted(without_z), "notes": sorted(notes)}


def _ranked_by_preference(evidence: Evidence, table: ScoreTable, notes: set[str]) -> dict[str, Any]:
    """Order, intervals, ranks and clusters by expected wins; tests by the share of the screen that a system outdid."""
    recipe = replace(evidence.recipe, normalisation="none")
    evidence = replace(evidence, recipe=recipe)
    shares = replace(table, values=shares_outdone(table), higher_is_better=True, low=0.0, high=1.0)
    counted = table.where(evidence.usable(table) & evidence.by_included(table) & table.of_kinds(recipe.rows))
    preferences = preferences_of(counted)
    n_systems = len(table.systems)
    worth = expected_wins(preferences.counts(n_systems)[0])
    draws = win_draws(preferences, n_systems, recipe)
    values = system_values(evidence, shares)
    values = values.in_order_of(worth[[table.systems.index(name) for name in values.names]])
    codes = [table.systems.index(name) for name in values.names]
    tests = compare_pairs(values.raw, worth[codes], values.units, recipe)
    enough = draws if len(draws) >= FEWEST_RESAMPLES else draws[:0]  # of none every system may hold any rank
    ranges = rank_ranges(enough[:, codes], level=recipe.interval_level)
    clusters = clusters_from_ranges(ranges)
    notes |= _notes(values, tests, recipe)
    entries = _system_entries(shares, values, tests, recipe)
    for place, (entry, code) in enumerate(zip(entries, codes, strict=True)):
        interval = percentile_interval(draws[:, code], recipe.interval_level)
        entry |= {"mean": number(float(worth[code])), "interval": interval_ends(interval)}
        entry |= {
            "rank": ranges[place].tolist(),
            "cluster": int(clusters[place]),
            "histogram": None,
            "histogram_range": None,
        }
    return {
        "systems": entries,
        "tests": _test_entries(shares, values, tests, units_of_one_text(counted)),
        "ordered_by": {table.measure: "expected_wins"},
        **models(preferences, recipe),
    }


def _notes(values: SystemValues, tests: PairTests, recipe: Recipe) -> set[str]:
    notes = set()
    if recipe.needs_shared_segments and np.isnan(tests.p).any():
        notes.add("no_shared_segments")
    needed = documents_needed(len(tests.p), recipe)
    if needed is not None and np.unique(values.units.document).size < needed:
        notes.add("few_documents")
    return notes


def _system_entries(table: ScoreTable, values: SystemValues, tests: PairTests, recipe: Recipe) -> list[dict[str, Any]]:
    clusters = clusters_from_wins(tests.wins)
    ranks = rank_ranges_from_wins(tests.wins)
    high = drawn_high(_natural(table, values.raw), low=table.low, high=table.high)
    return [
        {
            "system": name,
            "measure": table.measure,
            "judgments": int(values.judgments[place]),
            "segments": int(np.count_nonzero(~np.isnan(values.raw[place]))),
            "mean": number(table.natural(float(values.raw_means[place]))),
            "interval": interval_ends(
                _interval(values.raw[place], values.units, recipe), is_turned=not table.higher_is_better
            ),
            "z_mean": number(float(values.z_means[place])),
            "z_interval": interval_ends(_interval(values.z[place], values.units, recipe)),
            "rank": ranks[place].tolist(),
            "cluster": int(clusters[place]),
            "wins": int(tests.wins[place].sum()),
            "losses": int(tests.wins[:, place].sum()),
            "histogram": histogram(_natural(table, values.raw[place]), low=table.low, high=high),
            "histogram_range": [table.low, high] if math.isfinite(high - table.low) else None,
        }
        for place, name in enumerate(values.names)
    ]


def _test_entries(
    table: ScoreTable,
    values: SystemValues,
    tests: PairTests,
    of_one_text: Mapping[frozenset[str], IntArray] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """`of_one_text`: units on which two systems cannot be told apart, and so share nothing to compare."""
    entries = []
    for first, second, p, p_corrected in zip(tests.first, tests.second, tests.p, tests.p_corrected, strict=True):
        alike = of_one_text.get(frozenset((values.names[first], values.names[second])), ())
        own = np.where(np.isin(values.units.code, alike), np.nan, values.raw[first])
        share, shared = win_share(own, values.raw[second])
        entry = {"first": values.names[first], "second": values.names[second], "measure": table.measure}
        entry |= {"p": number(p), "p_corrected": number(p_corrected), "share": number(share), "shared": shared}
        entry["is_win"] = bool(tests.wins[first, second])
        entries.append(entry)
    return entries


def _natural(table: ScoreTable, values: FloatArray) -> FloatArray:
    return values if table.higher_is_better else -values


def _interval(values: FloatArray, units: Units, recipe: Recipe) -> Interval:
    """Each from the seed anew, so that no system's interval depends on which others there are."""
    return bootstrap_interval(
        values,
        groups=units.document,
        strata=units.domain if recipe.average == "domain" else None,
        resamples=recipe.interval_resamples,
        level=recipe.interval_level,
        rng=np.random.default_rng(recipe.seed),
    )
