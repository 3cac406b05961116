"""What a decision would change, as its page says it: in sentences first, then system by system."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.protocols.base import Measure
from frontend.researcher.analysis_runs import AnalysisRuns
from frontend.templatetags.numbers import decimals
from metrics.derivations import measures_of

MOST_SAID = 6
CHANGES = ("rank", "cluster", "place")


@dataclass(frozen=True)
class SystemChange:
    """Before and after of one system by one measure."""

    system: str
    measure: str
    mean: Sequence[float | None]
    z_mean: Sequence[float | None]
    rank: Sequence[str]
    cluster: Sequence[int | None]
    judgments: Sequence[int | None]
    is_changed: bool


@dataclass(frozen=True)
class Effect:
    """The analysis `exclusion` of a finished run."""

    CSV_HEADER: ClassVar = (
        "system", "measure", "mean_before", "mean_after", "z_before", "z_after", "ranks_before", "ranks_after",
        "cluster_before", "cluster_after", "judgments_before", "judgments_after", "signature",
    )  # fmt: skip

    found: Mapping[str, Any]
    titles: Mapping[str, str]
    signature: str

    @property
    def sentences(self) -> list[str]:
        return [self._judgments(), *self._agreement(), *self._order()]

    def _judgments(self) -> str:
        before, after = self.found["judgments"]
        shown = {
            "count": number_format(abs(before - after), force_grouping=True),
            "all": number_format(max(before, after), force_grouping=True),
        }
        if after <= before:
            return (
                ngettext(
                    "%(count)s of %(all)s judgments leaves the results. It stays in the exports.",
                    "%(count)s of %(all)s judgments leave the results. They stay in the exports.",
                    before - after,
                )
                % shown
            )
        return (
            ngettext(
                "%(count)s judgment comes back, %(all)s in all.",
                "%(count)s judgments come back, %(all)s in all.",
                after - before,
            )
            % shown
        )

    def _agreement(self) -> Iterator[str]:
        for entry in self.found["agreement"]:
            title = self.titles.get(entry["measure"], entry["measure"])
            before, after = (
                _("n/a") if value is None else _with_interval(value, interval)
                for value, interval in zip(entry["value"], entry["interval"], strict=True)
            )
            said = (
                _("%(measure)s: agreement (kappa) goes from %(before)s to %(after)s.")
                if entry["coefficient"] == "kappa"
                else _("%(measure)s: agreement (alpha) goes from %(before)s to %(after)s.")
            )
            yield said % {"measure": title, "before": before, "after": after}

    def _order(self) -> Iterator[str]:
        if any(self.found["too_early"]):
            yield _("It is too early for a ranking; ranks below are preliminary.")
        changed = [system for system in self.main_systems if system.is_changed]
        for system in changed[:MOST_SAID]:
            yield self._moved(system)
        if len(changed) > MOST_SAID:
            more = len(changed) - MOST_SAID
            yield ngettext("%(count)d other system moves.", "%(count)d other systems move.", more) % {"count": more}
        if not changed:
            yield _("No system changes its place, its ranks or its cluster.")

    def _moved(self, system: SystemChange) -> str:
        names = {
            "system": system.system,
            "before": system.rank[0],
            "after": system.rank[1],
            "first": system.cluster[0],
            "second": system.cluster[1],
        }
        if not system.rank[1]:
            return _("%(system)s has no judgment left.") % names
        if not system.rank[0]:
            return _("%(system)s comes in with rank %(after)s.") % names
        if system.rank[0] != system.rank[1]:
            return _("%(system)s goes from rank %(before)s to %(after)s.") % names
        if system.cluster[0] != system.cluster[1]:
            return _("%(system)s goes from cluster %(first)s to cluster %(second)s.") % names
        return _("%(system)s changes its place in the order; its ranks stay.") % names

    @property
    def systems(self) -> list[SystemChange]:
        return [_system(entry) for entry in self.found["systems"]]

    @property
    def main_systems(self) -> list[SystemChange]:
        """By what systems are compared by."""
        systems = self.systems
        return [system for system in systems if system.measure == systems[0].measure]

    @property
    def tables(self) -> list[tuple[str, list[SystemChange]]]:
        systems = self.systems
        names = dict.fromkeys(system.measure for system in systems)
        return [
            (self.titles.get(name, name), [system for system in systems if system.measure == name]) for name in names
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


def effect_of(runs: AnalysisRuns) -> Effect | None:
    """None while no run has tried it out."""
    found = runs.parts("exclusion").get("exclusion")
    if found is None or runs.done is None:
        return None
    measures: list[Measure] = [measure for measure, _formula in measures_of(runs.campaign)]
    return Effect(found, {measure.name: str(measure.title) for measure in measures}, runs.done.signature)


def _system(entry: Mapping[str, Any]) -> SystemChange:
    return SystemChange(
        system=entry["system"],
        measure=entry["measure"],
        mean=entry["mean"],
        z_mean=entry["z_mean"],
        rank=[_ranks(ranks) for ranks in entry["rank"]],
        cluster=entry["cluster"],
        judgments=entry["judgments"],
        is_changed=any(entry[name][0] != entry[name][1] for name in CHANGES),
    )


def _ranks(ends: Sequence[int] | None) -> str:
    if not ends:
        return ""
    first, last = ends
    return str(first) if first == last else f"{first}–{last}"


def _with_interval(value: float, interval: Sequence[float] | None) -> str:
    if not interval:
        return decimals(value, 2)
    return _("%(value)s (%(low)s to %(high)s)") % {
        "value": decimals(value, 2),
        "low": decimals(interval[0], 2),
        "high": decimals(interval[1], 2),
    }
