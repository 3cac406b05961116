"""One order of systems over several campaigns, one for each language pair; a system is known by its name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

import numpy as np

from campaigns.models import Campaign
from metrics.actions.deriving import derive_scores
from metrics.analyses import check_request, gather
from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.recipes import AnalysisError, Recipe
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.statistics.over_pairs import places_over_pairs


@dataclass(frozen=True)
class CampaignOfPair:
    campaign: str
    name: str
    signature: str


@dataclass(frozen=True)
class SystemOverPairs:
    """`pairs` are the campaigns with a mean of the system; `over_pairs` is the less the better."""

    system: str
    pairs: int
    over_pairs: float


@dataclass(frozen=True)
class OverPairs:
    """The best system first."""

    campaigns: tuple[CampaignOfPair, ...]
    systems: tuple[SystemOverPairs, ...]


def over_pairs(campaigns: Sequence[Campaign], *, recipe: str, options: Mapping[str, Any]) -> OverPairs:
    """By the measure that systems are compared by first. Raises AnalysisError with all problems at once."""
    problems, chosen = [], dict[int, Recipe]()
    for campaign in campaigns:
        try:
            chosen[campaign.pk] = check_request(campaign, recipe=recipe, analyses=["ranking"], options=options)[0]
        except AnalysisError as error:
            problems.append(f"{campaign.name}: {error}")
    if len({campaign.pk for campaign in campaigns}) < len(campaigns):
        problems.append(_("A campaign is named twice; name each language pair once."))
    if problems:
        raise AnalysisError("\n".join(problems))
    read = [_evidence(campaign, chosen[campaign.pk]) for campaign in campaigns]
    means = [_means(evidence) for evidence in read]
    if empty := [one.name for one, own in zip(campaigns, means, strict=True) if not own]:
        raise AnalysisError(_("No scores that count in: %(names)s.") % {"names": ", ".join(empty)})
    names = sorted({name for own in means for name in own})
    table = np.array([[own.get(name, np.nan) for name in names] for own in means], dtype=np.float64)
    places, pairs = places_over_pairs(table), (~np.isnan(table)).sum(axis=0)
    systems = [SystemOverPairs(name, int(pairs[at]), float(places[at])) for at, name in enumerate(names)]
    return OverPairs(
        tuple(
            CampaignOfPair(one.slug, one.name, _signature(one, evidence))
            for one, evidence in zip(campaigns, read, strict=True)
        ),
        tuple(sorted(systems, key=lambda one: (one.over_pairs, one.system))),
    )


def _evidence(campaign: Campaign, recipe: Recipe) -> Evidence:
    derive_scores(campaign, weights=recipe.stored_weights)
    return gather(campaign, recipe)


def _signature(campaign: Campaign, evidence: Evidence) -> str:
    return evidence.recipe.signature(protocol=campaign.protocol, excluded=len(evidence.excluded))


def _means(evidence: Evidence) -> dict[str, float]:
    """Of each system, higher is better."""
    table = evidence.main_scores
    if table is None:
        return {}
    values = system_values(evidence, table, each_score=evidence.recipe.units == "score")
    return dict(zip(values.names, values.raw_means.tolist(), strict=True))


def over_pairs_table(result: OverPairs) -> Table:
    columns = (
        Column("system", "", Form.NAME),
        Column("pairs", "", Form.COUNT),
        Column("over_pairs", "", decimals=3),
    )
    shown = tuple(column.name for column in columns)
    return Table("over-pairs", "", columns, rows_of(columns, result.systems), terminal=shown)
