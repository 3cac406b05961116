"""Relative ranking: two translations compared, or up to five put in order (WMT 2007 to 2016)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import Envelope, checked_whole, csv_columns, parse_slots
from annotation.protocols.base import (
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Preference,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownSlot,
    SlotScore,
    option,
)
from annotation.protocols.shared_options import judge_against_option


@dataclass(frozen=True)
class RankingOptions(ProtocolOptions):
    """With two systems an item the question is which is better; with more, in which order they are."""

    systems_per_item: int = option(
        5,
        label=gettext_lazy("Translations side by side"),
        hint=gettext_lazy("This is the maximum. Identical translations are shown once, so a segment may have fewer."),
        choices=(
            ("2", gettext_lazy("2: which is better")),
            ("3", gettext_lazy("3 to rank")),
            ("4", gettext_lazy("4 to rank")),
            ("5", gettext_lazy("5 to rank")),
        ),
    )
    judge_against: str = judge_against_option()
    show_differences: bool = option(True, label=gettext_lazy("Highlight the words in which translations differ"))


@dataclass(frozen=True)
class Ranking(Protocol[RankingOptions]):
    """A rank for each slot, 1 the best. Ranks may tie and leave no gaps: 1, 1, 2 and not 1, 1, 3."""

    name: ClassVar[str] = "ranking"
    title: ClassVar = gettext_lazy("Ranking")
    description: ClassVar = gettext_lazy("Choose the better of two translations, or rank up to five; ties are allowed.")
    seconds_per_item: ClassVar[int] = 60
    options_class: ClassVar = RankingOptions
    # no published value: the worst case, half of all comparisons won
    expected_scatter: ClassVar = ExpectedScatter(0.5, is_share=True)
    methods_sentence: ClassVar[str] = "Annotators put the translations shown side by side in order; ties were allowed."

    @property
    def measures(self) -> tuple[Measure, ...]:
        # without an end: imported rankings may show more than five systems
        return (Measure("rank", _("Rank"), _("place"), 1, inf, higher_is_better=False, is_relative=True),)

    @property
    def slots_per_item(self) -> int:
        return self.options.systems_per_item

    @property
    def shuffles_slots(self) -> bool:
        return True

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        wrong = _("The rank must be a whole number from 1 to %(high)d.") % {"high": len(item.slots)}

        def check(values: Mapping[str, Any], _slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
            rank, allowed, missing = values.get("rank"), range(1, len(item.slots) + 1), _("Choose a rank first.")
            return {"rank": checked_whole(rank, allowed, f"{at}.rank", envelope, missing=missing, wrong=wrong)}

        answer = parse_slots(payload, item, ("rank",), check)
        return replace(answer, slots=_without_gaps(answer.slots))

    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        ranks = {slot.label: int(answer.slots[slot.label]["rank"]) for slot in item.slots if slot.label in answer.slots}
        return Observation(
            scores=tuple(SlotScore(label, "rank", float(rank)) for label, rank in ranks.items()),
            preferences=tuple(
                Preference(first, second, _outcome(ranks[first], ranks[second]))
                for first, second in combinations(ranks, 2)
            ),
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(answer, lambda values: {"rank": values["rank"]})


def _without_gaps(slots: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The same order in ranks that follow one another: 2, 1, 2, 4 are 2, 1, 2, 3."""
    places = {rank: place for place, rank in enumerate(sorted({values["rank"] for values in slots.values()}), start=1)}
    return {label: {"rank": places[values["rank"]]} for label, values in slots.items()}


def _outcome(first: int, second: int) -> int:
    return (first < second) - (first > second)
