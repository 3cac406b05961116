"""Annotators' work in one campaign, as its organiser sees it: tasks, answers, items, problem reports, exclusions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, OuterRef, Prefetch, QuerySet, Subquery

from annotation.models import (
    IN_HAND,
    Assignment,
    Credit,
    Exclusion,
    Item,
    ItemLevel,
    Judgment,
    ProblemReport,
    Score,
    Slot,
)
from annotation.protocols import protocol_for
from annotation.protocols.base import ShownQuestion, ShownSlot
from annotation.queries.document_questions import questions_on
from annotation.queries.item_to_judge import reference_of
from campaigns.models import Account, Campaign, StandsFor

MOST_ANSWERS = 50


@dataclass(frozen=True)
class Answer:
    """One current judgment; `scores` are (system, measure, value)."""

    judgment: Judgment
    scores: tuple[tuple[str, str, float], ...]
    seconds: float | None
    comment: str


def assignments_of(campaign: Campaign, annotator: Account) -> QuerySet[Assignment]:
    """The newest first, each with `last_judgment`."""
    last = Judgment.objects.filter(item__assignment=OuterRef("pk")).order_by("-submitted_at").values("submitted_at")
    own = Assignment.objects.filter(campaign=campaign, annotator=annotator)
    return own.annotate(last_judgment=Subquery(last[:1])).order_by("-claimed_at", "-position")


def newest_answers(campaign: Campaign, annotator: Account) -> list[Answer]:
    """Two queries."""
    own = Judgment.objects.filter(annotator=annotator, item__assignment__campaign=campaign, is_current=True)
    judgments = own.select_related("item__document", "item__segment", "item__assignment").order_by("-submitted_at")
    return [_answer(judgment) for judgment in _with_scores(judgments)[:MOST_ANSWERS]]


def _with_scores(judgments: QuerySet[Judgment]) -> QuerySet[Judgment]:
    scores = Score.objects.select_related("translation__system", "system").order_by("pk")
    return judgments.prefetch_related(Prefetch("scores", queryset=scores))


def _answer(judgment: Judgment) -> Answer:
    """`judgment` with its scores."""
    milliseconds = judgment.elapsed_ms if judgment.active_ms is None else judgment.active_ms
    entered: Mapping[str, Any] = judgment.answer if isinstance(judgment.answer, dict) else {}
    return Answer(
        judgment=judgment,
        scores=tuple((_system_of(score), score.measure, score.value) for score in judgment.scores.all()),
        seconds=None if milliseconds is None else milliseconds / 1000,
        comment=str(entered.get("comment") or ""),
    )


def _system_of(score: Score) -> str:
    system = score.translation.system if score.translation else score.system
    return system.name if system else ""


def work_in_hand(campaign: Campaign, annotators: Iterable[int]) -> list[Assignment]:
    """Unfinished assignments of these annotators, by annotator, with the number of items `left`; one query."""
    in_hand = Assignment.objects.filter(campaign=campaign, status__in=IN_HAND, annotator__in=annotators)
    counted = in_hand.annotate(left=F("total") - F("done")).filter(left__gt=0)
    return list(counted.select_related("annotator", "campaign").order_by("annotator__username", "position"))


def exclusion_of(campaign: Campaign, annotator: Account) -> Exclusion | None:
    """The current decision, with its author."""
    current = Exclusion.objects.filter(campaign=campaign, annotator=annotator, lifted_at=None)
    return current.select_related("decided_by").first()


def problem_reports(campaign: Campaign, reason: str = "") -> QuerySet[ProblemReport]:
    """The newest first, with what they are about, of one reason or all; one query."""
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign)
    if reason:
        reports = reports.filter(reason=reason)
    return reports.select_related("annotator", "item__document", "item__segment").order_by("-reported_at", "-pk")


def reports_by_reason(campaign: Campaign) -> dict[str, int]:
    """The number of reports for each reason."""
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign).order_by()
    return dict(reports.values_list("reason").annotate(count=Count("pk")))


def annotator_names(campaign: Campaign) -> dict[str, str]:
    """By account name, as pages show them; one query."""
    annotators = Account.objects.filter(assignments__campaign=campaign).order_by().distinct()
    return {username: name or username for username, name in annotators.values_list("username", "name")}


def exclusions_in(campaign: Campaign) -> list[Exclusion]:
    """Every decision, the newest first, those taken back too; one query."""
    decisions = Exclusion.objects.filter(campaign=campaign).select_related("annotator", "decided_by")
    return list(decisions.order_by("-decided_at", "-pk"))


@dataclass(frozen=True)
class SheetSlot:
    """`systems` are all whose output it is; `genuine` is the text in whose place a damaged one was shown."""

    shown: ShownSlot
    systems: Sequence[str]
    genuine: str | None


@dataclass(frozen=True)
class SheetQuestion:
    """`answer` is None while the question is open."""

    shown: ShownQuestion
    answer: str | None


@dataclass(frozen=True)
class ItemSheet:
    item: Item
    source: str | None
    reference: str | None
    slots: Sequence[SheetSlot]
    questions: Sequence[SheetQuestion]
    answer: Answer | None
    reports: Sequence[ProblemReport]


def item_sheet(campaign: Campaign, item: Item) -> ItemSheet:
    """Five queries, one more for a whole text, one for its questions. `item` with document, segment and assignment."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    slots = item.slots.select_related("translation", "system").prefetch_related(
        Prefetch("credits", queryset=Credit.objects.select_related("system"))
    )
    judgment = _with_scores(Judgment.objects.filter(item=item, is_current=True).select_related("annotator")).first()
    reference = item.segment.references.order_by("name").first() if item.segment else None
    return ItemSheet(
        item=item,
        source=item.segment.source if item.segment and protocol.shows_source else None,
        reference=reference.text if reference and protocol.shows_reference else None,
        slots=[_slot(slot, _whole_text(item, slot.label)) for slot in slots],
        questions=_questions(item, judgment) if protocol.asks_questions else (),
        answer=_answer(judgment) if judgment else None,
        reports=list(item.problem_reports.select_related("annotator").order_by("-reported_at")),
    )


def _whole_text(item: Item, label: str) -> str:
    """The text shown above a document's question under this label; empty for a segment."""
    if item.level != ItemLevel.DOCUMENT:
        return ""
    together = Slot.objects.filter(item__assignment=item.assignment, item__block=item.block, label=label)
    rows = (
        together.exclude(item=item)
        .order_by("item__position")
        .values_list("system__stands_for", "translation__text", "item__segment__source", reference_of("item__segment"))
    )
    return "\n".join(
        {StandsFor.SOURCE: source, StandsFor.REFERENCE: reference}.get(stands_for, text) or ""
        for stands_for, text, source, reference in rows
    )


def _questions(item: Item, judgment: Judgment | None) -> list[SheetQuestion]:
    slots = judgment.answer.get("slots", {}).values() if judgment else ()
    answers = {name: value for slot in slots for name, value in slot.get("answers", {}).items()}
    return [SheetQuestion(each, answers.get(each.name)) for each in questions_on(item.document_id)]


def _slot(slot: Slot, whole: str) -> SheetSlot:
    genuine = slot.translation.text if slot.translation else None
    return SheetSlot(
        shown=ShownSlot(slot.label, (genuine if slot.damaged is None else slot.damaged) or whole),
        systems=[slot.system.name, *(credit.system.name for credit in slot.credits.all())],
        genuine=None if slot.damaged is None else genuine,
    )
