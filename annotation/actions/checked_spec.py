"""A campaign that is requested, checked: everything that is wrong with it at once."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.check_settings import problems_of_allocation, problems_of_checks
from annotation.campaign_spec import MOST_ITEMS, NAME_LIMIT, PARAMETERS, CampaignSpec
from annotation.item_choice import ALL, BY_SCORES, NO_METRIC, ItemRequest, item_chooser
from annotation.planning.options import PlanningError, PlanningOptions, check_options
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from annotation.queries.suggestions import unfit_suggestions
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Campaign,
    Document,
    Question,
    Reference,
    Segment,
    StandsFor,
    System,
    TestSet,
    TestSetStatus,
)
from campaigns.queries import systems_of

RESERVED_SLUGS = {"new"}  # the address of the page that makes one
NO_CONTROLS: Mapping[str, Any] = {
    "repeat": gettext_lazy("%(protocol)s cannot use repeated items. Set their share to 0."),
    "degraded": gettext_lazy("%(protocol)s cannot use degraded items. Set their share to 0."),
    "check": gettext_lazy("%(protocol)s cannot use attention checks. Leave this out."),
}

Errors = dict[str, list[str]]


@dataclass(frozen=True)
class CheckedSpec:
    """A spec that fits its test set."""

    spec: CampaignSpec
    test_set: TestSet
    protocol: Protocol[Any]
    systems: tuple[System, ...]

    @property
    def planning_options(self) -> PlanningOptions:
        return self.spec.planning_options(self.protocol, systems=len(self.systems))

    @property
    def item_request(self) -> ItemRequest:
        return item_request(self.spec, self.test_set, self.protocol, [system.name for system in self.systems])

    def as_row(self) -> Campaign:
        """Options are stored with their defaults, so that a later default changes no campaign that exists."""
        return Campaign(
            name=self.spec.name,
            slug=slugify(self.spec.name),
            test_set=self.test_set,
            protocol=self.spec.protocol,
            options=asdict(self.protocol.options),
            **self.spec.columns() | {"items_per_assignment": self.spec.size_for(type(self.protocol))},
        )


def item_request(spec: CampaignSpec, test_set: TestSet, protocol: Protocol[Any], systems: Sequence[str]) -> ItemRequest:
    """Of a spec that does not judge all segments."""
    return ItemRequest(
        test_set=test_set,
        method=spec.selection,
        budget=spec.selection_budget or 0,
        unit=spec.selection_unit,
        whole=spec.selection_of,
        metric=spec.selection_metric.strip(),
        systems=tuple(systems),
        seconds_per_output=protocol.seconds_per_item,
        needs_questions=protocol.asks_questions,
        seed=spec.seed or 0,
    )


def check_spec(spec: CampaignSpec, test_set: TestSet) -> CheckedSpec:
    """Raises `InvalidInput` with everything that is wrong."""
    checking = _Checking(spec, test_set)
    if checking.errors or checking.protocol is None:
        raise InvalidInput(checking.errors)
    return CheckedSpec(checking.spec, test_set, checking.protocol, checking.systems)


def errors_of(spec: CampaignSpec, test_set: TestSet | None) -> Errors:
    """Everything that is wrong, by field. Without a test set, as far as it can be known before the texts are read."""
    return _Checking(spec, test_set).errors


def project_error(name: str) -> str:
    """What keeps a project's name from standing in the address of its page; empty where nothing does."""
    fits = "/" not in name and "\n" not in name and not name.startswith(".")
    return "" if fits else _("The name of a project has no slash and does not begin with a full stop.")


class _Checking:
    """Collects all errors, so that they are reported together."""

    def __init__(self, spec: CampaignSpec, test_set: TestSet | None) -> None:
        self.spec = replace(spec, name=spec.name.strip(), project=spec.project.strip())
        self.test_set = test_set
        self.errors: Errors = {}
        self._check_name()
        self.protocol = self._checked_protocol()
        self.systems = () if test_set is None else self._checked_systems(test_set)
        self._check_parameters()
        if message := project_error(self.spec.project):
            self.refuse("project", message)
        self._check_selection()
        if self.test_set is not None and self.protocol is not None and not self.errors:
            self._check_plan(self.test_set, self.protocol)

    def refuse(self, name: str, message: str) -> None:
        self.errors.setdefault(name, []).append(message)

    def _check_name(self) -> None:
        name, slug = self.spec.name, slugify(self.spec.name)
        if not name:
            self.refuse("name", _("A campaign needs a name."))
        elif "\x00" in name:
            self.refuse("name", _("The text contains an invalid character (NUL)."))
        elif len(name) > NAME_LIMIT:
            self.refuse("name", _("A name has at most %(limit)d characters.") % {"limit": NAME_LIMIT})
        elif not slug:
            self.refuse(
                "name",
                _("The name needs at least one Latin letter or digit, because the page address is made from it."),
            )
        elif slug in RESERVED_SLUGS:
            self.refuse("name", _("The address “%(slug)s” is reserved. Choose another name.") % {"slug": slug})
        elif message := name_taken(name, slug):
            self.refuse("name", message)

    def _checked_protocol(self) -> Protocol[Any] | None:
        if self.spec.protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            self.refuse("protocol", _("There is no such protocol. Known: %(known)s.") % {"known": known})
            return None
        try:
            protocol = protocol_for(self.spec.protocol, self.spec.options)
        except InvalidInput as invalid:
            self.errors |= {f"options.{name}": list(messages) for name, messages in invalid.errors.items()}
            return None
        for name, value in self.spec.options.items():
            if "\\x00" in repr(value):
                self.refuse(f"options.{name}", _("The text contains an invalid character (NUL)."))
        if self.test_set is not None and self.test_set.status == TestSetStatus.READY:
            self._check_texts(self.test_set, protocol)
        return protocol

    def _check_texts(self, test_set: TestSet, protocol: Protocol[Any]) -> None:
        segments = Segment.objects.filter(document__test_set=test_set)
        if protocol.asks_questions:
            segments = segments.filter(document__in=Question.objects.values("document"))
            if not segments.exists():
                self.refuse("test_set", _("No document has questions. Import them with the test set."))
        shows_source = protocol.shows_source or StandsFor.SOURCE in protocol.stand_ins
        shows_reference = protocol.shows_reference or StandsFor.REFERENCE in protocol.stand_ins
        choose = _("Choose another test set, or let annotators judge against something else.")
        bare = segments.filter(source=None).count() if shows_source else 0
        if bare:
            self.refuse("test_set", _("Segments without a source: %(count)d.") % {"count": bare} + f" {choose}")
        if protocol.offers_suggestions:
            self._check_suggestions(test_set, protocol)
        bare = segments.exclude(pk__in=Reference.objects.values("segment")).count() if shows_reference else 0
        if bare:
            self.refuse("test_set", _("Segments without a reference: %(count)d.") % {"count": bare} + f" {choose}")

    def _check_suggestions(self, test_set: TestSet, protocol: Protocol[Any]) -> None:
        unfit = unfit_suggestions(test_set, protocol)
        if unfit is None:
            self.refuse("options.suggestions", _("This test set suggests no errors. Leave the option off."))
        elif unfit:
            message = _(
                "Suggested errors that the other options do not allow: %(count)d. Offer their severities and, if "
                "needed, allow marking the source and missing content."
            )
            self.refuse("options.suggestions", message % {"count": unfit})

    def _checked_systems(self, test_set: TestSet) -> tuple[System, ...]:
        if test_set.status != TestSetStatus.READY:
            self.refuse("test_set", _("This test set is still being imported. Wait until it is ready."))
            return ()
        known = tuple(systems_of(test_set).order_by("name"))
        requested = self.spec.systems
        unknown = sorted(set(requested or ()) - {system.name for system in known})
        if unknown:
            self.refuse("systems", _("Not in this test set: %(names)s.") % {"names": ", ".join(unknown)})
        chosen = tuple(system for system in known if requested is None or system.name in requested)
        if not chosen:
            self.refuse("systems", _("Choose at least one system."))
        return chosen

    def _check_parameters(self) -> None:
        for name, parameter in PARAMETERS.items():
            value, control = getattr(self.spec, name), parameter.control
            if message := parameter.error_in(value):
                self.refuse(name, message)
            elif (
                control
                and value != parameter.default
                and self.protocol is not None
                and control not in self.protocol.control_kinds
            ):
                self.refuse(name, str(NO_CONTROLS[control]) % {"protocol": self.protocol.title})
        for name, message in problems_of_checks(self.spec, self.systems):
            self.refuse(name, message)
        if not any(name.startswith("allocation") for name in self.errors):
            for name, message in problems_of_allocation(self.spec, self.protocol, self.systems):
                self.refuse(name, message)
        available = len(self.systems) + len(self.protocol.stand_ins if self.protocol else ())
        requested = self.spec.systems_per_segment
        is_valid = "systems_per_segment" not in self.errors
        if self.systems and is_valid and requested is not None and requested > available:
            message = ngettext(
                "There is %(count)d system: enter 1, or leave this empty.",
                "There are %(count)d systems: enter 1 to %(count)d, or leave this empty.",
                available,
            )
            self.refuse("systems_per_segment", message % {"count": available})

    def _check_selection(self) -> None:
        """A metric and a budget are refused by name where they are missing, and where the test set has no scores."""
        spec, protocol = self.spec, self.protocol
        if spec.selection == ALL or "selection" in self.errors:
            return
        if spec.selection_budget is None:
            self.refuse("selection_budget", _("Enter how much is to be judged, or let all segments be judged."))
        if spec.selection in BY_SCORES and not spec.selection_metric.strip():
            self.refuse("selection_metric", str(NO_METRIC))
        is_whole = protocol is not None and (protocol.reads_once or protocol.shows_whole_documents)
        if is_whole and protocol is not None and spec.selection_of != "documents":
            message = _("%(protocol)s shows whole documents. Choose whole documents.")
            self.refuse("selection_of", message % {"protocol": protocol.title})
        if self.test_set is not None and protocol is not None and self.systems and not self.errors:
            request = item_request(spec, self.test_set, protocol, [system.name for system in self.systems])
            for name, message in item_chooser().problems(request).items():
                self.refuse(name, message)

    def _check_plan(self, test_set: TestSet, protocol: Protocol[Any]) -> None:
        spec, texts = self.spec, len(self.systems) + len(protocol.stand_ins)
        per_round = 0 if protocol.reads_once else Segment.objects.filter(document__test_set=test_set).count()
        if spec.selection != ALL and spec.selection_unit == "segments":
            per_round = min(per_round, spec.selection_budget or 0)
        if protocol.asks_documents or protocol.reads_once:
            per_round += Document.objects.filter(test_set=test_set).count()
        shares = 1 + spec.repeats_share + spec.degraded_share
        items = round(per_round * (spec.systems_per_segment or texts) * spec.redundancy * shares)
        if items > MOST_ITEMS:
            message = _(
                "This plan needs about %(items)d judgments; at most %(limit)d are allowed. Use fewer systems per "
                "segment, or divide the work among several campaigns."
            )
            self.refuse("plan", message % {"items": items, "limit": MOST_ITEMS})
        try:
            check_options(spec.planning_options(protocol, systems=len(self.systems)), texts)
        except PlanningError as error:
            self.refuse("plan", str(error))


def name_taken(name: str, slug: str) -> str:
    """Why a campaign cannot be called so; empty where it can."""
    taken = Campaign.objects.filter(Q(slug=slug) | Q(name=name)).values_list("name", flat=True).first()
    if taken is None:
        return ""
    if taken == name:
        return _("A campaign with this name exists already. Choose another name.")
    return _("The campaign “%(name)s” would have the same address. Choose another name.") % {"name": taken}
