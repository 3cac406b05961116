"""Adequacy and fluency, or other scales of few labelled points (LDC 2002; WMT 2006 and 2007; pSQM, XSTS)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.protocols.answer_checks import Envelope, checked_whole, csv_columns, parse_slots
from annotation.protocols.base import (
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    ShownSlot,
    SlotScore,
    option,
)
from annotation.protocols.scales import Scale, scales_from
from annotation.protocols.shared_options import judge_against_option, systems_per_screen_option
from campaigns.invalid_input import InvalidInput

FLUENCY = "fluency"

# Words in English, as anchors of a slider are: the page of an annotator puts them into its language.
PRESETS: Mapping[str, tuple[Scale, ...]] = {
    "adequacy_fluency": (
        Scale(
            "adequacy",
            gettext_noop("Adequacy"),
            gettext_noop("Meaning kept"),
            (
                (1, gettext_noop("none")),
                (2, gettext_noop("little meaning")),
                (3, gettext_noop("much meaning")),
                (4, gettext_noop("most meaning")),
                (5, gettext_noop("all meaning")),
            ),
        ),
        Scale(
            FLUENCY,
            gettext_noop("Fluency"),
            gettext_noop("{language} alone"),
            (
                (1, gettext_noop("incomprehensible")),
                (2, gettext_noop("disfluent")),
                (3, gettext_noop("non-native")),
                (4, gettext_noop("good")),
                (5, gettext_noop("flawless")),
            ),
        ),
    ),
    "psqm": (
        Scale(
            "psqm",
            gettext_noop("Quality"),
            gettext_noop("Meaning and grammar of the {language} together"),
            (
                (0, gettext_noop("nothing kept")),
                (1, ""),
                (2, gettext_noop("some meaning")),
                (3, ""),
                (4, gettext_noop("most meaning, few mistakes")),
                (5, ""),
                (6, gettext_noop("perfect")),
            ),
        ),
    ),
    "xsts": (
        Scale(
            "xsts",
            gettext_noop("Same meaning"),
            gettext_noop("Small matters of style do not count"),
            (
                (1, gettext_noop("another meaning")),
                (2, gettext_noop("shares details")),
                (3, gettext_noop("same but for details")),
                (4, gettext_noop("same, put differently")),
                (5, gettext_noop("same in every respect")),
            ),
        ),
    ),
}


@dataclass(frozen=True)
class LikertOptions(ProtocolOptions):
    """Without `scales` those of the preset apply; stored options always contain scales."""

    preset: str = option(
        "adequacy_fluency",
        label=gettext_lazy("Scales"),
        choices=(
            ("adequacy_fluency", gettext_lazy("Adequacy and fluency, 1–5")),
            ("psqm", gettext_lazy("pSQM, 0–6")),
            ("xsts", gettext_lazy("XSTS, 1–5")),
        ),
    )
    scales: tuple[Scale, ...] = option(
        (),
        label=gettext_lazy("Your own scales"),
        hint=gettext_lazy(
            "Leave empty to use the scales chosen above. Otherwise write a line “Title: question” for each scale, "
            "then one line per point: a digit, a space, a label. The best point has the highest digit. {language} "
            "stands for the target language."
        ),
        has_lines=True,
    )
    judge_against: str = judge_against_option()
    fluency_first: bool = option(
        False,
        label=gettext_lazy("Ask for fluency before the source is shown"),
    )
    systems_per_screen: int = systems_per_screen_option()

    def __post_init__(self) -> None:
        """Text and JSON become scales; invalid values stay unchanged, for `errors` to report."""
        scales: Any = self.scales
        if scales in ((), "") and isinstance(self.preset, str):
            scales = PRESETS.get(self.preset, ())
        if not _problems(scales):
            object.__setattr__(self, "scales", scales_from(scales))

    def errors(self) -> dict[str, list[str]]:
        errors = super().errors()
        if problems := _problems(self.scales):
            errors["scales"] = problems
        elif not self.scales and "preset" not in errors:
            errors["scales"] = [_("Write at least one scale.")]
        elif self.fluency_first is True and not self._has_fluency_and_more():
            errors["fluency_first"] = [_("This needs a scale named fluency and at least one other scale.")]
        return errors

    def as_typed(self) -> dict[str, Any]:
        scales = "" if self.scales == scales_from(PRESETS[self.preset]) else "\n".join(map(str, self.scales))
        return super().as_typed() | {"scales": scales}

    def _has_fluency_and_more(self) -> bool:
        return len(self.scales) > 1 and any(scale.name == FLUENCY for scale in self.scales)


def _problems(value: object) -> list[str]:
    try:
        scales_from(value)
    except InvalidInput as invalid:
        return invalid.errors["scales"]
    return []


@dataclass(frozen=True)
class Likert(Protocol[LikertOptions]):
    """One point on each scale, for each translation shown."""

    name: ClassVar[str] = "likert"
    title: ClassVar = gettext_lazy("Adequacy and fluency")
    description: ClassVar = gettext_lazy(
        "Rate each translation on short labelled scales: adequacy and fluency, pSQM, XSTS, or others."
    )
    seconds_per_item: ClassVar[int] = 40
    options_class: ClassVar = LikertOptions
    expected_scatter: ClassVar = ExpectedScatter(0.25, of_scale=True)
    methods_sentence: ClassVar[str] = "Annotators gave each translation a point on ordered scales."

    @property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(
            Measure(scale.name, scale.title, _("points"), min(scale.values), max(scale.values), higher_is_better=True)
            for scale in self.options.scales
        )

    @property
    def decided_fields(self) -> tuple[str, ...]:
        return tuple(scale.name for scale in self.options.scales)

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        def check(values: Mapping[str, Any], _slot: ShownSlot, at: str, envelope: Envelope) -> dict[str, Any]:
            return {
                scale.name: _checked_point(values.get(scale.name), scale, f"{at}.{scale.name}", envelope)
                for scale in self.options.scales
            }

        return parse_slots(payload, item, [scale.name for scale in self.options.scales], check)

    def observe(self, answer: Answer, item: ShownItem) -> Observation:  # noqa: ARG002 - a point is a point
        return Observation(
            scores=tuple(
                SlotScore(label, scale.name, float(values[scale.name]))
                for label, values in sorted(answer.slots.items())
                for scale in self.options.scales
            )
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        return csv_columns(answer, lambda values: {scale.name: values[scale.name] for scale in self.options.scales})


def _checked_point(value: object, scale: Scale, at: str, envelope: Envelope) -> int:
    wrong = _("Choose one of %(known)s.") % {"known": ", ".join(str(point) for point, _label in scale.points)}
    return checked_whole(value, scale.values, at, envelope, missing=_("Not answered."), wrong=wrong)
