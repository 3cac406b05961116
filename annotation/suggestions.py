"""Error spans that came with the test set, as they are offered with the texts shown."""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from annotation.protocols.base import Protocol, SuggestedMark
from campaigns.models import SuggestedSpan, TestSet

Key = TypeVar("Key", bound=Hashable)


class ShownTranslation(NamedTuple):
    """A translation with the text shown for it, which is another one in damaged items."""

    translation: int
    text: str


def suggested_in(
    shown: Mapping[Key, ShownTranslation], protocol: Protocol[Any]
) -> dict[Key, tuple[SuggestedMark, ...]]:
    """In the order of the text, numbered from 1; one query, none where nothing is suggested.

    Of a damaged text only what the damage left where it was.
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
    return {key: _numbered(by_translation[each.translation], each.text, protocol) for key, each in shown.items()}


def unfit_suggestions(test_set: TestSet, protocol: Protocol[Any]) -> int | None:
    """How many of the test set's suggestions the protocol could not take as they are; None where it has none at all."""
    rows = SuggestedSpan.objects.filter(translation__segment__document__test_set=test_set)
    marks = [SuggestedMark(0, *row) for row in rows.order_by().values_list("side", "start", "end", "severity")]
    return sum(not protocol.takes(mark) for mark in marks) if marks else None


def _numbered(rows: list[tuple[Any, ...]], shown: str, protocol: Protocol[Any]) -> tuple[SuggestedMark, ...]:
    marks: list[SuggestedMark] = []
    for text, side, start, end, severity in rows:
        mark = SuggestedMark(len(marks) + 1, side, start, end, severity)
        if protocol.takes(mark) and (side == "source" or _is_as_it_was(text, shown, end)):
            marks.append(mark)
    return tuple(marks)


def _is_as_it_was(text: str | None, shown: str, end: int) -> bool:
    """Damage moves what stands behind it."""
    return text == shown or (text or "")[:end] == shown[:end]
