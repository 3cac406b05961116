"""What an analysis sees: score tables, the recipe, and who is left out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from campaigns.late_additions import LateAddition
from metrics.action_times import Actions
from metrics.analyses.controls import control_tests
from metrics.analyses.rater_filter import RaterFilter, rater_filter
from metrics.answer_groups import AnswerGroups
from metrics.error_table import ErrorTable
from metrics.matrices import KINDS, ScoreTable
from metrics.queries import BESIDE_DAMAGE
from metrics.race import RaceFacts
from metrics.recipes import Recipe
from metrics.scoring.reading import TestSetScores
from metrics.scoring.stored_marks import MarkColumns
from metrics.screen_places import Places
from metrics.statistics.arrays import BoolArray, FloatArray
from metrics.statistics.evenness import Unevenness
from metrics.statistics.mixed.design import CrossedModel
from metrics.statistics.normalisation import ZScores, z_scores
from metrics.statistics.quality import ControlTest

JUDGED_KINDS = tuple(kind for kind in KINDS if kind not in ("practice", BESIDE_DAMAGE))
REGULAR_AND_REPEAT = ("regular", "repeat")


@dataclass(frozen=True)
class Evidence:
    """One campaign's score tables, by measure in the protocol's order.

    `excluded` are the names of annotators left out, `excluded_by_decision` those left out before anything is tried in
    this run. `planned` is how many judgments the plan asks for, None when it is unknown or nothing more is to come.
    `marked` are the errors behind the penalties. `whole` is what this is a slice of: who counts, and what z is made of,
    is decided there. `metrics` are the scores of automatic metrics, where an analysis asks for them, `references` the
    systems that some of these compared with, `metric_marks` the errors that some mark. `decided` is the same with
    adjudicated values, for results about systems; None where the recipe does not use them. `additions` are systems and
    documents that came late. `tested` are control tests that were decided on judgments which are not in these tables
    any more. `humans` are the systems that are people, `own_recipe` is what is shown beside a recipe that reproduces
    others or asks the mixed model, `decided_by` why the latter was taken where nobody chose it, `uneven` how
    unevenly annotators are spread where raw means should not decide, `actions` are known
    where they were logged, `places` where screens are documents, there with the `texts` of outputs by segment and
    system, the `race` where systems are dropped. `models` are the mixed models fitted so far, by their scores,
    `spreads` how unevenly annotators are spread by each model and seed.
    `answered` are annotators by an answer, where slices are by one.
    `chosen` says by what the judged segments were chosen, empty where all of the test set were to be judged.
    """

    tables: tuple[ScoreTable, ...]
    recipe: Recipe
    excluded: frozenset[str] = frozenset()
    excluded_by_decision: frozenset[str] = frozenset()
    planned: int | None = None
    marked: ErrorTable | None = None
    whole: "Evidence | None" = None
    metrics: TestSetScores | None = None
    metric_marks: tuple[MarkColumns, ...] = ()
    references: frozenset[str] = frozenset()
    decided: "Evidence | None" = None
    additions: tuple[LateAddition, ...] = ()
    tested: Mapping[str, ControlTest] | None = None
    humans: frozenset[str] = frozenset()
    own_recipe: Recipe | None = None
    decided_by: tuple[str, ...] = ()
    uneven: Unevenness | None = None
    actions: Actions | None = None
    places: Places | None = None
    texts: Mapping[tuple[int, str], str] = field(default_factory=dict)
    race: RaceFacts | None = None
    chosen: str = ""
    models: dict[bytes, CrossedModel] = field(default_factory=dict, compare=False, repr=False)
    spreads: dict[tuple[int, int], Unevenness | None] = field(default_factory=dict, compare=False, repr=False)
    answered: AnswerGroups | None = None

    @property
    def is_choice_biased(self) -> bool:
        """Whether something other than chance chose what was judged."""
        return bool(self.chosen) and not self.chosen.startswith("random,")

    @property
    def judgments(self) -> int:
        """Judgments of every kind that are not left out."""
        counted = [table.judgment[self.counted(table)] for table in self.tables]
        return int(np.unique(np.concatenate(counted)).size) if counted else 0

    def usable(self, table: ScoreTable) -> BoolArray:
        """Rows that are not surplus, or all when the recipe counts surplus."""
        return np.ones(len(table), dtype=np.bool_) if self.recipe.surplus else ~table.surplus

    def counted(self, table: ScoreTable) -> BoolArray:
        """Usable rows of annotators that count."""
        included = np.array([name in self.included for name in table.annotators], dtype=np.bool_)
        return self.usable(table) & included[table.annotator]

    def of_systems(self, table: ScoreTable) -> BoolArray:
        """Of these, the rows of the kinds that make a system's value."""
        return self.counted(table) & table.of_kinds(self.recipe.rows)

    @cached_property
    def included(self) -> frozenset[str]:
        """Annotators that count: admitted, and not dropped by the recipe's filter."""
        return self.admitted - self.fits.dropped if self.fits else self.admitted

    @cached_property
    def admitted(self) -> frozenset[str]:
        """Not excluded by decision and, if the recipe requires it, with passed controls."""
        names = {name for table in self.tables for name in table.annotators} - self.excluded
        if self.recipe.include == "passed":
            names &= {name for name, test in self.controls.items() if test.is_passed}
        return frozenset(names)

    @cached_property
    def fits(self) -> RaterFilter | None:
        """How everybody's differences between systems fit those of all; None where the recipe does not ask."""
        if self.recipe.lowest_fit is None:
            return None
        if self.whole is not None:
            return self.whole.fits
        table = self.main_scores
        if table is None:
            return RaterFilter(self.recipe.lowest_fit, ())
        rows = self.usable(table) & table.of_kinds(self.recipe.rows)
        return rater_filter(table, rows, self.admitted, self.recipe.lowest_fit)

    @cached_property
    def controls(self) -> Mapping[str, ControlTest]:
        """The control test of every annotator, on what was answered of segments."""
        if self.tested is not None:
            return self.tested
        if self.whole is not None:
            return self.whole.controls
        main = self.main_table
        of_segments = [table for table in self.tables if len(table) and not table.is_document_level.all()]
        tables = of_segments or ([] if main is None else [main])
        return control_tests([table.where(self.usable(table)) for table in tables], self.recipe.control_test)

    @property
    def main_table(self) -> ScoreTable | None:
        """The first measure with segment scores, or else the first with any."""
        filled = [table for table in self.tables if len(table)]
        of_segments = [table for table in filled if not table.is_document_level.all()]
        return next(iter(of_segments or filled), None)

    @property
    def main_scores(self) -> ScoreTable | None:
        """Of that measure the scores of segments, or those of whole documents where there are no others."""
        table = self.main_table
        return table and table.where(table.is_document_level == table.is_document_level.all())

    def normalised(self, table: ScoreTable) -> ZScores:
        """z of every row, from the annotator's own rows that the recipe takes mean and deviation of."""
        if self.whole is not None:
            return self._as_in_the_whole(table, self.whole)
        kinds = ("regular",) if self.recipe.normalisation == "regular" else JUDGED_KINDS
        reference = table.of_kinds(kinds) & table.is_own & self.usable(table)
        return z_scores(table.values, table.annotator, reference=reference)

    def z_values(self, table: ScoreTable) -> FloatArray:
        """`normalised`, of a table of segments and whole documents: each by the annotator's own of that level."""
        z = np.full(len(table), np.nan)
        for level in np.unique(table.is_document_level).tolist():
            rows = table.is_document_level == level
            z[rows] = self.normalised(table.where(rows)).values
        return z

    def _as_in_the_whole(self, table: ScoreTable, whole: "Evidence") -> ZScores:
        """z of a slice's rows, by the annotators' means and deviations in everything."""
        everything = next(each for each in whole.tables if each.measure == table.measure)
        level = bool(table.is_document_level.any())
        z = whole.normalised(everything.where(everything.is_document_level == level))
        place = np.searchsorted(z.annotators, table.annotator)
        usable = np.where(z.deviations > 0, z.deviations, np.nan)
        return replace(z, values=(table.values - z.means[place]) / usable[place])


Analysis = Callable[[Evidence], Any]
