"""Texts of the test set to practise on: short, of acceptable quality, and not among the regular items if possible."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Avg, Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Length

from annotation.models import (
    Credit,
    ErrorSpan,
    ItemKind,
    ItemLevel,
    PracticeItem,
    Score,
    Side,
    Slot,
    is_surplus,
)
from annotation.protocols.base import Protocol
from annotation.queries.document_questions import questions_on
from annotation.queries.practice import protocol_of
from campaigns.models import Campaign, Document, Question, Reference, Segment, SuggestedSpan, Translation
from metrics.automatic import METRICS

SHORT = (12, 160)  # characters of a source
CONSIDERED = 300  # segments, of which some are compared
COMPARED = 40
COMPARED_OUTPUTS = 1_000  # of very many systems fewer segments are compared, but these
FEWEST_COMPARED = 10
Pair = tuple[int, int]  # a segment (or a document) and a system


class ProposedMark(NamedTuple):
    """Half-open, in code points; an empty one is a tag, named by the category, or an omission."""

    start: int
    end: int
    severity: str
    category: str

    def meets(self, other: "ProposedMark") -> bool:
        if self.start == self.end or other.start == other.end:
            return self == other._replace(severity=self.severity)
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Output:
    """`quality` compares outputs of one segment, whatever its unit; `means` are of the judgments, by measure.

    `marks` are the errors that half of the judgments or more have there, or those that came with the test set.
    """

    system: int
    text: str
    quality: float
    is_planned: bool
    means: Mapping[str, float]
    marks: tuple[ProposedMark, ...] = ()


@dataclass(frozen=True)
class PracticeText:
    """A segment, or a whole document, with the outputs to show, the better ones in no particular order.

    `key` is the segment's or the document's; `reference` is there even where the campaign does not show it.
    """

    key: int
    source: str
    reference: str
    outputs: tuple[Output, ...]

    @property
    def is_planned(self) -> bool:
        """Whether some of it is a regular item of somebody."""
        return any(output.is_planned for output in self.outputs)


def practice_text(campaign: Campaign, place: int) -> PracticeText | None:
    """The text at this place of all that are suitable, going round; None where there is none. At most 13 queries."""
    protocol = protocol_of(campaign)
    found = _documents(campaign) if protocol.reads_once else _segments(campaign, protocol)
    return found[place % len(found)] if found else None


def _segments(campaign: Campaign, protocol: Protocol[Any]) -> list[PracticeText]:
    rng = random.Random(f"{campaign.seed} practice")  # noqa: S311 - repeatable, not secret
    sources = _short_sources(campaign)
    references = _references_of(sources) if sources else {}
    if protocol.shows_reference:
        sources = {key: text for key, text in sources.items() if key in references}
    outputs = _outputs_of(sources)
    planned = _planned(campaign, sources)
    mixed = rng.sample(sorted(outputs), len(outputs))
    most = COMPARED_OUTPUTS // max(map(len, outputs.values()), default=1)
    compared = min(COMPARED, max(FEWEST_COMPARED, most))
    chosen = sorted(mixed, key=lambda key: not _unplanned(key, outputs[key], planned))[:compared]
    means = _means(campaign, protocol, chosen)
    rated = _rated(means, chosen, outputs, references, planned)
    shown = {key: own for key in chosen if (own := _shown(rated[key], protocol.slots_per_item, rng))}
    marks = _proposed_marks(campaign, list(shown)) if getattr(protocol, "rules", None) else {}
    texts = [
        PracticeText(
            key,
            sources[key],
            references.get(key, ""),
            tuple(replace(output, marks=marks.get((key, output.system), ())) for output in outputs_shown),
        )
        for key, outputs_shown in shown.items()
    ]
    return sorted(texts, key=lambda text: text.is_planned)


def _short_sources(campaign: Campaign) -> dict[int, str]:
    """Segments of a good length; where there are none, the shortest. Without those that are practised on already."""
    used = set(PracticeItem.objects.filter(campaign=campaign).values_list("source", flat=True))
    own = Segment.objects.filter(document__test_set=campaign.test_set_id, source__isnull=False).exclude(source="")
    sized = own.annotate(length=Length("source")).order_by("pk")
    rows = list(sized.filter(length__gte=SHORT[0], length__lte=SHORT[1]).values_list("pk", "source")[:CONSIDERED])
    rows = rows or list(sized.order_by("length", "pk").values_list("pk", "source")[:COMPARED])
    return {key: source or "" for key, source in rows if source not in used}


def _references_of(segments: Mapping[int, str]) -> dict[int, str]:
    rows = Reference.objects.filter(segment__in=segments).order_by("-name")  # the first name is set last
    return dict(rows.values_list("segment", "text"))


def _outputs_of(sources: Mapping[int, str]) -> dict[int, dict[int, str]]:
    """By segment and system the outputs that somebody could judge: not empty, and not the source itself."""
    rows = Translation.objects.filter(segment__in=sources, text__isnull=False, system__stands_for="")
    outputs: dict[int, dict[int, str]] = defaultdict(dict)
    for segment, system, text in rows.order_by("segment", "system").values_list("segment", "system", "text"):
        if (text or "").strip() and (text or "").strip() != sources[segment].strip():
            outputs[segment][system] = text or ""
    return dict(outputs)


def _planned(campaign: Campaign, segments: Mapping[int, str]) -> set[Pair]:
    """Segments and systems that are judged, also by the judgment of an identical output.

    Each output is looked for by itself: a database that joins them would look through all items.
    """
    slots = Slot.objects.filter(
        translation=OuterRef("pk"), item__assignment__campaign=campaign, item__kind=ItemKind.REGULAR
    ).exclude(item__level=ItemLevel.CONTEXT)
    credits = Credit.objects.filter(
        translation=OuterRef("pk"), slot__item__assignment__campaign=campaign, slot__item__kind=ItemKind.REGULAR
    ).exclude(slot__item__level=ItemLevel.CONTEXT)
    one, other = (Subquery(rows.order_by().values("pk")[:1]) for rows in (slots, credits))
    outputs = Translation.objects.filter(segment__in=segments).order_by().annotate(planned=Coalesce(one, other))
    return {(segment, system) for segment, system, key in outputs.values_list("segment", "system", "planned") if key}


def _unplanned(segment: int, outputs: Mapping[int, str], planned: set[Pair]) -> bool:
    return any((segment, system) not in planned for system in outputs)


def _rated(
    means: Mapping[Pair, Mapping[str, float]],
    segments: Sequence[int],
    outputs: Mapping[int, Mapping[int, str]],
    references: Mapping[int, str],
    planned: set[Pair],
) -> dict[int, list[Output]]:
    """Quality by chrF where there is a reference; else an output of the usual length is the better one."""
    rated: dict[int, list[Output]] = {}
    for segment in segments:
        texts = outputs[segment]
        if segment in references:
            scored = METRICS["chrf"]().score(list(texts.values()), [references[segment]] * len(texts))
            qualities = scored.segments.tolist()
        else:
            usual = sorted(map(len, texts.values()))[len(texts) // 2]
            qualities = [-abs(len(text) - usual) / usual for text in texts.values()]
        rated[segment] = [
            Output(system, text, quality, (segment, system) in planned, means.get((segment, system), {}))
            for (system, text), quality in zip(texts.items(), qualities, strict=True)
        ]
    return rated


def _means(campaign: Campaign, protocol: Protocol[Any], segments: Sequence[int]) -> dict[Pair, dict[str, float]]:
    """The means of what has been judged, by segment and system, then by measure; each output by itself, as above."""
    judged = Score.objects.filter(
        translation=OuterRef("pk"),
        judgment__item__assignment__campaign=campaign,
        judgment__item__kind=ItemKind.REGULAR,
        judgment__is_current=True,
    ).alias(surplus=is_surplus("judgment__"))
    own = judged.filter(surplus=False).order_by().values("translation")
    names = [measure.name for measure in protocol.measures]
    columns = {
        f"mean_{place}": Subquery(own.filter(measure=name).annotate(mean=Avg("value")).values("mean"))
        for place, name in enumerate(names)
    }
    outputs = Translation.objects.filter(segment__in=segments).order_by().annotate(**columns)
    return {
        (segment, system): {name: float(mean) for name, mean in zip(names, means, strict=True) if mean is not None}
        for segment, system, *means in outputs.values_list("segment", "system", *columns)
    }


def _proposed_marks(campaign: Campaign, segments: Sequence[int]) -> dict[Pair, tuple[ProposedMark, ...]]:
    """Of the translations; of outputs that nobody judged, those that came with the test set."""
    fields = ("start", "end", "severity", "category")
    of_output = ("translation__segment", "translation__system")
    outputs = list(Translation.objects.filter(segment__in=segments).order_by().values_list("pk", flat=True))
    own = {
        "translation__in": outputs,
        "judgment__is_current": True,
        "judgment__item__kind": ItemKind.REGULAR,
        "judgment__item__assignment__campaign": campaign,
    }
    judged: dict[Pair, set[int]] = defaultdict(set)
    scores = Score.objects.filter(**own).order_by()
    for *pair, judgment in scores.values_list(*of_output, "judgment").distinct():
        judged[pair[0], pair[1]].add(judgment)
    given: dict[Pair, dict[int, list[ProposedMark]]] = defaultdict(lambda: defaultdict(list))
    spans = ErrorSpan.objects.filter(side=Side.TARGET, **own)
    for segment, system, judgment, *mark in spans.order_by("pk").values_list(*of_output, "judgment", *fields):
        given[segment, system][judgment].append(ProposedMark(*mark))
    proposed = {pair: _agreed(list(by.values()), len(judged[pair] | by.keys())) for pair, by in given.items()}
    suggested: dict[Pair, list[ProposedMark]] = defaultdict(list)
    others = SuggestedSpan.objects.filter(translation__segment__in=segments, side=Side.TARGET).order_by("pk")
    for segment, system, *mark in others.values_list(*of_output, *fields):
        if (segment, system) not in judged:
            suggested[segment, system].append(ProposedMark(*mark))
    return proposed | {pair: tuple(marks) for pair, marks in suggested.items()}


def _agreed(by_judgment: Sequence[Sequence[ProposedMark]], judgments: int) -> tuple[ProposedMark, ...]:
    """What at least half have marked there, as the mark that most others meet has it; none over another."""
    support = {
        mark: sum(any(mark.meets(other) for other in marks) for marks in by_judgment)
        for own in by_judgment
        for mark in own
    }
    agreed: list[ProposedMark] = []
    for mark in sorted(support, key=lambda each: (-support[each], each)):
        if 2 * support[mark] >= judgments and not any(mark.meets(other) for other in agreed):
            agreed.append(mark)
    return tuple(sorted(agreed))


def _shown(outputs: Sequence[Output], slots: int, rng: random.Random) -> tuple[Output, ...]:
    """One of the better half, not planned if possible; or, side by side, the best and the worst that differ."""
    best_first = sorted(outputs, key=lambda output: -output.quality)
    if slots > 1:
        others = [output for output in best_first if output.text != best_first[0].text]
        return tuple(rng.sample([best_first[0], others[-1]], 2)) if others else ()
    better = best_first[: -(-len(best_first) // 2)]
    free = [output for output in better if not output.is_planned]
    return (rng.choice(free or better),) if better else ()


def _documents(campaign: Campaign) -> list[PracticeText]:
    """Whole documents with questions, those that nobody is to read first, then the shortest."""
    asked = Question.objects.filter(document__test_set=campaign.test_set_id).values("document")
    documents = Document.objects.filter(pk__in=asked).annotate(segments_there=Count("segments"))
    keys = list(documents.order_by("segments_there", "pk").values_list("pk", flat=True)[:COMPARED])
    slots = Slot.objects.filter(item__assignment__campaign=campaign, item__document__in=keys)
    planned = set(slots.order_by().values_list("item__document", flat=True).distinct())
    texts: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    rows = Translation.objects.filter(segment__document__in=keys, system__stands_for="").order_by("segment__position")
    for document, system, text in rows.values_list(F("segment__document"), "system", "text"):
        texts[document][system].append(text or "")
    used = [slots.values() for slots in PracticeItem.objects.filter(campaign=campaign).values_list("slots", flat=True)]
    known = {text for own in used for text in own}
    found = []
    for key in sorted((each for each in keys if texts[each]), key=lambda each: each in planned):
        most = max(len(segments) for segments in texts[key].values())
        whole = {system: segments for system, segments in texts[key].items() if len(segments) == most}
        system = min(whole, key=lambda each: (sum(not text.strip() for text in whole[each]), each))
        found.append((key, Output(system, "\n\n".join(whole[system]), 0.0, key in planned, {})))
    return [PracticeText(key, "", "", (output,)) for key, output in found if output.text not in known]


def with_questions(text: PracticeText, protocol: Protocol[Any]) -> list[dict[str, Any]]:
    """The questions on the document as a practice item has them; none where the protocol asks none."""
    if not protocol.asks_questions:
        return []
    return [
        {"name": each.name, "question": each.text, "choices": list(each.choices), "accepted": list(each.accepted)}
        for each in questions_on(text.key)
    ]
