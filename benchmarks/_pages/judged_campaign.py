"""A campaign judged to the end, or nearly, in bulk: its rows are those that `submit_judgment` would have left."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.text import slugify

import numpy as np

from annotation.actions.summaries import recount
from annotation.models import (
    Assignment,
    AssignmentStatus,
    Credit,
    ErrorSpan,
    Item,
    ItemKind,
    Judgment,
    Score,
    Slot,
)
from benchmarks._pages.invented_texts import AT_ONCE, Size, Texts
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role, Translation

DAYS = 14
CATEGORIES = ("accuracy/mistranslation", "accuracy/omission", "fluency/grammar", "style/awkward", "fluency/spelling")
SCORED, MARKED = ("direct_assessment", "esa"), ("mqm", "esa")
_CONTROLS = 0.04
_DAMAGED = " Xyzzy."


@dataclass(frozen=True)
class Asked:
    """An item with what it shows; `is_left` where nobody has answered yet."""

    item: Item
    output: Translation
    others: tuple[Translation, ...]
    person: int
    quality: float
    is_left: bool


@dataclass
class JudgedCampaign:
    """Every output by `per_output` of the annotators, each of whom has a severity of their own; some shown again.

    Of every fourth annotator the last assignment is half done. One judgment of fifty is somebody's second thought.
    """

    name: str
    protocol: str
    texts: Texts
    size: Size
    rng: np.random.Generator
    organiser: Account

    def make(self) -> Campaign:
        asked = list(self._asked())
        Slot.objects.bulk_create(slots := [_slot(each) for each in asked], batch_size=AT_ONCE)
        Credit.objects.bulk_create(
            [
                Credit(slot=slot, system_id=other.system_id, translation=other)
                for slot, each in zip(slots, asked, strict=True)
                for other in each.others
            ]
        )
        self._judge([each for each in asked if not each.is_left])
        return self.campaign

    @cached_property
    def campaign(self) -> Campaign:
        made = Campaign.objects.create(
            name=self.name,
            slug=slugify(self.name),
            test_set=self.texts.test_set,
            protocol=self.protocol,
            options={},
            status=CampaignStatus.OPEN,
            redundancy=self.size.per_output,
            items_per_assignment=self.size.per_assignment,
            repeats_share=_CONTROLS,
            degraded_share=_CONTROLS,
            opened_at=self._since,
            created_by=self.organiser,
        )
        made.systems.set(self.texts.systems)
        Membership.objects.create(campaign=made, account=self.organiser, role=Role.ORGANISER)
        Membership.objects.bulk_create(
            [
                Membership(campaign=made, account=each, role=Role.ANNOTATOR, consented_at=self._since)
                for each in self.people
            ]
        )
        return made

    @cached_property
    def people(self) -> list[Account]:
        """Their names begin as the campaign's does."""
        names = [f"{slugify(self.name)}-{number:03}" for number in range(self.size.annotators)]
        return Account.objects.bulk_create([Account(username=each, name=each.title()) for each in names])

    @cached_property
    def _since(self) -> datetime:
        return timezone.now() - timedelta(days=DAYS)

    def _asked(self) -> Iterator[Asked]:
        """In two steps, as controls name the item they are of."""
        planned = [each for person in range(self.size.annotators) for each in self._of(person)]
        regular = Item.objects.bulk_create([each.item for each in planned], batch_size=AT_ONCE)
        yield from planned
        controls = []
        last: dict[int, int] = {}
        for item in regular:
            last[item.assignment_id] = max(item.position, last.get(item.assignment_id, 0))
        for each in planned:
            if each.is_left or self.rng.random() > 2 * _CONTROLS:
                continue
            kind = ItemKind.REPEAT if self.rng.random() < 0.5 else ItemKind.DEGRADED
            last[each.item.assignment_id] += 1
            item = Item(
                assignment_id=each.item.assignment_id,
                position=last[each.item.assignment_id],
                document_id=each.item.document_id,
                segment_id=each.item.segment_id,
                kind=kind,
                original=each.item,
                revision=1,
            )
            quality = each.quality - (30 if kind == ItemKind.DEGRADED else 0)
            controls.append(Asked(item, each.output, (), each.person, quality, is_left=False))
        Item.objects.bulk_create([each.item for each in controls], batch_size=AT_ONCE)
        yield from controls

    def _of(self, person: int) -> Iterator[Asked]:
        """One annotator's regular items, in assignments; those of the last may wait."""
        own = self._outputs_of[person]
        pieces = [own[at : at + self.size.per_assignment] for at in range(0, len(own), self.size.per_assignment)]
        for place, piece in enumerate(pieces):
            is_open = person % 4 == 0 and place == len(pieces) - 1
            answered = len(piece) // 2 if is_open else len(piece)
            assignment = Assignment.objects.create(
                campaign=self.campaign,
                annotator=self.people[person],
                position=person * 1_000 + place,
                round=place,
                content=person * 1_000 + place,
                status=AssignmentStatus.OPEN if is_open else AssignmentStatus.DONE,
                total=len(piece),
                done=answered,
                claimed_at=self._since,
                finished_at=None if is_open else timezone.now(),
            )
            for at, index in enumerate(piece):
                output = self.texts.outputs[index]
                segment = self.texts.segments[index // self.size.systems]
                item = Item(
                    assignment=assignment,
                    position=at,
                    block=at // 10,
                    document_id=segment.document_id,
                    segment=segment,
                    revision=int(at < answered),
                )
                yield Asked(item, output, self._twins(index), person, self._quality[index], is_left=at >= answered)

    def _twins(self, index: int) -> tuple[Translation, ...]:
        return (self.texts.outputs[index + 1],) if self._is_shared(index) else ()

    def _is_shared(self, index: int) -> bool:
        return index % (50 * self.size.systems) == 0

    @cached_property
    def _outputs_of(self) -> list[list[int]]:
        """By annotator, the indices of the outputs to judge, in the order of the texts."""
        outputs = [index for index in range(len(self.texts.outputs)) if not self._is_shared(index - 1)]
        drawn = np.argsort(self.rng.random((len(outputs), self.size.annotators)), axis=1)[:, : self.size.per_output]
        found: list[list[int]] = [[] for _ in range(self.size.annotators)]
        for index, people in zip(outputs, drawn.tolist(), strict=True):
            for person in people:
                found[person].append(index)
        return found

    @cached_property
    def _quality(self) -> list[float]:
        better = np.tile(np.linspace(-6, 6, self.size.systems), len(self.texts.segments))
        drawn: list[float] = (70 + better + self.rng.normal(0, 14, better.size)).tolist()
        return drawn

    def _judge(self, asked: list[Asked]) -> None:
        severity = self.rng.normal(0, 8, self.size.annotators)
        noise = self.rng.normal(0, 10, len(asked))
        moments = np.sort(self.rng.uniform(0, DAYS * 86_400 - 3_600, len(asked)))
        seconds = self.rng.gamma(4, 6, len(asked))
        answers = [
            self._answer(each, float(np.clip(each.quality + severity[each.person] + noise[at], 0, 100)))
            for at, each in enumerate(asked)
        ]
        judgments = [
            Judgment(
                item=each.item,
                annotator=self.people[each.person],
                revision=1,
                client_id=uuid.uuid4(),
                answer={"slots": {"A": answers[at]}, "comment": "", "cannot_judge": None},
                started_at=(begun := self._since + timedelta(seconds=float(moments[at]))),
                submitted_at=begun + timedelta(seconds=float(seconds[at])),
                elapsed_ms=int(1_000 * seconds[at]),
                active_ms=int(900 * seconds[at]),
            )
            for at, each in enumerate(asked)
        ]
        self._revise(asked, judgments)
        Judgment.objects.bulk_create(judgments, batch_size=AT_ONCE)
        Score.objects.bulk_create(list(_scores(asked, judgments)), batch_size=AT_ONCE)
        ErrorSpan.objects.bulk_create(list(_spans(asked, judgments)), batch_size=AT_ONCE)
        recount(self.campaign.pk)

    def _revise(self, asked: list[Asked], judgments: list[Judgment]) -> None:
        """Of one in fifty there was an answer before."""
        first = [
            Judgment(
                item=judgment.item,
                annotator=judgment.annotator,
                revision=1,
                is_current=False,
                client_id=uuid.uuid4(),
                answer=judgment.answer,
                submitted_at=judgment.started_at or self._since,
            )
            for judgment in judgments[::50]
        ]
        for judgment in judgments[::50]:
            judgment.revision, judgment.base_revision = 2, 1
        Item.objects.filter(pk__in=[each.item.pk for each in asked[::50]][:AT_ONCE]).update(revision=2)
        Judgment.objects.bulk_create(first, batch_size=AT_ONCE)

    def _answer(self, asked: Asked, score: float) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        if self.protocol in MARKED:
            answer["spans"] = [self._span(asked) for _ in range(int(self.rng.poisson(max(0.2, (105 - score) / 13))))]
        if self.protocol in SCORED:
            answer["score"] = round(score)
        return answer

    def _span(self, asked: Asked) -> dict[str, Any]:
        start = int(self.rng.integers(0, len(asked.output.text or " ")))
        end = min(start + int(self.rng.integers(1, 14)), len(asked.output.text or " "))
        span = {
            "side": "target",
            "start": start,
            "end": end,
            "severity": "major" if self.rng.random() < 0.25 else "minor",
        }
        category = CATEGORIES[int(self.rng.integers(len(CATEGORIES)))] if self.protocol == "mqm" else ""
        return span | {"category": category, "note": ""}


def _slot(asked: Asked) -> Slot:
    damaged = f"{asked.output.text}{_DAMAGED}" if asked.item.kind == ItemKind.DEGRADED else None
    return Slot(item=asked.item, label="A", translation=asked.output, system_id=asked.output.system_id, damaged=damaged)


def _scores(asked: list[Asked], judgments: list[Judgment]) -> Iterator[Score]:
    for each, judgment in zip(asked, judgments, strict=True):
        score = judgment.answer["slots"]["A"].get("score")
        if score is not None:
            for output in (each.output, *each.others):
                yield Score(judgment=judgment, measure="score", value=score, translation=output)


def _spans(asked: list[Asked], judgments: list[Judgment]) -> Iterator[ErrorSpan]:
    for each, judgment in zip(asked, judgments, strict=True):
        for span in judgment.answer["slots"]["A"].get("spans", ()):
            for output in (each.output, *each.others):
                yield ErrorSpan(judgment=judgment, translation=output, **span)
