"""Attention checks in front of screens: drawn when an assignment is handed out, because they depend on the person."""

import random
from collections.abc import Mapping, Sequence
from itertools import groupby

from django.db.models import F

from annotation.campaign_spec import PARAMETERS
from annotation.models import Assignment, AttentionCheck, CheckDraw, Credit, Item, ItemKind, ItemLevel, Slot
from annotation.planning.planned import label_of
from campaigns.models import Account, Translation

_OUT_OF_THE_WAY = 1_000_000_000  # positions are unique in every statement

Screens = Sequence[tuple[int, int]]  # block and document


def draw_checks(assignment: Assignment, annotator: Account) -> Assignment:
    """One draw before each screen, all of them stored; each check is served once a person.

    Only the campaign's seed, the assignment's position and the annotator's name decide, and what they had before. The
    assignment was handed out in this moment: nothing of it has been judged or seen.
    """
    campaign = assignment.campaign
    checks = list(AttentionCheck.objects.filter(campaign=campaign).order_by("position"))
    if not checks:
        return assignment
    had = CheckDraw.objects.filter(annotator=annotator, check_served__isnull=False)
    left = [check for check in checks if check.pk not in set(had.values_list("check_served", flat=True))]
    share = campaign.plan_options.get("check_share", PARAMETERS["check_share"].default)
    # repeatable, not secret
    rng = random.Random(f"{campaign.seed} checks {assignment.position} {annotator.username}")  # noqa: S311
    screens = _screens_of(assignment)
    draws: list[CheckDraw] = []
    for place, _screen in enumerate(screens):
        value = rng.random()
        check = _one_for(place, screens, left, rng) if value < share else None
        if check is not None:
            left.remove(check)
        draws.append(CheckDraw(
            assignment=assignment, annotator=annotator, screen=place + 1, value=value, check_served=check
        ))  # fmt: skip
    for draw, (block, _document) in reversed(list(zip(draws, screens, strict=True))):  # blocks before it stay
        if draw.check_served is not None:
            draw.first_item = draw.last_item = _serve(draw.check_served, assignment, block, rng)
    CheckDraw.objects.bulk_create(draws)
    return assignment


def _screens_of(assignment: Assignment) -> Screens:
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).order_by("position").values_list("block", "document")
    return [next(group) for _block, group in groupby(items, key=lambda row: row[0])]


def _one_for(place: int, screens: Screens, left: Sequence[AttentionCheck], rng: random.Random) -> AttentionCheck | None:
    """If possible of a document that the assignment does not have; never beside a screen of the same one."""
    beside = {document for _block, document in screens[max(0, place - 1) : place + 1]}
    fit = [check for check in left if check.document_id not in beside]
    own = {document for _block, document in screens}
    elsewhere = [check for check in fit if check.document_id not in own]
    return rng.choice(elsewhere or fit) if fit else None


def _serve(check: AttentionCheck, assignment: Assignment, block: int, rng: random.Random) -> Item | None:
    """Its screen in place of this block, which moves on with all that follow. Its first row."""
    rows = _rows_of(check, rng.sample(check.systems, len(check.systems)))
    at = assignment.items.filter(block__gte=block).order_by("position").values_list("position", flat=True)[0]
    make_room(assignment, block=block, items=len(rows))
    items = Item.objects.bulk_create(
        [
            Item(
                assignment=assignment,
                position=at + place,
                block=block,
                document_id=check.document_id,
                segment_id=segment,
                kind=ItemKind.CHECK,
            )
            for place, (segment, _groups) in enumerate(rows)
        ]
    )
    _store_slots([(item, groups) for item, (_segment, groups) in zip(items, rows, strict=True)])
    return items[0]


def make_room(assignment: Assignment, *, block: int, items: int) -> None:
    """Moves this block and all that follow on by one block of so many items, which are to be judged."""
    later = Item.objects.filter(assignment=assignment)
    later.filter(block__gte=block).update(block=F("block") + 1, position=F("position") + _OUT_OF_THE_WAY)
    later.filter(position__gte=_OUT_OF_THE_WAY).update(position=F("position") - _OUT_OF_THE_WAY + items)
    Assignment.objects.filter(pk=assignment.pk).update(total=F("total") + items)
    assignment.total += items


_Group = tuple[list[tuple[int, Translation]], str | None]  # columns with the output in them, and what is shown instead


def _rows_of(check: AttentionCheck, order: Sequence[str]) -> list[tuple[int, list[_Group]]]:
    """For each segment with outputs, the slots in the order of columns; equal outputs are one slot."""
    changed = {(each["row"], each["system"]): each["text"] for each in check.changed}
    outputs: dict[int, dict[str, Translation]] = {}
    shown = Translation.objects.filter(segment__document=check.document_id, system__name__in=check.systems)
    for translation in shown.exclude(text=None).select_related("system"):
        outputs.setdefault(translation.segment_id, {})[translation.system.name] = translation
    rows = []
    segments = check.document.segments.order_by("position").values_list("pk", flat=True)
    for row, segment in enumerate(segments):
        instead = {name: text for (at, name), text in changed.items() if at == row}
        groups = _groups(order, outputs.get(segment, {}), instead)
        if groups:
            rows.append((segment, groups))
    return rows


def _groups(order: Sequence[str], outputs: Mapping[str, Translation], changed: Mapping[str, str]) -> list[_Group]:
    groups: dict[str, _Group] = {}
    for column, name in enumerate(order, start=1):
        if name in outputs:
            text = changed.get(name, outputs[name].text or "")
            columns, _instead = groups.setdefault(text.strip(), ([], changed.get(name)))
            columns.append((column, outputs[name]))
    return list(groups.values())


def _store_slots(rows: Sequence[tuple[Item, Sequence[_Group]]]) -> None:
    made = [
        (
            Slot(
                item=item,
                label=label_of(columns[0][0]),
                system_id=columns[0][1].system_id,
                translation=columns[0][1],
                damaged=instead,
                columns="".join(str(column) for column, _output in columns),
            ),
            columns,
        )
        for item, groups in rows
        for columns, instead in groups
    ]
    Slot.objects.bulk_create([slot for slot, _columns in made])
    Credit.objects.bulk_create(
        Credit(slot=slot, system_id=output.system_id, translation=output)
        for slot, columns in made
        for _column, output in columns[1:]
    )
