"""Practice as Pearmut has it: documents before the others, whose rules say what is right."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from django.utils.html import linebreaks

from annotation.models import PracticeItem
from annotation.protocols.expected_marks import ExpectedMark
from campaigns.models import Campaign

NAME = "practice_#_tutorial_#_{screen}_{row}"


def written_practice(campaign: Campaign, tags: Sequence[str]) -> list[list[dict[str, Any]]]:
    """A document for each screen; translations are called by their labels."""
    screens: dict[int, list[dict[str, Any]]] = {}
    for item in campaign.practice_items.order_by("position"):
        screens.setdefault(item.screen, []).append(_written(item, tags))
    return list(screens.values())


def practice_without_equal(campaign: Campaign) -> list[int]:
    """The positions of items of which something of what is right is not in the file."""
    return [item.position for item in campaign.practice_items.order_by("position") if not _has_equal(item)]


def _has_equal(item: PracticeItem) -> bool:
    """There a rule has one range, of the score, and one translation to be better than; an empty list says nothing."""
    is_score = all(set(measures) == {"score"} for measures in item.expected.values())
    is_one = all(len(others) == 1 for others in item.better.values())
    are_marks = all(marks and not any(mark.get("note") for mark in marks) for marks in item.marks.values())
    return is_score and is_one and are_marks and not (item.accepted or item.questions)


def _written(item: PracticeItem, tags: Sequence[str]) -> dict[str, Any]:
    rules = {label: rule for label in item.slots if (rule := _rule(item, label, tags))}
    if item.feedback:
        first = next(iter(rules), next(iter(item.slots)))
        rules[first] = rules.get(first, {}) | {"warning": _html(item.feedback)}
    written: dict[str, Any] = {"item_id": NAME.format(screen=item.screen, row=item.row), "src": item.source}
    written |= {"ref": item.reference} if item.reference else {}
    written["tgt"] = item.slots
    written |= {"instructions": _html(item.instruction)} if item.instruction else {}
    return written | ({"validation": rules} if rules else {}) | ({"skippable": True} if item.may_skip else {})


def _html(text: str) -> str:
    return linebreaks(text, autoescape=True)


def _rule(item: PracticeItem, label: str, tags: Sequence[str]) -> dict[str, Any]:
    rule: dict[str, Any] = {}
    if bounds := item.expected.get(label, {}).get("score"):
        rule["score"] = [*bounds]
    if others := item.better.get(label):
        rule["score_greaterthan"] = others[0]
    units = [0, *accumulate(1 + (character > "\uffff") for character in item.slots[label])]
    marks = [_mark(ExpectedMark.from_json(mark), units, tags) for mark in item.marks.get(label, ())]
    return rule | ({"error_spans": [mark for mark in marks if mark]} if marks else {})


def _mark(mark: ExpectedMark, units: Sequence[int], tags: Sequence[str]) -> Mapping[str, Any]:
    """In UTF-16 units, both ends included; a tag stands behind the text."""
    if mark.tag and mark.tag not in tags:
        return {}
    if mark.tag:
        place = units[-1] + tags.index(mark.tag)
        start, end = (place, place), (place, place)
    else:
        start = units[mark.start[0]], units[mark.start[1]]
        end = units[mark.end[0]] - 1, units[mark.end[1]] - 1
    about = {name: word for name in ("severity", "category") if (word := getattr(mark, name))}
    return {"start_i": _bound(start), "end_i": _bound(end), **about}


def _bound(bounds: tuple[int, int]) -> int | list[int]:
    return bounds[0] if bounds[0] == bounds[1] else [*bounds]
