"""A campaign with one of everything an export has to include, stored as the product would store it."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from annotation.actions.work_counts import recount_work
from annotation.models import (
    Assignment,
    AssignmentStatus,
    Credit,
    ErrorSpan,
    Item,
    ItemKind,
    ItemLevel,
    Judgment,
    Score,
    Slot,
)
from campaigns.models import Account, Campaign, Segment, System, TestSet, Translation
from tests.cast import Cast
from tests.sample_campaign import make_campaign

BEGAN = datetime(2026, 11, 3, 9, 0, 0, 123456, tzinfo=UTC)


class Judging:
    """Adds items and judgments to one assignment, in the order of the calls."""

    def __init__(self, campaign: Campaign, annotator: Account, *, name: str = "") -> None:
        self.campaign, self.annotator = campaign, annotator
        self.assignment = Assignment.objects.create(
            campaign=campaign,
            annotator=annotator,
            name=name,
            position=campaign.assignments.count() + 1,
            status=AssignmentStatus.OPEN,
            total=100,
        )

    def ask(
        self,
        segment: Segment,
        *systems: System,
        kind: str = ItemKind.REGULAR,
        damaged: str | None = None,
        credited: System | None = None,
        original: Item | None = None,
    ) -> Item:
        item = Item.objects.create(
            assignment=self.assignment,
            position=self.assignment.items.count() + 1,
            document=segment.document,
            segment=segment,
            kind=kind,
            original=original,
        )
        for label, system in zip("ABCDE", systems, strict=False):
            translation = Translation.objects.get(segment=segment, system=system)
            slot = Slot.objects.create(item=item, label=label, translation=translation, system=system, damaged=damaged)
            if credited is not None:
                also = Translation.objects.get(segment=segment, system=credited)
                Credit.objects.create(slot=slot, system=credited, translation=also)
        return item

    def ask_document(self, segment: Segment, system: System, *, credited: System | None = None) -> Item:
        item = Item.objects.create(
            assignment=self.assignment,
            position=self.assignment.items.count() + 1,
            document=segment.document,
            level=ItemLevel.DOCUMENT,
        )
        slot = Slot.objects.create(item=item, label="A", system=system)
        if credited is not None:
            Credit.objects.create(slot=slot, system=credited)
        return item

    def judge(self, item: Item, *scores: int | float, comment: str = "", **fields: Any) -> Judgment:
        """One score a slot, credited to every system; revisions follow from the order."""
        count = Judgment.objects.filter(item__assignment__campaign=self.campaign).count()
        slots = list(item.slots.order_by("label"))
        answer = {
            "slots": {slot.label: {"score": score} for slot, score in zip(slots, scores, strict=False)},
            "comment": comment,
            "cannot_judge": fields.get("cannot_judge") or None,
        }
        values: dict[str, Any] = {
            "revision": item.judgments.count() + 1,
            "answer": answer,
            "client_id": uuid.uuid4(),
            "started_at": BEGAN + timedelta(minutes=count),
            "submitted_at": BEGAN + timedelta(minutes=count, seconds=40, microseconds=count),
            "elapsed_ms": 40_000 + count,
            "active_ms": 31_250,
        }
        if not fields.get("surplus"):
            item.judgments.update(is_current=False)
        else:
            values["is_current"] = False
        judgment = Judgment.objects.create(item=item, annotator=self.annotator, **(values | fields))
        for slot, score in zip(slots, scores, strict=False):
            self._score(judgment, slot, slot.system, slot.translation, score)
            for credit in slot.credits.all():
                self._score(judgment, slot, credit.system, credit.translation, score)
        return judgment

    def _score(
        self, judgment: Judgment, slot: Slot, system: System, translation: Translation | None, value: float
    ) -> None:
        of = {"document": judgment.item.document, "system": system} if translation is None else {}
        measure = "document_score" if translation is None else "score"
        Score.objects.create(
            judgment=judgment, measure=measure, value=value, slot=slot.label, translation=translation, **of
        )


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_campaign(test_set, cast)
    judge_one_of_everything(campaign, cast.annotator, cast.second_annotator)
    recount_work(campaign.pk)
    return campaign


def judge_one_of_everything(campaign: Campaign, first: Account, second: Account) -> None:
    """Shared outputs, several slots, controls, a document, revisions, no judgment possible, awkward texts.

    Only files of judgments have such answers: no protocol would accept all of them.
    """
    TestSet.objects.filter(pk=campaign.test_set_id).update(format="assay-csv")
    segments = list(Segment.objects.filter(document__test_set=campaign.test_set).order_by("document", "position"))
    human, quokka, wombat = campaign.systems.order_by("name")
    Segment.objects.filter(pk=segments[0].pk).update(source="=HYPERLINK(\"http://x\")\r\n'quoted', “too”")
    Translation.objects.filter(segment=segments[0], system=quokka).update(text="")
    Translation.objects.filter(segment=segments[2], system=quokka).update(text=None)
    judging = Judging(campaign, first)
    opening = judging.ask(segments[0], wombat)
    judging.judge(opening, 71)
    judging.judge(judging.ask(segments[1], wombat, credited=quokka), 88.5)
    judging.judge(judging.ask(segments[0], quokka), 3, comment="-1 for\n the empty one")
    judging.judge(judging.ask(segments[2], quokka), cannot_judge="broken_text", comment="'=")
    judging.judge(opening, 64, comment="second thoughts")
    judging.judge(
        judging.ask(segments[0], wombat, kind=ItemKind.DEGRADED, damaged="Die 🦘 fuhr.", original=opening), 12
    )
    judging.judge(judging.ask(segments[0], wombat, kind=ItemKind.REPEAT, original=opening), 66)
    judging.judge(judging.ask_document(segments[0], wombat, credited=quokka), 70)
    judging.judge(judging.ask(segments[4], wombat, quokka, human), 40, 55, 99)
    other = Judging(campaign, second, name="HIT 7")
    other.judge(other.ask(segments[3], human, kind=ItemKind.PRACTICE), 100, started_at=None, elapsed_ms=None)
    other.judge(other.ask(segments[1], wombat, credited=quokka), 90, active_ms=None)


def mark_errors(campaign: Campaign, annotator: Account) -> None:
    """One judgment with three spans: in the translation, in the source, and an omission."""
    segment = Segment.objects.filter(document__test_set=campaign.test_set).order_by("document", "position")[0]
    judging = Judging(campaign, annotator)
    item = judging.ask(segment, campaign.systems.order_by("name")[2])
    spans: list[dict[str, Any]] = [
        {
            "side": "target",
            "start": 4,
            "end": 9,
            "category": "accuracy/mistranslation",
            "severity": "major",
            "note": "",
        },
        {"side": "source", "start": 0, "end": 3, "category": "other", "severity": "minor", "note": "=“the”, no?"},
        {"side": "target", "start": 5, "end": 5, "category": "accuracy/omission", "severity": "major", "note": ""},
    ]
    answer = {"slots": {"A": {"score": 40, "spans": spans}}, "comment": "", "cannot_judge": None}
    judgment = judging.judge(item, 40, answer=answer)
    translation = item.slots.get().translation
    assert translation is not None
    for span in spans:
        ErrorSpan.objects.create(judgment=judgment, translation=translation, **span)
