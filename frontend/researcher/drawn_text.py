"""A text as HTML with the errors that annotators and metrics mark under it: as on the workbench, without styles.

Terms and codes are told by kinds of lines as well. Markup that nobody reads is left out.

Words are cut only where an error begins or ends inside one, so that letters that join stay joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import chain, pairwise

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from annotation.beside.inline_codes import without_markup
from annotation.models import ErrorSpan
from annotation.planning.text_units import character_ranges, has_spaced_words, word_ranges
from frontend.templatetags.icons import rank_of
from metrics.segments.metric_marks import MarkedByMetric
from metrics.segments.sheet import MarkedError

MARKUP = "markup"
SAME, REMOVED, INSERTED = "same", "removed", "inserted"
LARGEST = 4_000_000
DEEPEST = 7
_OF_METRIC = mark_safe(' data-by="metric"')


@dataclass(frozen=True)
class Stroke:
    """One error on one lane under the text; `of` is the judgment that marks it, or the metric's sign."""

    number: int
    of: str
    start: int
    end: int
    rank: int
    lane: int
    is_of_metric: bool = False

    @property
    def sign(self) -> str:
        return self.of if self.is_of_metric else str(self.number)


@dataclass(frozen=True)
class Hint:
    """A term, a code or markup in a text: half-open, in code points."""

    look: str
    start: int
    end: int


@dataclass(frozen=True)
class MetricMarks:
    """What a metric marks in one text; `number` is the metric's among those of the segment."""

    number: int
    title: str
    marks: Sequence[MarkedByMetric]

    @property
    def sign(self) -> str:
        return f"M{self.number}"


def strokes_of(errors: Sequence[MarkedError], metrics: Sequence[MetricMarks] = ()) -> list[Stroke]:
    """Errors in the translation, each on the first lane that is free where it begins; points take no lane.

    Those of metrics hang below all that annotators marked.
    """
    lanes = _Lanes()
    own = [error for error in errors if not error.is_in_source]
    strokes = [
        Stroke(each.number, str(span.judgment_id), span.start, span.end, rank_of(span.severity), lanes.take(span))
        for each in sorted(own, key=lambda each: (each.span.start, -each.span.end, each.number))
        for span in (each.span,)
    ]
    for metric in metrics:
        lanes = _Lanes(first=lanes.following)
        strokes += [
            Stroke(metric.number, metric.sign, mark.start, mark.end, rank_of(mark.severity), lanes.take(mark), True)
            for mark in sorted(metric.marks, key=lambda mark: (mark.start, -mark.end))
        ]
    return strokes


class _Lanes:
    """Lanes from `first` down, each with the end of the last error on it."""

    def __init__(self, first: int = 0) -> None:
        self._first = first
        self._ends: list[int] = []

    @property
    def following(self) -> int:
        return self._first + len(self._ends)

    def take(self, span: ErrorSpan | MarkedByMetric) -> int:
        lane = 0
        if span.start < span.end:
            lane = next((place for place, end in enumerate(self._ends) if end <= span.start), len(self._ends))
            self._ends[lane : lane + 1] = [span.end]
        return self._first + lane


def lanes_of(strokes: Sequence[Stroke]) -> int:
    """How many lanes beyond the two that the usual leading has room for."""
    return min(max((stroke.lane for stroke in strokes if stroke.start < stroke.end), default=0), DEEPEST)


def drawn(text: str, strokes: Sequence[Stroke], language: str, hints: Sequence[Hint] = ()) -> SafeString:
    """The whole text, its words as units, with strokes, hints and the signs of missing content."""
    if not strokes and not hints:
        return escape(text)
    hidden = [hint for hint in hints if hint.look == MARKUP]
    areas = [_within_shown(stroke, hidden) for stroke in strokes if stroke.start < stroke.end]
    points = [stroke for stroke in strokes if stroke.start == stroke.end]
    html = [_unit(text, start, end, areas, points, hints) for start, end in _units(text, language)]
    html += [_missing(point) for point in points if point.start >= len(text)]
    return mark_safe("".join(html))  # noqa: S308 - of pieces that are escaped one by one


def _within_shown(stroke: Stroke, hidden: Sequence[Hint]) -> Stroke:
    """One that begins or ends in markup begins after it, ends before it."""
    start = next((each.end for each in hidden if each.start <= stroke.start < each.end), stroke.start)
    end = next((each.start for each in hidden if each.start < stroke.end <= each.end), stroke.end)
    return replace(stroke, start=start, end=end) if start < end else stroke


def compared(before: str, after: str, language: str) -> SafeString:
    """The later text with what it has not of the earlier one struck out."""
    tags = {SAME: "{}", REMOVED: "<del>{}</del>", INSERTED: "<ins>{}</ins>"}
    pieces = difference(without_markup(before), without_markup(after), language)
    return format_html_join("", "{}", ((format_html(tags[piece.kind], piece.text),) for piece in pieces))


def _units(text: str, language: str) -> list[tuple[int, int]]:
    """All of the text in turn: words (or letters where words are not spaced), and the text between them."""
    ranges = word_ranges(text) if has_spaced_words(language) else character_ranges(text)
    edges = sorted({0, len(text), *chain.from_iterable(ranges)})
    return list(pairwise(edges))


def _unit(
    text: str, start: int, end: int, areas: Sequence[Stroke], points: Sequence[Stroke], hints: Sequence[Hint]
) -> SafeString:
    here = [stroke for stroke in areas if stroke.start < end and start < stroke.end]
    looks = [hint for hint in hints if hint.start < end and start < hint.end]
    before = format_html_join("", "{}", ((_missing(each),) for each in points if start <= each.start < end))
    if not here and not looks:
        return format_html("{}{}", before, text[start:end])
    places = [*((each.start, each.end) for each in here), *((each.start, each.end) for each in looks)]
    inner = {edge for edge in chain.from_iterable(places) if start < edge < end}
    cuts = sorted({start, *inner, end})
    if len(cuts) == 2:
        return format_html("{}{}", before, _piece(text, start, end, here, looks, kind="tk" if here else "pc"))
    pieces = format_html_join("", "{}", ((_piece(text, *cell, here, looks),) for cell in pairwise(cuts)))
    return format_html('{}<span class="tk">{}</span>' if here else "{}{}", before, pieces)


def _piece(
    text: str, start: int, end: int, areas: Sequence[Stroke], hints: Sequence[Hint], kind: str = "pc"
) -> SafeString:
    here = [stroke for stroke in areas if stroke.start < end and start < stroke.end]
    own = {hint.look for hint in hints if hint.start < end and start < hint.end}
    if MARKUP in own:
        return SafeString()
    looks = format_html(' data-look="{}"', " ".join(sorted(own))) if own else ""
    if not here:
        return format_html('<span class="{}"{}>{}</span>', kind, looks, text[start:end])
    worst = max((stroke.rank for stroke in here if not stroke.is_of_metric), default=None)
    wash = "" if worst is None else format_html(' data-w="{}"', worst)
    return format_html('<span class="{}"{}{}>{}{}</span>', kind, looks, wash, text[start:end], _strokes(here, start))


def _strokes(strokes: Sequence[Stroke], start: int) -> SafeString:
    return format_html_join(
        "",
        '<i class="u" aria-hidden="true" data-s="{}" data-lane="{}" data-of="{}"{}>{}</i>',
        (
            (
                stroke.rank,
                min(stroke.lane, DEEPEST),
                stroke.of,
                _OF_METRIC if stroke.is_of_metric else "",
                format_html("<b>{}</b>", signs) if signs else "",
            )
            for stroke, signs in zip(strokes, _signs(strokes, start), strict=True)
        ),
    )


def _signs(strokes: Sequence[Stroke], start: int) -> list[str]:
    """The first of the strokes that begin here shows the signs of all."""
    begin = [stroke for stroke in strokes if stroke.start == start]
    in_order = sorted(begin, key=lambda stroke: (stroke.is_of_metric, stroke.number))
    together = ", ".join(dict.fromkeys(stroke.sign for stroke in in_order))
    return [together if begin and stroke is begin[0] else "" for stroke in strokes]


def _missing(stroke: Stroke) -> SafeString:
    return format_html(
        '<span class="miss" aria-hidden="true" data-s="{}" data-of="{}">‸{}</span>', stroke.rank, stroke.of, stroke.sign
    )


@dataclass(frozen=True)
class Piece:
    kind: str
    text: str


def difference(before: str, after: str, language: str) -> list[Piece]:
    """In reading order, removed words before their replacement. Very long texts differ as a whole."""
    old, young = _words(before, language), _words(after, language)
    if len(old) * len(young) > LARGEST:
        return [Piece(REMOVED, before), Piece(INSERTED, after)]
    pieces: list[Piece] = []
    matcher = SequenceMatcher(None, [word for _space, word in old], [word for _space, word in young], autojunk=False)
    for step, start, end, low, high in matcher.get_opcodes():
        if step == "equal":
            pieces.append(Piece(SAME, "".join(space + word for space, word in young[low:high])))
            continue
        for kind, words in ((REMOVED, old[start:end]), (INSERTED, young[low:high])):
            between = " " if has_spaced_words(language) and pieces and pieces[-1].kind == REMOVED else ""
            pieces += _marked(kind, words, between)
    return pieces


def _marked(kind: str, words: list[tuple[str, str]], between: str) -> list[Piece]:
    """The space before a difference is not part of it; `between` replaces a missing one."""
    if not words:
        return []
    (space, first), *rest = words
    text = first + "".join(gap + word for gap, word in rest)
    before = space or between
    return [*([Piece(SAME, before)] if before else []), Piece(kind, text)]


def _words(text: str, language: str) -> list[tuple[str, str]]:
    """Words, or letters where words are not spaced, each with the space before it."""
    ranges = word_ranges(text) if has_spaced_words(language) else character_ranges(text)
    words, done = [], 0
    for start, end in ranges:
        words.append((text[done:start], text[start:end]))
        done = end
    return words
