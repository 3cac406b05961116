"""What an organiser asks of a new campaign, checked: everything that is wrong with it at once."""

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.actions.plan_options import plan_options
from annotation.planning import PlanningOptions
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from annotation.queries.suggestions import unfit_suggestions
from campaigns.invalid_input import InvalidInput
from campaigns.models import (
    Campaign,
    Document,
    Planning,
    Question,
    Reference,
    Segment,
    StandsFor,
    System,
    TestSet,
    TestSetStatus,
    Withdrawal,
)
from campaigns.queries import systems_of

NAME_LIMIT = 150
TEXT_LIMIT = 1_000_000
MOST_JUDGMENTS_EACH = 1_000
MOST_ITEMS = 1_000_000
MOST_SEED = 2**63 - 1
MOST_RESERVED_MINUTES = 30 * 24 * 60
# from a pool, small parts go out: whoever stops holds up little
ITEMS_PER_ASSIGNMENT = {Planning.STATIC.value: 100, Planning.POOL.value: 20}
DOCUMENTS_PER_ASSIGNMENT = {Planning.STATIC.value: 12, Planning.POOL.value: 3}  # where they are read as wholes
RESERVED_SLUGS = {"new"}  # the address of the page that makes one
CONTROL_KINDS = {"repeats_share": "repeat", "degraded_share": "degraded"}
NO_CONTROLS = {
    "repeat": gettext_lazy("%(protocol)s asks nobody the same twice: leave repeated items out."),
    "degraded": gettext_lazy("%(protocol)s knows no damaged items: leave them out."),
}


@dataclass(frozen=True)
class Wish:
    """A campaign as it is asked for; `systems` None means all of the test set, no size one that suits the planning."""

    name: str
    test_set: TestSet
    protocol: str
    options: Mapping[str, Any]
    systems: Collection[System] | None
    redundancy: int
    items_per_assignment: int | None
    planning: str
    reservation_minutes: int
    systems_per_segment: int | None
    repeats_share: float
    degraded_share: float
    seed: int
    guidelines: str
    consent: str
    on_withdrawal: str = Withdrawal.PSEUDONYMISED


@dataclass(frozen=True)
class Proposal:
    """A wish that can be planned."""

    wish: Wish
    slug: str
    protocol: Protocol[Any]
    systems: tuple[System, ...]

    @property
    def items_per_assignment(self) -> int:
        asked = self.wish.items_per_assignment
        return usual_size(type(self.protocol), self.wish.planning) if asked is None else asked

    @property
    def planning_options(self) -> PlanningOptions:
        row, redundancy = self.as_row(), self.wish.redundancy
        return plan_options(row, self.protocol, systems=len(self.systems), redundancy=redundancy)

    def as_row(self) -> Campaign:
        """Options are stored with their defaults, so that a later default changes no campaign that exists."""
        wish = self.wish
        return Campaign(
            name=wish.name,
            slug=self.slug,
            test_set=wish.test_set,
            protocol=self.protocol.name,
            options=asdict(self.protocol.options),
            guidelines=wish.guidelines,
            consent=wish.consent,
            on_withdrawal=wish.on_withdrawal,
            redundancy=wish.redundancy,
            planning=wish.planning,
            items_per_assignment=self.items_per_assignment,
            reservation_minutes=wish.reservation_minutes,
            systems_per_segment=wish.systems_per_segment,
            repeats_share=wish.repeats_share,
            degraded_share=wish.degraded_share,
            seed=wish.seed,
        )


def usual_size(protocol: type[Protocol[Any]], planning: str) -> int:
    """What is asked in an assignment where nobody said how much."""
    return (DOCUMENTS_PER_ASSIGNMENT if protocol.reads_once else ITEMS_PER_ASSIGNMENT)[planning]


def check_wish(wish: Wish) -> Proposal:
    """Raises `InvalidInput` with all that is wrong."""
    checking = _Checking(wish)
    slug = checking.slug()
    checking.texts()
    protocol = checking.protocol()
    systems = checking.systems()
    checking.sums(systems, protocol)
    if checking.errors or protocol is None:
        raise InvalidInput(checking.errors)
    return Proposal(wish, slug, protocol, systems)


class _Checking:
    """Gathers what is wrong, so that nobody has to ask twice."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.errors: dict[str, list[str]] = {}
        self.is_ready = wish.test_set.status == TestSetStatus.READY

    def refuse(self, name: str, message: str) -> None:
        self.errors.setdefault(name, []).append(message)

    def slug(self) -> str:
        name, slug = self.wish.name, slugify(self.wish.name)
        if not name:
            self.refuse("name", _("A campaign needs a name."))
        elif len(name) > NAME_LIMIT:
            self.refuse("name", _("A name has at most %(limit)d characters.") % {"limit": NAME_LIMIT})
        elif not slug:
            self.refuse("name", _("Use at least one Latin letter or digit: the address is made of the name."))
        elif slug in RESERVED_SLUGS:
            self.refuse("name", _("The address “%(slug)s” belongs to a page. Choose another name.") % {"slug": slug})
        return slug

    def texts(self) -> None:
        wish = self.wish
        for name, text in (("name", wish.name), ("guidelines", wish.guidelines), ("consent", wish.consent)):
            if "\x00" in text:
                self.refuse(name, _("A text cannot hold the character NUL."))
            if len(text) > TEXT_LIMIT:
                self.refuse(name, _("A text has at most %(limit)d characters.") % {"limit": TEXT_LIMIT})

    def protocol(self) -> Protocol[Any] | None:
        if self.wish.protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            self.refuse("protocol", _("There is no such protocol. Known: %(known)s.") % {"known": known})
            return None
        try:
            protocol = protocol_for(self.wish.protocol, self.wish.options)
        except InvalidInput as invalid:
            self.errors |= {f"options.{name}": list(messages) for name, messages in invalid.errors.items()}
            return None
        for name, value in self.wish.options.items():
            if "\\x00" in repr(value):
                self.refuse(f"options.{name}", _("A text cannot hold the character NUL."))
        if self.is_ready:
            self._what_is_shown(protocol)
        return protocol

    def _what_is_shown(self, protocol: Protocol[Any]) -> None:
        segments = Segment.objects.filter(document__test_set=self.wish.test_set)
        if protocol.asks_questions:
            segments = segments.filter(document__in=Question.objects.values("document"))
            if not segments.exists():
                self.refuse(
                    "test_set", _("Nothing is asked: no document has questions. Import them with the test set.")
                )
        shows_source = protocol.shows_source or StandsFor.SOURCE in protocol.stand_ins
        shows_reference = protocol.shows_reference or StandsFor.REFERENCE in protocol.stand_ins
        choose = _("Choose another test set, or let annotators judge against something else.")
        bare = segments.filter(source=None).count() if shows_source else 0
        if bare:
            self.refuse("test_set", _("Segments without a source: %(count)d.") % {"count": bare} + f" {choose}")
        self._suggestions(protocol)
        bare = segments.exclude(pk__in=Reference.objects.values("segment")).count() if shows_reference else 0
        if bare:
            self.refuse("test_set", _("Segments without a reference: %(count)d.") % {"count": bare} + f" {choose}")

    def _suggestions(self, protocol: Protocol[Any]) -> None:
        if not protocol.offers_suggestions:
            return
        unfit = unfit_suggestions(self.wish.test_set, protocol)
        if unfit is None:
            self.refuse("options.suggestions", _("This test set suggests no errors. Leave the option off."))
        elif unfit:
            message = _(
                "Suggested errors that the other options do not allow: %(count)d. Offer their severities, and let the "
                "source and missing content be marked if they are."
            )
            self.refuse("options.suggestions", message % {"count": unfit})

    def systems(self) -> tuple[System, ...]:
        if not self.is_ready:
            self.refuse("test_set", _("This test set is still being imported. Wait until it is ready."))
            return ()
        asked = self.wish.systems
        strangers = [system.name for system in asked or () if system.test_set_id != self.wish.test_set.pk]
        if strangers:
            self.refuse("systems", _("Not in this test set: %(names)s.") % {"names": ", ".join(strangers)})
        known = systems_of(self.wish.test_set).order_by("name")
        chosen = tuple(system for system in known if asked is None or system in asked)
        if not chosen:
            self.refuse("systems", _("Choose at least one system."))
        return chosen

    def sums(self, systems: Collection[System], protocol: Protocol[Any] | None) -> None:
        wish = self.wish
        if wish.planning not in ITEMS_PER_ASSIGNMENT:
            known = ", ".join(ITEMS_PER_ASSIGNMENT)
            self.refuse("planning", _("There is no such planning. Known: %(known)s.") % {"known": known})
        if wish.on_withdrawal not in Withdrawal.values:
            known = ", ".join(Withdrawal.values)
            self.refuse("on_withdrawal", _("Choose one of %(known)s.") % {"known": known})
        self._number("redundancy", wish.redundancy, low=1, high=MOST_JUDGMENTS_EACH)
        if wish.items_per_assignment is not None:
            self._number("items_per_assignment", wish.items_per_assignment, low=1, high=MOST_ITEMS)
        self._number("reservation_minutes", wish.reservation_minutes, low=1, high=MOST_RESERVED_MINUTES)
        self._number("seed", wish.seed, low=0, high=MOST_SEED)
        for name, share in (("repeats_share", wish.repeats_share), ("degraded_share", wish.degraded_share)):
            if not (_is_number(share) and math.isfinite(share) and 0 <= share <= 1):
                self.refuse(name, _("A share is a number from 0 to 1."))
            elif share and protocol is not None and CONTROL_KINDS[name] not in protocol.control_kinds:
                self.refuse(name, str(NO_CONTROLS[CONTROL_KINDS[name]]) % {"protocol": protocol.title})
        texts = len(systems) + len(protocol.stand_ins if protocol else ())
        if wish.systems_per_segment is not None and systems:
            self._systems_per_segment(wish.systems_per_segment, texts)
        if not self.errors and protocol is not None:
            self._size(texts, protocol)

    def _number(self, name: str, value: int, *, low: int, high: int) -> None:
        if not _is_whole(value) or not low <= value <= high:
            self.refuse(name, _("Write a whole number from %(low)d to %(high)d.") % {"low": low, "high": high})

    def _systems_per_segment(self, asked: int, available: int) -> None:
        if not _is_whole(asked) or not 1 <= asked <= available:
            message = ngettext(
                "There is %(count)d system: ask for 1 a segment, or leave this empty.",
                "There are %(count)d systems: ask for 1 to %(count)d a segment, or leave this empty.",
                available,
            )
            self.refuse("systems_per_segment", message % {"count": available})

    def _size(self, systems: int, protocol: Protocol[Any]) -> None:
        wish = self.wish
        asked = 0 if protocol.reads_once else Segment.objects.filter(document__test_set=wish.test_set).count()
        if protocol.asks_documents or protocol.reads_once:
            asked += Document.objects.filter(test_set=wish.test_set).count()
        shares = 1 + wish.repeats_share + wish.degraded_share
        items = round(asked * (wish.systems_per_segment or systems) * wish.redundancy * shares)
        if items > MOST_ITEMS:
            message = _(
                "This adds up to about %(items)d judgments; a plan has at most %(limit)d. Ask for fewer systems a "
                "segment, or divide the work among several campaigns."
            )
            self.refuse("plan", message % {"items": items, "limit": MOST_ITEMS})


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
