"""Invented texts of the length of news, in a test set as large as asked."""

from dataclasses import dataclass

from django.utils.text import slugify

import numpy as np

from campaigns.models import Document, Reference, Segment, System, TestSet, TestSetStatus, Translation

DOMAINS = ("news", "speech", "social", "literary")
TAGS = ("idiom", "names", "numbers", "negation")
AT_ONCE = 5_000
_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvw"
_WORDS = 3_000


@dataclass(frozen=True)
class Size:
    """`beside` is how many there are of what stands beside judgments: reports, decisions, links, other campaigns."""

    documents: int
    per_document: int
    systems: int
    annotators: int
    per_output: int
    per_assignment: int
    beside: int


@dataclass(frozen=True)
class Texts:
    test_set: TestSet
    systems: list[System]
    segments: list[Segment]
    outputs: list[Translation]


def make_texts(name: str, size: Size, rng: np.random.Generator) -> Texts:
    """Outputs in the order of segments, then systems. The first two systems wrote some the same."""
    test_set = TestSet.objects.create(
        name=name, slug=slugify(name), status=TestSetStatus.READY, source_language="en", target_language="de"
    )
    names = [f"system-{number:02}" for number in range(size.systems)]
    systems = System.objects.bulk_create(
        [System(test_set=test_set, name=each, is_human=each == names[-1]) for each in names]
    )
    documents = Document.objects.bulk_create(
        [
            Document(test_set=test_set, name=f"text-{place:03}", position=place, domain=DOMAINS[place % len(DOMAINS)])
            for place in range(size.documents)
        ]
    )
    said = Sentences(rng)
    segments = Segment.objects.bulk_create(
        [
            Segment(
                document=document,
                name=f"{document.name}.{place}",
                position=place,
                source=said.one(),
                domain=document.domain,
                tags=[TAGS[place % len(TAGS)]],
            )
            for document in documents
            for place in range(size.per_document)
        ],
        batch_size=AT_ONCE,
    )
    Reference.objects.bulk_create(
        [Reference(segment=segment, text=said.one()) for segment in segments], batch_size=AT_ONCE
    )
    outputs = [Translation(segment=each, system=system, text=said.one()) for each in segments for system in systems]
    for first in range(0, len(outputs), 50 * size.systems):
        outputs[first + 1].text = outputs[first].text
    return Texts(test_set, systems, segments, Translation.objects.bulk_create(outputs, batch_size=AT_ONCE))


class Sentences:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._words = ["".join(self._word()) for _ in range(_WORDS)]
        odds = 1 / np.arange(1, _WORDS + 1)
        self._odds = odds / odds.sum()
        self._drawn: list[int] = []

    def one(self) -> str:
        if len(self._drawn) < 40:
            self._drawn = self._rng.choice(_WORDS, 100_000, p=self._odds).tolist()
        length = 8 + self._drawn.pop() % 20
        words = [self._words[self._drawn.pop()] for _ in range(min(length, len(self._drawn)))]
        return " ".join(words).capitalize() + "."

    def _word(self) -> list[str]:
        pairs = int(self._rng.integers(1, 5))
        return [str(self._rng.choice(list(letters))) for _ in range(pairs) for letters in (_CONSONANTS, _VOWELS)]
