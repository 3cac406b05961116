"""Whether a protocol's own recipe can decide between systems in a campaign; where it cannot, the mixed model does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.ranking import FEWEST_PER_SYSTEM
from metrics.analyses.uneven import ANNOTATORS_UNEVEN, uneven_means
from metrics.recipes import COMPARING, INCOMPLETE, MIXED, Recipe, recipe_for

NO_SHARED_SEGMENTS = "no_shared_segments"


def decided(evidence: Evidence, *, is_chosen: bool) -> Evidence:
    """With the recipe that decides, unless somebody chose one or it is too early; the own recipe is shown beside it.

    Beside numbers that reproduce others is what decides too.
    """
    own = evidence.own_recipe
    if own is not None and evidence.recipe.reproducing:
        beside = replace(evidence, recipe=own)
        return replace(evidence, own_recipe=decides(own) if reasons_against(beside) else own)
    evidence = replace(evidence, uneven=uneven_means(evidence))
    reasons = () if is_chosen or not has_enough(evidence) else reasons_against(evidence)
    if not reasons:
        return evidence
    return replace(evidence, recipe=decides(evidence.recipe), own_recipe=evidence.recipe, decided_by=reasons)


def has_enough(evidence: Evidence) -> bool:
    """Whether a ranking would not be too early for want of judgments of some system: then nothing decides."""
    table = evidence.main_scores
    if table is None:
        return False
    counts = np.bincount(table.system[evidence.of_systems(table)])
    return bool(counts.size) and int(counts[counts > 0].min(initial=FEWEST_PER_SYSTEM)) >= FEWEST_PER_SYSTEM


def reasons_against(evidence: Evidence) -> tuple[str, ...]:
    """Why the evidence's recipe does not decide, in words of docs/statistics.md; none where it does."""
    table = evidence.main_scores
    if table is None or table.is_relative or evidence.recipe.test == MIXED:
        return ()
    checks = {
        NO_SHARED_SEGMENTS: shares_no_segments(evidence),
        ANNOTATORS_UNEVEN: (evidence.uneven or uneven_means(evidence)) is not None,
    }
    return tuple(name for name, applies in checks.items() if applies)


def shares_no_segments(evidence: Evidence) -> bool:
    """Whether a paired test has nothing to compare for some two systems."""
    table = evidence.main_scores
    if table is None or not evidence.recipe.needs_shared_segments:
        return False
    used = table.where(evidence.of_systems(table))
    systems, system = np.unique(used.system, return_inverse=True)
    units, unit = np.unique(used.unit, return_inverse=True)
    judged = np.zeros((systems.size, units.size), dtype=np.float32)
    judged[system, unit] = 1
    return bool((judged @ judged.T == 0).any())


def decides(recipe: Recipe) -> Recipe:
    """By the mixed model on the same judgments, where the design does not allow what a protocol's own recipe does."""
    return replace(recipe, name=INCOMPLETE, normalisation="none", z_from=2, test=MIXED, correction="holm")


def is_chosen(name: str | None, options: Mapping[str, Any]) -> bool:
    """Whether somebody chose how systems are compared."""
    return name is not None or any(options.get(key) is not None for key in (*COMPARING, "average"))


def recipe_of_run(protocol: str, name: str | None, options: Mapping[str, Any] | None, made_by: str | None) -> Recipe:
    """The recipe of a run that was made with these arguments, where `made_by` is what the run says of itself."""
    requested = recipe_for(protocol, name, options)
    taken = made_by == INCOMPLETE != requested.name and not is_chosen(name, options or {})
    return decides(requested) if taken else requested
