"""What a protocol is: the way of judging, as data and three pure methods.

A protocol sees what the annotator saw (`ShownItem`: texts under opaque labels, no system names) and what came back
(a JSON payload). It touches no request, no row and no template. See `docs/protocols.md` and the checklist in
`CONTRIBUTING.md`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar, cast

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.invalid_input import InvalidInput

Text = str | Promise

COMMENT_LIMIT = 5_000

CANNOT_JUDGE_REASONS: Mapping[str, Text] = {
    "wrong_language": gettext_lazy("The translation is in another language"),
    "source_unclear": gettext_lazy("The source cannot be understood"),
    "broken_text": gettext_lazy("The text is broken or missing"),
    "not_competent": gettext_lazy("I do not know the subject well enough"),
    "other": gettext_lazy("Another reason (explain in the comment)"),
}


@dataclass(frozen=True)
class Measure:
    """One number a protocol stores for a translation, in natural units.

    `high` may be infinite (a penalty has no upper end). `level` is the kind of item that yields it. A number that
    `is_relative` tells only about what was shown on the same screen: it is compared within a judgment, and neither
    averaged over judgments nor normalised. One that `is_count` tells what was asked or done, and nobody's judgment. One
    that is not `is_compared` says nothing of a system by itself (how much was asked), and ranks none.
    """

    name: str
    title: Text
    unit: Text
    low: float
    high: float
    higher_is_better: bool
    level: str = "segment"
    is_relative: bool = False
    is_count: bool = False
    is_compared: bool = True


CONTROL_KINDS = frozenset({"repeat", "degraded"})


KEPT, CHANGED, DELETED = OUTCOMES = ("kept", "changed", "deleted")  # what becomes of a suggestion


@dataclass(frozen=True)
class MarkedSpan:
    """A marked error, or one to start from: half-open, in code points of the text shown; an empty one is an omission.

    `suggestion` counts from 1 within the slot: the number of what is suggested, and of what began as a suggestion.
    """

    slot: str
    side: str
    start: int
    end: int
    category: str
    severity: str
    note: str = ""
    suggestion: int | None = None


@dataclass(frozen=True)
class ShownSlot:
    """`text` is None where it is unknown, and where the document's segments are shown above its question.

    `columns`, from 1, are those it fills beside others: several where systems have the same output. By default the one
    of its label. `alignment`: which of its tokens correspond to which of the source (`0-0 1-2`); None where unknown.
    """

    label: str
    text: str | None
    suggested: tuple[MarkedSpan, ...] = ()
    columns: tuple[int, ...] = ()
    alignment: str | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            object.__setattr__(self, "columns", (column_of(self.label),))


def column_of(label: str) -> int:
    """The place of a label: 1 for A; 1, too, for what is no letter."""
    return ord(label) - ord("A") + 1 if len(label) == 1 and "A" <= label <= "Z" else 1


@dataclass(frozen=True)
class ShownQuestion:
    """A question about the document. Without `choices` the answer is typed; `accepted` are the right ones.

    Annotators never see these: on their pages there are none.
    """

    name: str
    text: str
    choices: tuple[str, ...]
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownItem:
    """What the annotator was shown: `level` is "segment" or "document"; a text that was hidden is None."""

    level: str
    source: str | None
    reference: str | None
    slots: tuple[ShownSlot, ...]
    questions: tuple[ShownQuestion, ...] = ()

    @property
    def suggested(self) -> list[MarkedSpan]:
        return [span for slot in self.slots for span in slot.suggested]


@dataclass(frozen=True)
class Answer:
    """A valid answer: the cleaned values of each slot, or the reason why the item was not judged."""

    slots: Mapping[str, Mapping[str, Any]]
    comment: str = ""
    cannot_judge: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "slots": {label: dict(values) for label, values in self.slots.items()},
            "comment": self.comment,
            "cannot_judge": self.cannot_judge,
        }


@dataclass(frozen=True)
class SlotScore:
    slot: str
    measure: str
    value: float


@dataclass(frozen=True)
class Preference:
    """Of two slots: `outcome` is 1 when `first` is better, -1 when `second` is, 0 for a tie."""

    first: str
    second: str
    outcome: int


@dataclass(frozen=True)
class Observation:
    """The numbers, preferences and errors in an answer; empty where it has none."""

    scores: tuple[SlotScore, ...] = ()
    preferences: tuple[Preference, ...] = ()
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True)
class ProtocolOptions:
    """Base of every protocol's options: frozen dataclasses whose fields, made by `option`, say what fits them."""

    def errors(self) -> dict[str, list[str]]:
        """Errors by option; a subclass adds those that the declaration of a field cannot express."""
        checked = ((each.name, _option_error(getattr(self, each.name), each)) for each in fields(self))
        return {name: [message] for name, message in checked if message}

    def as_typed(self) -> dict[str, Any]:
        """The options as a person would enter them again; texts instead of the objects read from them."""
        return {option.name: getattr(self, option.name) for option in fields(self)}


OptionsT = TypeVar("OptionsT", bound=ProtocolOptions)


@dataclass(frozen=True)
class ExpectedScatter:
    """How single judgments are expected to scatter before there are any: what a plan is good for rests on it.

    `deviation` is in the unit of the measure that systems are compared by, or in lengths of its scale where `of_scale`.
    What `is_share` is told in percent. `by_document`: a judgment is of a whole document.
    """

    deviation: float
    is_share: bool = False
    of_scale: bool = False
    by_document: bool = False


def option(
    default: Any,
    *,
    label: Text,
    hint: Text = "",
    choices: tuple[tuple[str, Text], ...] = (),
    has_lines: bool = False,
    has_own: Text = "",
    takes_several: bool = False,
    high: int = 0,
    check: Callable[[object], str] | None = None,
) -> Any:
    """A field of a protocol's options, with the words a form shows for it and what fits it.

    What `has_lines` is written as a text of several lines, which the options make their own of. Beside choices,
    `has_own` names a text, or a file, that can be given in place of them; of choices that `takes_several`, any number.
    Numbers without choices are from 0 to `high`. `check` says what is wrong with a value that is no plain one.
    """
    words = {"label": label, "hint": hint, "choices": choices}
    kind = {"has_lines": has_lines, "has_own": has_own, "takes_several": takes_several}
    return field(default=default, metadata={**words, **kind, "high": high, "check": check})


def whole_number_error(value: object, *, low: int, high: int) -> str:
    if type(value) is int and low <= value <= high:
        return ""
    return _("Write a whole number from %(low)d to %(high)d.") % {"low": low, "high": high}


def _option_error(value: object, declared: Field[Any]) -> str:
    """By the type of the default and the choices; empty where the value fits."""
    kind, choices = declared.metadata, [name for name, _label in declared.metadata["choices"]]
    if kind["check"]:
        return str(kind["check"](value))
    if isinstance(declared.default, bool):
        return "" if isinstance(value, bool) else _("This must be true or false.")
    if isinstance(declared.default, int):
        low, high = (int(choices[0]), int(choices[-1])) if choices else (0, kind["high"])
        return whole_number_error(value, low=low, high=high)
    if kind["has_lines"] or kind["has_own"] or kind["takes_several"]:
        return ""
    if choices:
        return "" if value in choices else _("Choose one of %(known)s.") % {"known": ", ".join(choices)}
    return "" if isinstance(value, str) else _("This must be text.")


@dataclass(frozen=True)
class Protocol(ABC, Generic[OptionsT]):
    """A way of judging, made from a campaign's options.

    Class data: `name` (as stored), `title` and `description` (for people), `options_class`, `seconds_per_item` (for
    planning), `control_kinds` (the control items that can be planted: none where a text must not be met twice),
    `text_field` (the field of a slot's answer that holds a text of the annotator's own, where there is one),
    `reads_once` (a document is asked about as a whole, and nobody meets it twice, in whatever text), `asks_questions`
    (it is the test set's questions that are asked: documents without any are left out), `shows_whole_documents` (a
    screen is a whole document: all its rows are judged, and submitted together, in one order of columns).
    For what is made of its numbers: `recipe` (of metrics/recipes.py) and `is_normalised` (whether scores become z by
    annotator); `derived_measures` (of metrics/derivations.py: numbers that follow from answers by a formula) and
    `compared_by` (the one of them that systems are compared by, where it is none of `measures`); `expected_scatter`
    (None: a new campaign is not told what its plan can tell apart); `methods_sentence` (in English, what annotators
    did, for the methods paragraph; sources as `{key}` of metrics/methods/sources.py).
    Behaviour: `measures`, `parse_answer`, `observe`, `csv_row`; all pure. Options called `judge_against` and
    `systems_per_screen` (shared_options.py) have the same effect in every protocol.
    """

    options: OptionsT
    name: ClassVar[str]
    title: ClassVar[Text]
    description: ClassVar[Text]
    seconds_per_item: ClassVar[int]
    options_class: ClassVar[type[ProtocolOptions]]
    control_kinds: ClassVar[frozenset[str]] = CONTROL_KINDS
    text_field: ClassVar[str] = ""
    reads_once: ClassVar[bool] = False
    asks_questions: ClassVar[bool] = False
    shows_whole_documents: ClassVar[bool] = False
    recipe: ClassVar[str] = "assay"
    is_normalised: ClassVar[bool] = False
    derived_measures: ClassVar[tuple[str, ...]] = ()
    compared_by: ClassVar[str] = ""
    expected_scatter: ClassVar[ExpectedScatter | None] = None
    methods_sentence: ClassVar[str] = ""

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """The numbers this protocol stores, in the order pages and files show them."""

    @abstractmethod
    def parse_answer(self, payload: object, item: ShownItem) -> Answer:
        """The answer as entered, checked against what was shown.

        Returns an `Answer` whose `slots` hold exactly the item's labels (none when `cannot_judge` is given).
        Raises `InvalidInput` with one list of messages per field for anything else, however malformed.
        """

    @abstractmethod
    def observe(self, answer: Answer, item: ShownItem) -> Observation:
        """The numbers, preferences and spans that follow from a valid answer; empty for `cannot_judge`."""

    @abstractmethod
    def csv_row(self, answer: Answer) -> dict[str, str | int | float | None]:
        """The answer as flat scalars, in a fixed order of columns."""

    @property
    def decided_fields(self) -> tuple[str, ...]:
        """What of a slot's answer an adjudicator gives: `spans`, the `text_field`, and else numbers.

        None where a translation is not judged by itself.
        """
        return ()

    @property
    def category_titles(self) -> Mapping[str, str]:
        """The categories of errors by path, as their typology words them: "Accuracy/Mistranslation"."""
        return {}

    @property
    def tag_names(self) -> frozenset[str]:
        """Categories of errors that have no place in the text; see `tags.tagged_in`."""
        return frozenset()

    @property
    def asks_documents(self) -> bool:
        """Whether each document has an item of its own after its segments."""
        return False

    @property
    def shows_source(self) -> bool:
        """Whether the source is shown beside the translation; a hidden text never leaves the server."""
        return getattr(self.options, "judge_against", "source") != "reference"

    @property
    def shows_reference(self) -> bool:
        return getattr(self.options, "judge_against", "source") != "source"

    @property
    def offers_suggestions(self) -> bool:
        """Whether annotators start from the error spans that came with the test set."""
        return False

    def takes(self, span: MarkedSpan) -> bool:  # noqa: ARG002 - what is suggested is for those who mark spans
        """Whether an answer could contain this suggestion unchanged."""
        return False

    @property
    def slots_per_item(self) -> int:
        """The largest number of translations side by side."""
        return int(getattr(self.options, "systems_per_screen", 1))

    @property
    def shuffles_slots(self) -> bool:
        """Whether each item shows its translations in a new order, instead of one order for the whole document."""
        return False

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Texts that are read like a system's translation: "source", "reference"."""
        return ()

    def slots_among(self, systems: int) -> int:
        """The number of translations on a screen cannot exceed the number of systems."""
        fewest = 1 if self.shows_whole_documents else 2  # nothing is compared with nothing
        return min(self.slots_per_item, max(systems, fewest)) if self.slots_per_item > 1 else 1

    @classmethod
    def with_options(cls, raw: Mapping[str, Any]) -> "Protocol[Any]":
        """The protocol as a campaign configures it; raises `InvalidInput` naming every option that is wrong."""
        known = {option.name for option in fields(cls.options_class)}
        unknown = {
            name: [_("Unknown option. Allowed: %(known)s.") % {"known": ", ".join(sorted(known)) or "-"}]
            for name in raw
            if name not in known
        }
        if unknown:
            raise InvalidInput(unknown)
        options = cls.options_class(**{name: _frozen(value) for name, value in raw.items()})
        errors = options.errors()
        if errors:
            raise InvalidInput(errors)
        return cls(cast("OptionsT", options))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    return value
