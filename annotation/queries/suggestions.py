"""Error spans that came with the test set, offered with the texts as suggestions."""

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from annotation.protocols.base import MarkedSpan, Protocol
from campaigns.models import SuggestedSpan, TestSet

Key = TypeVar("Key", bound=Hashable)


class ShownTranslation(NamedTuple):
    """A translation with the text shown for it under a label, which is another one in damaged items."""

    slot: str
    translation: int
    text: str


def suggested_in(shown: Mapping[Key, ShownTranslation], protocol: Protocol[Any]) -> dict[Key, tuple[MarkedSpan, ...]]:
    """In the order of the text, numbered from 1; one query, none where nothing is suggested.

    On a damaged text there are as many as on the genuine one: fewer would tell which of the two it is.
    """
    if not protocol.offers_suggestions or not shown:
        return {}
    spans = SuggestedSpan.objects.filter(translation__in={each.translation for each in shown.values()})
    rows = spans.order_by("start", "end", "pk").values_list(
        "translation", "translation__text", "side", "start", "end", "severity"
    )
    by_translation: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for translation, *span in rows:
        by_translation[translation].append(tuple(span))
    return {key: _numbered(each, by_translation[each.translation], protocol) for key, each in shown.items()}


def unfit_suggestions(test_set: TestSet, protocol: Protocol[Any]) -> int | None:
    """The number of the test set's suggestions that the protocol cannot take; None where there are none."""
    rows = SuggestedSpan.objects.filter(translation__segment__document__test_set=test_set)
    spans = [
        MarkedSpan("", side, start, end, "", severity)
        for side, start, end, severity in rows.order_by().values_list("side", "start", "end", "severity")
    ]
    return sum(not protocol.takes(span) for span in spans) if spans else None


def _numbered(shown: ShownTranslation, rows: list[tuple[Any, ...]], protocol: Protocol[Any]) -> tuple[MarkedSpan, ...]:
    spans: list[MarkedSpan] = []
    for text, side, start, end, severity in rows:
        span = MarkedSpan(shown.slot, side, start, end, "", severity, suggestion=len(spans) + 1)
        if protocol.takes(span):
            spans.append(span if side == "source" or text == shown.text else _moved(span, text or "", shown.text))
    return tuple(spans)


def _moved(span: MarkedSpan, text: str, damaged: str) -> MarkedSpan:
    """The span where its words are in the damaged text; of words that were replaced, as many in the same place.

    As many, for a span that grew with what was replaced would tell by its length that the text is damaged.
    """
    left = _alike(text, damaged)
    right = _alike(text[left:][::-1], damaged[left:][::-1])
    if " " in text:  # whole words are what was replaced
        left -= len(text[:left].rpartition(" ")[2])
        right -= len(text[len(text) - right :].partition(" ")[0])
    old_end, new_end = len(text) - right, len(damaged) - right
    old, new = _units(text, left, old_end), _units(damaged, left, new_end)

    def place(edge: int, *, is_end: bool) -> int:
        if edge <= left and not (edge == left and not is_end):
            return edge
        if edge >= old_end or not old or not new:
            return max(left, edge + new_end - old_end)
        number = next(at for at, unit in enumerate(old) if edge - is_end < unit.stop)
        unit = new[min(number, len(new) - 1)]
        return unit.stop if is_end else unit.start

    start = place(span.start, is_end=False)
    end = start if span.start == span.end else place(span.end, is_end=True)
    return replace(span, start=start, end=end)


def _units(text: str, start: int, stop: int) -> list[range]:
    """Where its words are; without spaces, its characters."""
    if " " not in text:
        return [range(place, place + 1) for place in range(start, stop)]
    return [range(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", text[start:stop])]


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
