"""A run's ranking, made ready for the page: rows with their whiskers, the pairs, the spread, the finding."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.base import Measure
from annotation.spreadsheet_cells import safe_name
from campaigns.models import System
from frontend.researcher.analysis_runs import AnalysisRuns
from frontend.researcher.corrections import Corrections
from frontend.researcher.finding import finding_of
from frontend.researcher.spreads import Spread, spreads_of
from frontend.researcher.systems_table import SystemsTable, tables_of
from metrics.derivations import measures_of

NOTES = {
    "no_shared_segments": gettext_lazy(
        "Some systems were never judged on the same segment, which this test needs: their difference could not show."
    ),
    "few_documents": gettext_lazy(
        "With fewer than six documents no difference can reach significance, for whole documents are what is resampled."
    ),
}


@dataclass(frozen=True)
class PairCell:
    """How often the row's system beats the column's, in percent; `shade` is the design's scale of -2 to +2."""

    other: str
    percent: int | None
    shade: str
    is_significant: bool


@dataclass(frozen=True)
class Results:
    """Everything the results page shows of one finished run."""

    COLUMNS: ClassVar = (
        "system", "is_human", "measure", "rank_first", "rank_last", "cluster", "mean", "low", "high",
        "z_mean", "z_low", "z_high", "wins", "losses", "judgments", "segments", "signature",
    )  # fmt: skip

    ranking: Mapping[str, Any]
    measures: Mapping[str, Measure]
    corrections: Corrections | None
    signature: str
    recipe: str
    judgments: int
    humans: frozenset[str]

    @property
    def too_early(self) -> Mapping[str, Any] | None:
        return self.ranking.get("too_early")

    @property
    def systems(self) -> list[dict[str, Any]]:
        return self._with_humans(self.ranking)

    def _with_humans(self, ranked: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [{**system, "is_human": system["system"] in self.humans} for system in ranked["systems"]]

    @property
    def notes(self) -> list[str]:
        """Why a difference could not show, and whose judgments no z-score stands for."""
        told = [str(NOTES[note]) for note in self.ranking.get("notes", ()) if note in NOTES]
        without = self.ranking.get("without_z", ())
        if without:
            told.append(
                _("No z-score stands for the judgments of %(names)s.")
                % {"names": get_text_list(list(without), _("and"))}
            )
        return told

    @property
    def main_measure(self) -> str | None:
        """What systems are compared by; other measures have a table and no more."""
        return next((system["measure"] for system in self.ranking["systems"]), None)

    @property
    def compared(self) -> list[dict[str, Any]]:
        return [system for system in self.systems if system["measure"] == self.main_measure]

    @property
    def finding(self) -> str | None:
        return None if self.too_early else finding_of(self.compared)

    @property
    def tables(self) -> list[SystemsTable]:
        """One a measure, what systems are compared by first."""
        return tables_of(self.systems, self.measures)

    @property
    def documents_tables(self) -> list[SystemsTable]:
        """Scores given to whole documents have tables of their own."""
        documents = self.ranking.get("documents")
        return tables_of(self._with_humans(documents), self.measures) if documents else []

    @property
    def names(self) -> list[str]:
        return [system["system"] for system in self.compared]

    @property
    def pairs(self) -> list[tuple[str, list[PairCell | None]]]:
        of_main = [test for test in self.ranking["tests"] if test["measure"] == self.main_measure]
        tests = {(test["first"], test["second"]): test for test in of_main}
        return [(row, [_pair_cell(row, other, tests) for other in self.names]) for row in self.names]

    @property
    def has_pairs(self) -> bool:
        return any(test.get("share") is not None for test in self.ranking["tests"])

    @property
    def spreads(self) -> list[Spread]:
        return spreads_of(self.compared, self.measures.get(self.main_measure or ""))

    def csv_rows(self) -> Iterator[list[Any]]:
        for system in (*self.systems, *self._with_humans(self.ranking.get("documents", {"systems": []}))):
            low, high = system["interval"] or (None, None)
            z_low, z_high = system["z_interval"] or (None, None)
            yield [
                safe_name(system["system"]), system["is_human"], system["measure"], *(system["rank"] or (None, None)),
                system["cluster"], system["mean"], low, high, system["z_mean"], z_low, z_high,
                system["wins"], system["losses"], system["judgments"], system["segments"], self.signature,
            ]  # fmt: skip


def results_of(runs: AnalysisRuns) -> Results | None:
    """None while no run has made a ranking."""
    campaign, run = runs.campaign, runs.done
    parts = runs.parts("ranking", "post_editing")
    ranking, post_editing = parts.get("ranking"), parts.get("post_editing")
    if run is None or run.result is None or ranking is None:
        return None
    humans = System.objects.filter(test_set=campaign.test_set_id, is_human=True).values_list("name", flat=True)
    return Results(
        ranking=ranking,
        measures={measure.name: measure for measure, _formula in measures_of(campaign)},
        corrections=Corrections(post_editing["systems"]) if post_editing and post_editing["systems"] else None,
        signature=run.signature,
        recipe=run.result["recipe"],
        judgments=run.result["judgments"],
        humans=frozenset(humans),
    )


def _pair_cell(row: str, other: str, tests: Mapping[tuple[str, str], Mapping[str, Any]]) -> PairCell | None:
    if row == other:
        return None
    test, turned = tests.get((row, other)), False
    if test is None:
        test, turned = tests.get((other, row)), True
    if test is None or test.get("share") is None:
        return PairCell(other, None, "0", is_significant=False)
    share = 1 - test["share"] if turned else test["share"]
    p = test["p"] if test["p_corrected"] is None else test["p_corrected"]
    return PairCell(other, round(100 * share), _shade(share), is_significant=p is not None and p < 0.05)


def _shade(share: float) -> str:
    distance = abs(share - 0.5)
    if distance < 0.03:
        return "0"
    sign = "+" if share > 0.5 else "-"
    return f"{sign}{2 if distance >= 0.12 else 1}"
