"""A campaign to be made, described once: form, API, command, job and archive have their fields from here.

A parameter of the plan is a field of `CampaignSpec`; its words and bounds are in its `Parameter`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.item_choice import ALL, METHODS, SELECTION_HINT, UNITS, WHOLES
from annotation.planning.options import PlanningOptions
from annotation.protocols.base import Protocol, Text, whole_number_error
from campaigns.models import Campaign, Planning, Withdrawal
from campaigns.queries import systems_of

NAME_LIMIT = 150
TEXT_LIMIT = 100_000
MOST_ITEMS = 1_000_000
USUAL_CHECKS = 5
# from a pool, small parts go out: whoever stops holds up little
ITEMS_PER_ASSIGNMENT = {Planning.STATIC.value: 100, Planning.POOL.value: 20}
DOCUMENTS_PER_ASSIGNMENT = {Planning.STATIC.value: 12, Planning.POOL.value: 3}  # where they are read as wholes

Kind = Literal["number", "share", "limit", "choice", "text"]
Place = Literal["form", "api", "command"]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A field of the spec as it is shown: `label` and `hint` are for the form, `help` for command and API.

    Numbers are from `low` to `high`, texts have at most `high` characters, a limit is a number or a share below 1.
    `is_of_plan`: it says who judges how much, and when. `control` is the kind of control items that it is about.
    `places` are where it can be set; `short` is its name there, where it is not the usual one.
    """

    kind: Kind
    label: Text
    hint: Text = ""
    help: str = ""
    low: int = 1
    high: int = 0
    choices: tuple[tuple[str, Text], ...] = ()
    control: str = ""
    is_of_plan: bool = True
    places: tuple[Place, ...] = ("form", "api", "command")
    short: str = ""
    name: str = ""
    default: Any = None

    @property
    def short_name(self) -> str:
        """In the form, where shares are percentages, and on the command line."""
        return self.short or self.name.removesuffix("_share")

    @property
    def has_column(self) -> bool:
        return any(each.name == self.name for each in Campaign._meta.concrete_fields)  # noqa: SLF001 - documented

    def error_in(self, value: Any) -> str:  # noqa: PLR0911 - one for each kind
        """What is wrong with a value; empty where it is valid."""
        if value is None and self.default is None:
            return ""
        match self.kind:
            case "number":
                return whole_number_error(value, low=self.low, high=self.high)
            case "share":
                fits = type(value) in (int, float) and 0 <= value <= 1
                return "" if fits else _("Enter a number from 0 to 1.")
            case "limit":
                return _limit_error(value)
            case "choice":
                return "" if value in self.names else _("Choose one of %(known)s.") % {"known": ", ".join(self.names)}
            case "text" if "\x00" in value:
                return _("The text contains an invalid character (NUL).")
            case "text":
                fits = len(value) <= self.high
                return "" if fits else _("A text has at most %(limit)d characters.") % {"limit": self.high}

    @property
    def names(self) -> list[str]:
        """Of the choices."""
        return [name for name, _label in self.choices]


def _limit_error(value: Any) -> str:
    fits = type(value) in (int, float) and 0 <= value <= MOST_ITEMS and (value < 1 or value == int(value))
    return "" if fits else _("Enter a whole number, or a share below 1.")


def _parameter(default: Any, kind: Kind, label: Text, **rest: Any) -> Any:
    return field(default=default, metadata={"parameter": Parameter(kind=kind, label=label, **rest)})


@dataclass(frozen=True, kw_only=True)
class CampaignSpec:
    """A campaign as it is requested. `systems` are names; None means all of the test set.

    Without `items_per_assignment` there are as many as suit protocol and planning. Without a seed one is drawn.
    """

    name: str
    protocol: str
    options: Mapping[str, Any] = field(default_factory=dict)
    systems: Collection[str] | None = None
    redundancy: int = _parameter(
        1, "number", gettext_lazy("Judgments per segment"), high=1_000, help="judgments of each output"
    )
    planning: str = _parameter(
        Planning.STATIC.value,
        "choice",
        gettext_lazy("How work is assigned"),
        choices=tuple(Planning.choices),
        hint=gettext_lazy(
            "Planned in advance: annotators keep a task until it is done. Shared pool: small tasks are handed out, "
            "least judged first; unfinished items return to the pool after the reservation time."
        ),
        help="static: an assignment stays with its annotator; pool: it is reserved for a time (default: static)",
    )
    items_per_assignment: int | None = _parameter(
        None,
        "number",
        gettext_lazy("Segments per task"),
        high=MOST_ITEMS,
        hint=gettext_lazy(
            "At most 100 by default, 20 from a shared pool, and so few that everybody gets a task. Comprehension "
            "counts documents: 12, or 3 from a shared pool."
        ),
        help="default: 100, of a pool 20",
    )
    reservation_minutes: int = _parameter(
        60,
        "number",
        gettext_lazy("Reservation time (minutes)"),
        high=30 * 24 * 60,
        hint=gettext_lazy("Only for a shared pool: after this time without a judgment, unfinished items go to others."),
        help="minutes without a judgment after which unfinished items return to the pool",
    )
    systems_per_segment: int | None = _parameter(
        None,
        "number",
        gettext_lazy("Systems per document"),
        high=1_000,
        hint=gettext_lazy("Leave empty to use all systems."),
        help="default: all",
    )
    allocation: str = _parameter(
        "none",
        "choice",
        gettext_lazy("Adaptive allocation"),
        choices=(
            ("none", gettext_lazy("Off")),
            ("best", gettext_lazy("Best system")),
            ("top", gettext_lazy("Best few")),
            ("ranking", gettext_lazy("Ranking")),
        ),
        hint=gettext_lazy(
            "Only for a shared pool. Systems that can no longer win are not shown any more. In real campaigns this "
            "saved about half of the judgments for the best system and a third for the best three; for a ranking it "
            "saves nothing."
        ),
        help="question for which systems are dropped while a pool is judged: none, best, top or ranking",
    )
    allocation_top: int = _parameter(
        3,
        "number",
        gettext_lazy("How many best systems"),
        high=1_000,
        hint=gettext_lazy("Only for finding the best few systems."),
        help="how many systems --allocation top looks for",
    )
    allocation_alpha: float = _parameter(
        0.05,
        "share",
        gettext_lazy("Risk of a wrong drop (%)"),
        hint=gettext_lazy("The probability that a system is dropped that should have won, over all looks together."),
        help="probability of a wrong drop over all looks, from 0 to 1",
    )
    allocation_first: int = _parameter(
        20,
        "number",
        gettext_lazy("First look after (documents)"),
        low=20,
        high=100_000,
        help="documents before the first decision; at least 20",
    )
    allocation_step: int = _parameter(
        5, "number", gettext_lazy("Then look every (documents)"), high=100_000, help="documents between two decisions"
    )
    selection: str = _parameter(
        ALL,
        "choice",
        gettext_lazy("Segments to judge"),
        choices=tuple(METHODS.items()),
        hint=SELECTION_HINT,
        help="which segments are judged: all, or what a metric, the outputs or chance choose for a budget",
    )
    selection_metric: str = _parameter(
        "", "text", gettext_lazy("Metric that chooses"), high=200, help="whose stored scores choose, such as chrf"
    )
    selection_budget: int | None = _parameter(
        None,
        "number",
        gettext_lazy("Budget of what is chosen"),
        high=100_000_000,
        help="how much is chosen, in the unit",
    )
    selection_unit: str = _parameter(
        "segments",
        "choice",
        gettext_lazy("Unit of the budget"),
        choices=tuple(UNITS.items()),
        help="segments, words of their sources, or seconds of work (default: segments)",
    )
    selection_of: str = _parameter(
        "documents",
        "choice",
        gettext_lazy("What is chosen"),
        choices=tuple(WHOLES.items()),
        hint=gettext_lazy("Single segments are shown without the other segments of their document."),
        help="documents or segments (default: documents)",
    )
    repeats_share: float = _parameter(
        0.0,
        "share",
        gettext_lazy("Repeated items (%)"),
        control="repeat",
        help="share of items asked twice, from 0 to 1",
    )
    degraded_share: float = _parameter(
        0.0,
        "share",
        gettext_lazy("Degraded items (%)"),
        control="degraded",
        help="share of degraded items, from 0 to 1",
    )
    attention_checks: int | None = _parameter(
        None,
        "number",
        gettext_lazy("Attention checks"),
        low=0,
        high=200,
        control="check",
        hint=gettext_lazy("5 by default, if you name systems for them. Each annotator gets each at most once."),
        help="screens in which words of one translation changed places; default: 5 where systems are named, else 0",
    )
    check_systems: str = _parameter(
        "",
        "text",
        gettext_lazy("Systems in attention checks"),
        high=2_000,
        control="check",
        hint=gettext_lazy(
            "At least two good ones, separated by commas: what is not rotated must deserve a higher score."
        ),
        help="names of good systems, separated by commas",
    )
    check_share: float = _parameter(
        0.2,
        "share",
        gettext_lazy("Attention check before a screen (%)"),
        control="check",
        short="check_share",
        hint=gettext_lazy("The probability, until an annotator has had all of them."),
        help="probability of a check before a screen, from 0 to 1",
    )
    check_kind: str = _parameter(
        "silent",
        "choice",
        gettext_lazy("After a failed attention check"),
        choices=(
            ("silent", gettext_lazy("Silent: the annotator is not told")),
            ("loud", gettext_lazy("Loud: the annotator is told, and must judge the screen again")),
        ),
        control="check",
        help="loud: who failed is told so and judges the screen again; silent: nobody is told (default: silent)",
    )
    check_threshold: float | None = _parameter(
        None,
        "limit",
        gettext_lazy("Failed attention checks allowed"),
        control="check",
        hint=gettext_lazy("A number, or a share below 1. Above it, the annotator is marked on the page Annotators."),
        help="most failed checks of an annotator: a number, or a share below 1; default: no limit",
    )
    guidelines: str = _parameter(
        "",
        "text",
        gettext_lazy("Guidelines"),
        high=TEXT_LIMIT,
        hint=gettext_lazy(
            "In Markdown. Leave empty to begin with Assay’s guidelines for this protocol; you can edit them later."
        ),
        help="Markdown",
        is_of_plan=False,
        places=("form", "api"),
    )
    consent: str = _parameter(
        "",
        "text",
        gettext_lazy("Consent"),
        high=TEXT_LIMIT,
        hint=gettext_lazy("In Markdown. Shown before the first item, below the list of what Assay records."),
        help="Markdown",
        is_of_plan=False,
        places=("form", "api"),
    )
    on_withdrawal: str = _parameter(
        Withdrawal.PSEUDONYMISED.value,
        "choice",
        gettext_lazy("Answers of annotators who withdraw their consent"),
        choices=tuple(Withdrawal.choices),
        hint=gettext_lazy("Annotators read this before they agree. It cannot be changed once somebody has agreed."),
        help="what happens to the answers of annotators who withdraw consent: kept under a number, or erased "
        "(default: pseudonymised)",
        is_of_plan=False,
    )
    project: str = _parameter(
        "", "text", gettext_lazy("Project"), high=60, help="label of campaigns that belong together", is_of_plan=False
    )
    seed: int | None = _parameter(
        None,
        "number",
        "",
        low=0,
        high=2**63 - 1,
        help="the same seed gives the same plan; default: random",
        is_of_plan=False,
        places=("command",),
    )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """From the names in the JSON; missing ones have their defaults, as in a job that an older version queued."""
        return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})

    def as_json(self) -> dict[str, Any]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**values, "systems": None if self.systems is None else list(self.systems)}

    @classmethod
    def of(cls, campaign: Campaign) -> Self:
        """By which the same campaign would be made again."""
        columns = {name: getattr(campaign, name) for name, each in PARAMETERS.items() if each.has_column}
        others = {name: value for name, value in campaign.plan_options.items() if name in PARAMETERS}
        about = {"name": campaign.name, "protocol": campaign.protocol, "options": campaign.options}
        systems = systems_of(campaign).order_by("name").values_list("name", flat=True)
        return cls(**about, systems=list(systems), **columns, **others)

    def columns(self) -> dict[str, Any]:
        """The parameters as the campaign's row has them."""
        values = {name: getattr(self, name) for name in PARAMETERS}
        others = {name: values.pop(name) for name, each in PARAMETERS.items() if not each.has_column}
        return {**values, "plan_options": others}

    @property
    def checks_wanted(self) -> int:
        """Naming systems for them is asking for some."""
        usual = USUAL_CHECKS if self.names_for_checks else 0
        return usual if self.attention_checks is None else self.attention_checks

    @property
    def names_for_checks(self) -> list[str]:
        return [name.strip() for name in self.check_systems.split(",") if name.strip()]

    def size_for(self, protocol: type[Protocol[Any]]) -> int:
        """Items per assignment: the number that suits the protocol unless one was entered."""
        usual = DOCUMENTS_PER_ASSIGNMENT if protocol.reads_once else ITEMS_PER_ASSIGNMENT
        return usual[self.planning] if self.items_per_assignment is None else self.items_per_assignment

    def planning_options(self, protocol: Protocol[Any], *, systems: int) -> PlanningOptions:
        """Planning's own names for the parameters; `systems` does not count source and reference."""
        own = {each.name: getattr(self, each.name) for each in fields(PlanningOptions) if each.name in PARAMETERS}
        return PlanningOptions(
            **own | {"items_per_assignment": self.size_for(type(protocol))},
            document_scores=protocol.asks_documents,
            slots_per_item=protocol.slots_among(self.systems_per_segment or systems),
            shuffle_slots=protocol.shuffles_slots,
            reads_once=protocol.reads_once,
            whole_documents=protocol.shows_whole_documents,
        )


PARAMETERS: Mapping[str, Parameter] = {
    each.name: replace(each.metadata["parameter"], name=each.name, default=each.default)
    for each in fields(CampaignSpec)
    if "parameter" in each.metadata
}


def parameters_in(place: Place, *, of_plan: bool | None = None) -> list[Parameter]:
    """Those that can be set there: all, those of the plan, or all others."""
    shown = (each for each in PARAMETERS.values() if place in each.places)
    return [each for each in shown if of_plan is None or each.is_of_plan == of_plan]
