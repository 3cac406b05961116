"""What of the guidelines was changed since somebody read them: word by word, paragraph by paragraph."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher

from campaigns.models import AuditEntry, Membership

_MARKUP = re.compile(r"^\s*(?:#+|[-*+]|\d+[.)])\s+|\*\*|`")
_WORDS = re.compile(r"\s+|\S+")
_LEAST_IN_COMMON = 0.4  # below, two paragraphs are different ones
_MOST_WORDS = 2000  # beyond, a paragraph is compared as a whole


@dataclass(frozen=True)
class Piece:
    """`kind` is `same`, `removed` or `added`."""

    kind: str
    text: str


@dataclass(frozen=True)
class GuidelineChanges:
    """`since` is when they were read last; each paragraph is its pieces in order."""

    since: datetime
    paragraphs: tuple[tuple[Piece, ...], ...]


def changes_to_read(membership: Membership) -> GuidelineChanges | None:
    """None where nothing is new, or nothing was read yet. One query: the record keeps each text as it was."""
    since = membership.guidelines_read_at or membership.consented_at
    if since is None:
        return None
    entry = (
        AuditEntry.objects.filter(
            campaign=membership.campaign_id,
            action="texts_changed",
            at__gt=since,
            detail__before__has_key="guidelines",
        )
        .order_by("at", "pk")
        .first()
    )
    if entry is None:
        return None
    paragraphs = tuple(changed_paragraphs(entry.detail["before"]["guidelines"], membership.campaign.guidelines))
    return GuidelineChanges(since, paragraphs) if paragraphs else None


def changed_paragraphs(before: str, after: str) -> Iterator[tuple[Piece, ...]]:
    """Those that differ, in the order of the new text; none if only markup or spaces differ.

    >>> list(changed_paragraphs("Read it.\\n\\nMark errors.", "Read it.\\n\\nMark all errors."))
    [(Piece(kind='same', text='Mark '), Piece(kind='added', text='all '), Piece(kind='same', text='errors.'))]
    """
    old, new = _paragraphs(before), _paragraphs(after)
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        pairs = min(b - a, d - c)
        for one, other in zip(old[a : a + pairs], new[c : c + pairs], strict=True):
            yield from _compared(one, other)
        yield from ((Piece("removed", text),) for text in old[a + pairs : b])
        yield from ((Piece("added", text),) for text in new[c + pairs : d])


def _paragraphs(text: str) -> list[str]:
    lines = (" ".join(_MARKUP.sub("", line).split()) for line in text.splitlines())
    return [line for line in lines if line]


def _compared(one: str, other: str) -> Iterator[tuple[Piece, ...]]:
    old, new = _WORDS.findall(one), _WORDS.findall(other)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    is_long = max(len(old), len(new)) > _MOST_WORDS
    if is_long or matcher.ratio() < _LEAST_IN_COMMON:
        yield (Piece("removed", one),)
        yield (Piece("added", other),)
        return
    yield tuple(_pieces(matcher, old, new))


def _pieces(matcher: "SequenceMatcher[str]", old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        if a < b:
            yield Piece("removed", "".join(old[a:b]))
        if c < d:
            yield Piece("added", "".join(new[c:d]))
