"""MQM: errors marked in the text, with category and severity (Lommel et al. 2014; Freitag et al. 2021)."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols.answer_checks import csv_columns, parse_slots
from annotation.protocols.base import (
    Answer,
    ExpectedScatter,
    Measure,
    Observation,
    Protocol,
    ProtocolOptions,
    ShownItem,
    option,
)
from annotation.protocols.shared_options import systems_per_screen_option
from annotation.protocols.spans import (
    MOST_SPANS,
    MOST_SYSTEMS_PER_SCREEN,
    SpanRules,
    checked_spans,
    in_rising_order,
    marked_in,
    severities_error,
    severities_option,
)
from annotation.taxonomies.typology import SEVERITIES, TYPOLOGIES, Typology, typology_from, typology_named
from campaigns.invalid_input import InvalidInput


@dataclass(frozen=True)
class MqmOptions(ProtocolOptions):
    """`typology` is a name or JSON; stored options contain all of it, so that later versions change no campaign."""

    typology: Typology = option(  # noqa: RUF009 - a field, of what is never changed
        "wmt2021",
        label=gettext_lazy("Error typology"),
        choices=tuple(TYPOLOGIES.items()),
        has_own=gettext_lazy("Your own typology (JSON)"),
    )
    severities: tuple[str, ...] = severities_option((), hint=gettext_lazy("Choose none to use those of the typology."))
    mark_source: bool = option(
        True,
        label=gettext_lazy("Allow marking errors in the source"),
        hint=gettext_lazy("If this is off, categories that apply only to the source are not offered."),
    )
    most_errors: int = option(
        5,
        label=gettext_lazy("Maximum errors per translation"),
        hint=gettext_lazy("0 means no limit."),
        high=MOST_SPANS,
    )
    systems_per_screen: int = systems_per_screen_option(most=MOST_SYSTEMS_PER_SCREEN)

    def __post_init__(self) -> None:
        """A name and JSON become a typology; invalid values stay unchanged, for `errors` to report."""
        typology, _problems = _typology(self.typology)
        if typology is not None:
            if self.mark_source is False:
                typology = typology.without_side("source")
            object.__setattr__(self, "typology", typology)
            if not severities_error(self.severities):
                severities = in_rising_order(self.severities) or typology.severities
                object.__setattr__(self, "severities", severities)

    def errors(self) -> dict[str, list[str]]:
        errors = super().errors()
        typology, problems = _typology(self.typology)
        if problems:
            errors["typology"] = problems
        if typology and "severities" not in errors and (missing := self._severities_missing(typology)):
            errors["severities"] = missing
        return errors

    def as_typed(self) -> dict[str, Any]:
        return super().as_typed() | {"typology": self._typology_name() or json.dumps(asdict(self.typology), indent=2)}

    def _typology_name(self) -> str:
        """Of the typology as it comes with Assay; "" where it is the organiser's own."""
        for name in TYPOLOGIES:
            known = typology_named(name)
            if self.typology in (known, known.without_side("source")):
                return name
        return ""

    def _severities_missing(self, typology: Typology) -> list[str]:
        message = _("“%(category)s” is always %(severity)s, which is not among the severities.")
        return [
            message % {"category": category.title, "severity": category.severity}
            for category in typology.by_path().values()
            if category.severity and category.severity not in self.severities
        ]


def _typology(value: object) -> tuple[Typology | None, list[str]]:
    """The typology, or its errors."""
    try:
        if isinstance(value, str):
            return (typology_named(value) if value in TYPOLOGIES else typology_from(_from_json(value))), []
        return typology_from(value), []
    except InvalidInput as invalid:
        return None, invalid.errors["typology"]


def _from_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        if text.lstrip().startswith(("{", "[")):
            raise InvalidInput.of(
                "typology", _("This is not valid JSON: %(reason)s.") % {"reason": str(error)}
            ) from error
        message = _("Choose one of %(known)s, or give a typology as JSON.") % {"known": ", ".join(TYPOLOGIES)}
        raise InvalidInput.of("typology", message) from error
    except RecursionError as error:
        raise InvalidInput.of("typology", _("This is nested too deeply.")) from error


@dataclass(frozen=True)
class Mqm(Protocol[MqmOptions]):
    """A list of error spans for each translation; an empty one says that there are no errors.

    The penalty is not stored: it follows from the spans by weights that may change and is derived in `metrics`.
    """

    name: ClassVar[str] = "mqm"
    title: ClassVar = gettext_lazy("MQM")
    description: ClassVar = gettext_lazy("Mark errors in the text, each with a category and a severity.")
    seconds_per_item: ClassVar[int] = 120
    options_class: ClassVar = MqmOptions
    recipe: ClassVar[str] = "mqm"
    derived_measures: ClassVar = ("penalty",)
    compared_by: ClassVar[str] = "penalty"
    # by 2.7 points (TED talks, 2021) and 9 (WMT23, three annotators) under the weights of WMT 2021
    expected_scatter: ClassVar = ExpectedScatter(5.0)
    methods_sentence: ClassVar[str] = (
        "Annotators marked errors in each translation with a category and a severity (MQM; {lommel-2014-mqm})."
    )

    @property
    def measures(self) -> tuple[Measure, ...]:
        return ()

    @property
    def decided_fields(self) -> tuple[str, ...]:
        return ("spans",)

    @cached_property
    def rules(self) -> SpanRules:
        options = self.options
        return SpanRules(
            severities=options.severities,
            categories=options.typology.by_path(),
            mark_source=options.mark_source,
            most_errors=options.most_errors,
        )

    @cached_property
    def category_titles(self) -> Mapping[str, str]:
        return self.options.typology.titles()

    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        return parse_slots(
            payload,
            item,
            ("spans",),
            lambda values, slot, _at, envelope: {
                "spans": checked_spans(values.get("spans"), slot, item, self.rules, envelope)
            },
        )

    def observe(self, answer: Answer, item: ShownItem) -> Observation:  # noqa: ARG002 - spans are what they are
        return Observation(
            spans=tuple(
                span for label, values in sorted(answer.slots.items()) for span in marked_in(label, values["spans"])
            )
        )

    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        def columns(values: Mapping[str, Any]) -> dict[str, int]:
            marked = [span["severity"] for span in values["spans"]]
            return {severity: marked.count(severity) for severity in SEVERITIES}

        return csv_columns(answer, columns)
