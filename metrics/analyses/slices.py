"""The analysis `slices`: the ranking of each part of the campaign by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.ranking import Ranking, ranking
from metrics.matrices import ScoreTable
from metrics.results.values import listed
from metrics.statistics.arrays import BoolArray


@dataclass(frozen=True)
class Slice:
    ranking: Ranking


@dataclass(frozen=True)
class Slices:
    """What `ranking` holds for all, for each value of a domain, document or tag."""

    by: str
    slices: Mapping[str, Slice] = listed(empty="one_part")


def slices(evidence: Evidence) -> Slices:
    """Empty where there is only one.

    z is made of an annotator's judgments in the whole campaign, not of those in the slice.
    """
    by = evidence.recipe.by
    names = sorted({name for table in evidence.tables for name in _labels(table, by) if name})
    if len(names) < 2:
        return Slices(by, {})
    return Slices(by, {name: Slice(ranking(_slice(evidence, by, name))) for name in names})


def _slice(evidence: Evidence, by: str, name: str) -> Evidence:
    part = replace(evidence, tables=tuple(table.where(_inside(table, by, name)) for table in evidence.tables))
    return replace(part, whole=evidence, planned=None)


def _labels(table: ScoreTable, by: str) -> list[str]:
    if by == "tag":
        return list(table.tags)
    codes, names = (table.domain, table.domains) if by == "domain" else (table.document, table.documents)
    return [names[code] for code in np.unique(codes).tolist()]


def _inside(table: ScoreTable, by: str, name: str) -> BoolArray:
    if by == "tag":
        return np.isin(table.segment, table.tags.get(name, ())) & ~table.is_document_level
    codes, names = (table.domain, table.domains) if by == "domain" else (table.document, table.documents)
    inside: BoolArray = np.array([label == name for label in names], dtype=np.bool_)[codes]
    return inside
