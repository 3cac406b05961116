"""What leaving an annotator out would change, or counting one again, found out before it is decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotation.queries.annotator_work import exclusion_of
from campaigns.models import Account, Campaign
from metrics.analysis_runs import AnalysisRuns
from metrics.derivations import measures_of

CHANGES = ("rank", "cluster", "place")
Pair = tuple[Any, Any]  # before and after


def trial_arguments(campaign: Campaign, annotator: Account, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Of the analysis that compares results with and without somebody, made as `arguments` say otherwise."""
    way = "readmitted" if exclusion_of(campaign, annotator) else "without"
    options = {**arguments["options"], way: [annotator.username]}
    return {**arguments, "analyses": ["exclusion"], "options": dict(sorted(options.items()))}


@dataclass(frozen=True)
class AgreementChange:
    """`coefficient` is kappa or alpha; an interval is (low, high) or None."""

    measure: str
    coefficient: str
    value: tuple[float | None, float | None]
    interval: tuple[Sequence[float] | None, Sequence[float] | None]


@dataclass(frozen=True)
class SystemChange:
    """One system by one measure, before and after; an empty rank is that of no judgments."""

    system: str
    measure: str
    mean: tuple[float | None, float | None]
    z_mean: tuple[float | None, float | None]
    rank: tuple[str, str]
    cluster: tuple[int | None, int | None]
    judgments: tuple[int | None, int | None]
    is_changed: bool


@dataclass(frozen=True)
class ExclusionEffect:
    """Of a finished run; `titles` of measures by their names."""

    CSV_HEADER: ClassVar = (
        "system", "measure", "mean_before", "mean_after", "z_before", "z_after", "ranks_before", "ranks_after",
        "cluster_before", "cluster_after", "judgments_before", "judgments_after", "signature",
    )  # fmt: skip

    judgments: tuple[int, int]
    is_too_early: bool
    agreement: tuple[AgreementChange, ...]
    systems: tuple[SystemChange, ...]
    titles: Mapping[str, str]
    signature: str

    @property
    def main_systems(self) -> list[SystemChange]:
        """By what systems are compared by."""
        return [system for system in self.systems if system.measure == self.systems[0].measure]

    @property
    def tables(self) -> list[tuple[str, list[SystemChange]]]:
        names = dict.fromkeys(system.measure for system in self.systems)
        return [
            (self.titles.get(name, name), [system for system in self.systems if system.measure == name])
            for name in names
        ]

    @property
    def has_z(self) -> bool:
        return any(value is not None for system in self.systems for value in system.z_mean)

    @property
    def pairs(self) -> range:
        """One for each number that stands there twice."""
        return range(5 if self.has_z else 4)

    def csv_rows(self) -> Iterator[list[Any]]:
        for each in self.systems:
            yield [
                each.system, each.measure, *each.mean, *each.z_mean, *each.rank, *each.cluster, *each.judgments,
                self.signature,
            ]  # fmt: skip


def exclusion_effect(runs: AnalysisRuns) -> ExclusionEffect | None:
    """None while no run has tried it out."""
    result = runs.parts("exclusion").get("exclusion")
    if result is None or runs.done is None:
        return None
    before, after = result["judgments"]
    return ExclusionEffect(
        judgments=(before, after),
        is_too_early=any(result["too_early"]),
        agreement=tuple(_agreement(entry) for entry in result["agreement"]),
        systems=tuple(_system(entry) for entry in result["systems"]),
        titles={measure.name: str(measure.title) for measure, _formula in measures_of(runs.campaign)},
        signature=runs.done.signature,
    )


def _agreement(entry: Mapping[str, Any]) -> AgreementChange:
    return AgreementChange(entry["measure"], entry["coefficient"], _pair(entry["value"]), _pair(entry["interval"]))


def _system(entry: Mapping[str, Any]) -> SystemChange:
    before, after = entry["rank"]
    return SystemChange(
        system=entry["system"],
        measure=entry["measure"],
        mean=_pair(entry["mean"]),
        z_mean=_pair(entry["z_mean"]),
        rank=(_ranks(before), _ranks(after)),
        cluster=_pair(entry["cluster"]),
        judgments=_pair(entry["judgments"]),
        is_changed=any(entry[name][0] != entry[name][1] for name in CHANGES),
    )


def _pair(values: Sequence[Any]) -> Pair:
    before, after = values
    return before, after


def _ranks(ends: Sequence[int] | None) -> str:
    if not ends:
        return ""
    first, last = ends
    return str(first) if first == last else f"{first}–{last}"
