"""What two annotators both judged, with both answers; the largest differences first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

from django.db import connections, router, transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from annotation.models import ErrorSpan, Judgment, Score, Side, slot_values
from annotation.protocols.base import Measure
from annotation.queries.document_questions import page_questions
from campaigns.models import Account, Campaign, Document, Segment, System, Translation
from metrics.derivations import measures_of
from metrics.models import DerivedScore
from metrics.queries import regular_scores

MOST_SHOWN = 50
MOST_IN_FILE = 5_000
WHOLE_DOCUMENT = 0  # in the place of a segment


@dataclass(frozen=True)
class MarkedWords:
    side: str
    severity: str
    category: str
    words: str


@dataclass(frozen=True)
class Answered:
    """What one of the two answered about one output; `to_questions` are questions with their answers."""

    value: float
    text: str = ""
    comment: str = ""
    marks: Sequence[MarkedWords] = ()
    to_questions: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Output:
    """A text that both judged, of one system or of several that wrote the same."""

    systems: Sequence[str]
    text: str
    answers: tuple[Answered, Answered]


@dataclass(frozen=True)
class Difference:
    """`apart` is in the unit of the measure; of preferences, how many comparisons lie how far apart."""

    apart: float
    document: str
    segment: Segment | None
    outputs: Sequence[Output]

    @property
    def anchor(self) -> str:
        """What an address on the page leads to: the segment, and the output where it is about one alone."""
        output = f"-{slugify('-'.join(self.outputs[0].systems))}" if len(self.outputs) == 1 else ""
        return f"segment-{self.segment.pk}{output}" if self.segment else ""


@dataclass(frozen=True)
class PairDisagreements:
    """Of `shared` outputs (or comparisons) `alike` have the same answer; `differences` are the widest.

    `numbers` are what the two gave to each shared output; none of preferences.
    """

    measure: Measure
    shared: int
    alike: int
    differences: Sequence[Difference]
    numbers: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class _OwnScore:
    value: float
    judgment: int
    slot: str


@dataclass
class _Apart:
    apart: float
    document: int
    segment: int
    outputs: list[tuple[list[int], _OwnScore, _OwnScore]] = field(default_factory=list)


_Place = tuple[int, int, int]  # document, segment, system


def judged_measures(campaign: Campaign) -> dict[str, tuple[Measure, str | None]]:
    """By name, each with the formula that derives it, if one does; what is only counted is not compared."""
    return {measure.name: (measure, by) for measure, by in measures_of(campaign) if not measure.is_count}


def pair_disagreements(
    campaign: Campaign, pair: tuple[Account, Account], measure_name: str = "", *, most: int
) -> PairDisagreements | None:
    """Of regular judgments that count, by one measure or the first there is; None where nobody judges by that one.

    About ten queries, however much the two judged, and on PostgreSQL three statements around those of scores.
    """
    measures = judged_measures(campaign)
    name = measure_name or next(iter(measures))
    if name not in measures:
        return None
    measure, derived_by = measures[name]
    with _read_by_index():
        first, second = (_scores_of(campaign, measure, derived_by, account) for account in pair)
    compared = _of_preferences(first, second) if measure.is_relative else _of_values(dict(first), dict(second))
    apart, shared, alike = compared
    apart.sort(key=lambda each: (-each.apart, each.document, each.segment))
    widest = [each for each in apart if each.apart > 0][:most]
    pairs = [(one.value, other.value) for each in apart for _systems, one, other in each.outputs]
    numbers = [] if measure.is_relative else pairs
    return PairDisagreements(measure, shared, alike, list(_filled(campaign, widest)), numbers)


@contextmanager
def _read_by_index() -> Iterator[None]:
    """PostgreSQL finds the scores of one annotator by index, as on a disk on which pages anywhere cost the same.

    By its own estimate, of disks that turn, it reads those of all annotators where one has a fiftieth of them.
    """
    database = router.db_for_read(Score)
    if connections[database].vendor != "postgresql":
        yield
        return
    with transaction.atomic(using=database):
        with connections[database].cursor() as cursor:
            cursor.execute("SET LOCAL random_page_cost = 1.1")
        yield


def _scores_of(
    campaign: Campaign, measure: Measure, derived_by: str | None, account: Account
) -> list[tuple[_Place, _OwnScore]]:
    """In the order of assignments: stored scores (a file may have them without answers) and derived ones."""
    rows = list(_rows(Score.objects.all(), campaign, measure, account))
    if derived_by is not None:
        rows += _rows(DerivedScore.objects.filter(signature=derived_by), campaign, measure, account)
    rows.sort()
    return [
        ((document, segment or WHOLE_DOCUMENT, system), _OwnScore(value, judgment, slot))
        for _assignment, _position, document, segment, system, judgment, slot, value in rows
    ]


def _rows(scores: QuerySet[Any], campaign: Campaign, measure: Measure, account: Account) -> Iterator[tuple[Any, ...]]:
    counted = regular_scores(scores, campaign, measure.name).filter(judgment__annotator=account)
    item = ("judgment__item__assignment", "judgment__item__position")
    answer = ("judgment", "slot", "value")
    translated = ("translation__segment__document", "translation__segment", "translation__system")
    yield from counted.filter(translation__isnull=False).order_by().values_list(*item, *translated, *answer)
    if scores.model is Score:
        whole = counted.filter(translation=None).order_by()
        for assignment, position, document, system, *rest in whole.values_list(*item, "document", "system", *answer):
            yield (assignment, position, document, WHOLE_DOCUMENT, system, *rest)


def _of_values(first: Mapping[_Place, _OwnScore], second: Mapping[_Place, _OwnScore]) -> tuple[list[_Apart], int, int]:
    """The last score of each output; an output of several systems, judged once by each annotator, counts once."""
    outputs: dict[tuple[int, str, int, str], _Apart] = {}
    for place in first.keys() & second.keys():
        one, other = first[place], second[place]
        document, segment, system = place
        key = one.judgment, one.slot, other.judgment, other.slot
        entry = outputs.setdefault(key, _Apart(abs(one.value - other.value), document, segment, [([], one, other)]))
        entry.outputs[0][0].append(system)
    alike = sum(1 for each in outputs.values() if each.apart == 0)
    return list(outputs.values()), len(outputs), alike


def _of_preferences(
    first: Sequence[tuple[_Place, _OwnScore]], second: Sequence[tuple[_Place, _OwnScore]]
) -> tuple[list[_Apart], int, int]:
    """By the screens of a segment; two outputs are compared where each of the two annotators saw both on one."""
    mine, theirs = _screens(first), _screens(second)
    differences, shared, alike = [], 0, 0
    for document, segment in sorted(mine.keys() & theirs.keys()):
        for own, other in product(mine[document, segment], theirs[document, segment]):
            signs, compared = [], set()
            for left, right in combinations(sorted(own.keys() & other.keys()), 2):
                if all(side[left].slot == side[right].slot for side in (own, other)):
                    continue  # one output of two systems
                signs.append([_sign(side[left].value - side[right].value) for side in (own, other)])
                compared |= {left, right}
            shared += len(signs)
            alike += sum(1 for one, two in signs if one == two)
            outputs = [([system], own[system], other[system]) for system in sorted(compared)]
            differences.append(_Apart(float(sum(abs(one - two) for one, two in signs)), document, segment, outputs))
    return differences, shared, alike


def _screens(scores: Sequence[tuple[_Place, _OwnScore]]) -> dict[tuple[int, int], list[dict[int, _OwnScore]]]:
    """By document and segment, each screen's systems; one segment may have several screens."""
    screens: dict[tuple[int, int], dict[int, dict[int, _OwnScore]]] = defaultdict(dict)
    for (document, segment, system), each in scores:
        screens[document, segment].setdefault(each.judgment, {})[system] = each
    return {place: list(of_place.values()) for place, of_place in screens.items()}


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


@dataclass(frozen=True)
class _Texts:
    documents: Mapping[int, str]
    segments: Mapping[int, Segment]
    systems: Mapping[int, str]
    texts: Mapping[tuple[int, int], str]
    answers: Mapping[int, Mapping[str, Any]]
    marks: Mapping[tuple[int, int], Sequence[ErrorSpan]]
    questions: Mapping[int, Mapping[str, str]]


def _filled(campaign: Campaign, widest: Sequence[_Apart]) -> Iterator[Difference]:
    texts = _read(campaign, widest)
    for each in widest:
        segment = texts.segments.get(each.segment)
        yield Difference(
            apart=each.apart,
            document=texts.documents[each.document],
            segment=segment,
            outputs=[
                _output(texts, each, sorted(systems, key=lambda key: texts.systems[key]), (one, other))
                for systems, one, other in each.outputs
            ],
        )


def _output(texts: _Texts, each: _Apart, systems: Sequence[int], scores: tuple[_OwnScore, _OwnScore]) -> Output:
    text = next((texts.texts[each.segment, key] for key in systems if (each.segment, key) in texts.texts), "")
    one, other = (_answered(texts, each, systems, text, side) for side in scores)
    return Output([texts.systems[key] for key in systems], text, (one, other))


def _answered(texts: _Texts, each: _Apart, systems: Sequence[int], text: str, score: _OwnScore) -> Answered:
    answer = texts.answers.get(score.judgment, {})
    values = slot_values(answer, score.slot)
    segment = texts.segments.get(each.segment)
    source = (segment.source if segment else None) or ""
    spans = [span for key in systems for span in texts.marks.get((score.judgment, key), ())]
    questions = texts.questions.get(each.document, {})
    return Answered(
        value=score.value,
        text=str(values.get("text") or ""),
        comment=str(answer.get("comment") or ""),
        marks=[_marked(span, source if span.side == Side.SOURCE else text) for span in spans],
        to_questions=[(questions.get(name, name), str(value)) for name, value in (values.get("answers") or {}).items()],
    )


def _marked(span: ErrorSpan, text: str) -> MarkedWords:
    return MarkedWords(span.side, span.severity, span.category, text[span.start : span.end])


def _read(campaign: Campaign, widest: Sequence[_Apart]) -> _Texts:
    segments = {each.segment for each in widest} - {WHOLE_DOCUMENT}
    documents = {each.document for each in widest}
    scores = [side for each in widest for _systems, *sides in each.outputs for side in sides]
    systems = {key for each in widest for keys, *_ in each.outputs for key in keys}
    translations = Translation.objects.filter(segment__in=segments, system__in=systems)
    judgments = Judgment.objects.filter(pk__in={side.judgment for side in scores})
    answers = {key: answer for key, answer in judgments.values_list("pk", "answer") if isinstance(answer, Mapping)}
    return _Texts(
        documents=dict(Document.objects.filter(pk__in=documents).values_list("pk", "name")),
        segments=Segment.objects.in_bulk(segments),
        systems=dict(System.objects.filter(test_set=campaign.test_set_id).values_list("pk", "name")),
        texts={
            (segment, system): text or ""
            for segment, system, text in translations.values_list("segment", "system", "text")
        },
        answers=answers,
        marks=_marks(answers),
        questions={
            document: {each.name: each.text for each in own} for document, own in page_questions(documents).items()
        },
    )


def _marks(judgments: Iterable[int]) -> dict[tuple[int, int], list[ErrorSpan]]:
    """By judgment and system; for a text of several systems they are stored with one of them."""
    spans_of: dict[tuple[int, int], list[ErrorSpan]] = defaultdict(list)
    spans = ErrorSpan.objects.filter(judgment__in=list(judgments)).select_related("translation")
    for span in spans.order_by("side", "start", "pk"):
        spans_of[span.judgment_id, span.translation.system_id].append(span)
    return spans_of
