"""Systems that leave the race of a campaign, or come back, and what that does to the work that waits.

A drop changes three things: the system's row, the numbers of items that waiting assignments ask, and, when one of them
is handed out, its items: those of systems out of the race are deleted then, so that a system that comes back before is
asked again in what still waits. Work in hand is finished as it is.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.actions.summaries import keep_plan
from annotation.models import (
    Assignment,
    AssignmentStatus,
    Credit,
    DrawnScreen,
    Item,
    ItemKind,
    ItemLevel,
    Race,
    RaceLook,
    RaceStatus,
    RaceSystem,
    Slot,
)
from annotation.planning.planned import PlannedAssignment
from annotation.queries.race import (
    RULE,
    RaceRule,
    document_propensity,
    race_with_finished_wave,
    served_in,
    shows_one_of,
    standings_of,
)
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Planning, System
from jobs.actions import queue_run
from jobs.models import RunStatus
from jobs.queries import runs_of

LOOK = "race_look"  # the kind of run that looks at the judgments
ASSIGNMENTS_AT_ONCE = 500
FROM = {
    RaceStatus.PAUSED: (RaceStatus.RUNNING,),
    RaceStatus.RUNNING: (RaceStatus.PAUSED,),
    RaceStatus.STOPPED: (RaceStatus.RUNNING, RaceStatus.PAUSED, RaceStatus.DECIDED),
}
_DONE = {
    RaceStatus.PAUSED: "race_paused",
    RaceStatus.RUNNING: "race_resumed",
    RaceStatus.STOPPED: "race_stopped",
}


def begin_race(campaign: Campaign, planned: Sequence[PlannedAssignment]) -> None:
    """Nothing where the plan drops no systems."""
    if RaceRule.of(campaign).question == "none":
        return
    waves: dict[int, set[int]] = {}
    for each in planned:
        waves.setdefault(each.round // campaign.redundancy, set()).update(item.document for item in each.items)
    sizes = [len(documents) for _wave, documents in sorted(waves.items())]
    race = Race.objects.create(campaign=campaign, waves=sizes, planned=sum(each.total for each in planned))
    systems = System.objects.filter(campaigns=campaign)
    RaceSystem.objects.bulk_create(RaceSystem(race=race, system=system) for system in systems)


# --- handed out -------------------------------------------------------------------------------------------------------
def without_dropped(assignment: Assignment) -> Assignment | None:
    """What is handed out now, without the systems that are out of the race; None when nothing is left of it.

    What is shown is recorded with its probability. A campaign that drops no systems is left alone.
    """
    if assignment.campaign.planning != Planning.POOL:
        return assignment
    race = Race.objects.filter(campaign=assignment.campaign_id).first()
    if race is None:
        return assignment
    standings = standings_of(race)
    served = served_in(race, standings)
    if len(served) < len(standings) and not _strip(assignment, served):
        return None
    wave = assignment.round // assignment.campaign.redundancy
    shown = assignment.items.exclude(kind=ItemKind.CHECK).order_by("block")
    blocks = shown.values_list("block", "document", "slots__system").distinct()
    propensities = {each.name: 1.0 for each in standings if each.system in served}
    DrawnScreen.objects.bulk_create(
        DrawnScreen(
            assignment=assignment,
            block=block,
            document_id=document,
            system_id=system,
            rule=RULE,
            propensities=propensities,
            document_propensity=document_propensity(race, wave),
        )
        for block, document, system in blocks
    )
    return assignment


def _strip(assignment: Assignment, served: set[int]) -> bool:
    """Deletes the items of systems that are out; False, with nothing deleted, when none would be left.

    An output that a system in the race has as well is still asked; the rest of that text stays as context.
    """
    rows = list(assignment.items.filter(~shows_one_of(served)).values_list("pk", "block", "level"))
    asked = assignment.items.filter(shows_one_of(served)).exclude(level=ItemLevel.CONTEXT)
    kept = set(asked.values_list("block", flat=True))
    if not kept:
        _close_empty(assignment)
        return False
    read = [pk for pk, block, level in rows if block in kept and level == ItemLevel.SEGMENT]
    Item.objects.filter(pk__in=read).update(level=ItemLevel.CONTEXT, kind=ItemKind.REGULAR, original=None)
    Slot.objects.filter(item__in=read).update(damaged=None)
    whole = assignment.items.exclude(block__in=kept).values_list("pk", flat=True)
    gone = [*whole, *(pk for pk, block, level in rows if block in kept and level == ItemLevel.DOCUMENT)]
    Credit.objects.filter(slot__item__in=gone).delete()
    Slot.objects.filter(item__in=gone).delete()
    Item.objects.filter(pk__in=gone).delete()
    keep_plan([assignment.pk])
    assignment.total = assignment.items.exclude(level=ItemLevel.CONTEXT).count()
    Assignment.objects.filter(pk=assignment.pk).update(total=assignment.total)
    return True


def _close_empty(assignment: Assignment) -> None:
    """It waits as planned ones do that ask for nothing, in case one of its systems comes back."""
    nobody: dict[str, Any] = {"annotator": None, "claimed_at": None, "expires_at": None, "total": 0}
    Assignment.objects.filter(pk=assignment.pk).update(status=AssignmentStatus.CLOSED, **nobody)
    note_finished(assignment)


# --- looked at --------------------------------------------------------------------------------------------------------
def note_finished(assignment: Assignment) -> None:
    """Asks for a look once the transaction is over, when the assignment was the last of its wave.

    Afterwards, so that of two that finish at once the second sees the first.
    """
    if assignment.campaign.planning == Planning.POOL:
        transaction.on_commit(partial(_request_look, assignment.pk), robust=True)


def _request_look(assignment: int) -> None:
    race = race_with_finished_wave(assignment)
    if race is not None:
        request_look(race)


def request_look(race: Race) -> None:
    """A run that looks at the judgments; nothing while one is waiting already."""
    if not runs_of(race.campaign, LOOK, status=RunStatus.QUEUED).exists():
        queue_run(kind=LOOK, campaign=race.campaign, arguments={}, is_automatic=True)


def store_look(
    *, campaign: Campaign, documents: int, systems: Sequence[dict[str, Any]], dropped: Iterable[str], is_over: bool
) -> bool:
    """What a look says, and who is out since; False when another look was first, or looks are paused.

    The race is locked, and a look at no more documents than the last one is not stored: of two at once one counts.
    """
    names = set(dropped)
    with transaction.atomic():
        race = Race.objects.select_for_update().get(campaign=campaign)
        last = race.looks.order_by("-documents").values_list("documents", flat=True).first()
        if race.status != RaceStatus.RUNNING or documents <= (last or 0):
            return False
        RaceLook.objects.create(race=race, documents=documents, systems=list(systems), is_over=is_over)
        out = race.systems.filter(system__name__in=names, is_in=True, is_protected=False)
        left = list(out.order_by("system__name").values_list("system__name", flat=True))
        out.update(is_in=False, dropped_after=documents)
        for name in left:
            record(action="race_system_dropped", by=None, campaign=campaign, system=name, documents=documents)
        if is_over:
            race.status = RaceStatus.DECIDED
            race.save(update_fields=["status"])
            record(action="race_decided", by=None, campaign=campaign, documents=documents)
    recount(race)
    return True


def recount(race: Race) -> None:
    """How many items the waiting assignments ask for now; those that ask for nothing are not handed out.

    In short transactions: an annotator who asks meanwhile gets what is not locked.
    """
    served = served_in(race, standings_of(race))
    asked = Item.objects.filter(shows_one_of(served), assignment=OuterRef("pk")).exclude(level=ItemLevel.CONTEXT)
    number = asked.order_by().values("assignment").annotate(number=Count("pk")).values("number")
    empty = Q(status=AssignmentStatus.CLOSED, annotator=None, total=0)
    waiting = Assignment.objects.filter(Q(status=AssignmentStatus.PLANNED) | empty, campaign=race.campaign_id)
    keys = list(waiting.order_by("round", "position").values_list("pk", flat=True))
    for start in range(0, len(keys), ASSIGNMENTS_AT_ONCE):
        with transaction.atomic():
            some = keys[start : start + ASSIGNMENTS_AT_ONCE]
            waiting.filter(pk__in=some).update(total=Coalesce(Subquery(number), 0))
            own = Assignment.objects.filter(pk__in=some, annotator=None)
            own.filter(status=AssignmentStatus.PLANNED, total=0).update(status=AssignmentStatus.CLOSED)
            own.filter(status=AssignmentStatus.CLOSED, total__gt=0).update(status=AssignmentStatus.PLANNED)


# --- by hand ----------------------------------------------------------------------------------------------------------
def set_race_status(*, campaign: Campaign, status: str, by: Account | None) -> Race:
    """Pauses, resumes or stops the looks. Stopped, the systems in the race are judged to the end of the plan."""
    if status not in FROM:
        raise _refusal(_("Unknown status. Allowed: paused, running, stopped."))
    target = RaceStatus(status)
    with transaction.atomic():
        race = _locked(campaign)
        if race.status == target:
            return race
        if race.status not in FROM[target]:
            states = {"now": race.get_status_display(), "wanted": target.label}
            raise _refusal(_("The elimination cannot change from “%(now)s” to “%(wanted)s”.") % states)
        race.status = target
        race.save(update_fields=["status"])
        record(action=_DONE[target], by=by, campaign=campaign)
    recount(race)
    if race.status == RaceStatus.RUNNING:
        request_look(race)
    return race


def bring_back(*, campaign: Campaign, system: str, by: Account | None) -> Race:
    """A dropped system is judged again in what still waits, and no look drops it again."""
    with transaction.atomic():
        race = _locked(campaign)
        out = race.systems.filter(system__name=system, is_in=False)
        if not out.update(is_in=True, is_protected=True, dropped_after=None):
            raise _refusal(_("“%(name)s” is not out of the race.") % {"name": system})
        if race.status == RaceStatus.DECIDED:
            race.status = RaceStatus.RUNNING
            race.save(update_fields=["status"])
        record(action="race_system_brought_back", by=by, campaign=campaign, system=system)
    recount(race)
    return race


def refuse_if_racing(campaign: Campaign, field: str) -> None:
    """A plan of waves cannot grow: what was judged so far would not be a random part of it."""
    if Race.objects.filter(campaign=campaign).exists():
        message = _(
            "This campaign drops systems while it is judged, so its plan cannot be extended. Create a new campaign."
        )
        raise InvalidInput.of(field, message)


def _locked(campaign: Campaign) -> Race:
    race = Race.objects.select_for_update().filter(campaign=campaign).first()
    if race is None:
        raise _refusal(_("This campaign does not drop systems."))
    return race


def _refusal(message: str) -> InvalidInput:
    return InvalidInput.of("race", message)
