"""Who judges what in a campaign that is made by statements: numbers from which every row follows by arithmetic.

A text is a document as one system has it. In each round every text is judged once, a few of them in an assignment; an
annotator has the same share of every round, of other texts each time. After the last round, some have begun one more.
"""

from dataclasses import dataclass
from functools import cached_property

SCORED, MARKED = "Million scored", "Million marked"
PER_OUTPUT, PER_DOCUMENT, DAYS = 5, 20, 28
CONTROLS = 4  # of an assignment: two repeats, two degraded
SHARED_EVERY = 50  # segments of which the first two systems have the same output
_DISTANCES = (0, 1, 3, 7, 12)  # between the annotators of one text: no two pairs are equally far apart


@dataclass(frozen=True)
class Layout:
    """`waiting` assignments of `waiting_texts` documents of one segment are planned and nobody's yet."""

    protocol: str
    systems: int
    documents: int
    segments: int = PER_DOCUMENT  # of a document
    texts: int = 5  # of an assignment
    share: int = 4  # assignments of an annotator in a round
    rounds: int = PER_OUTPUT
    waiting: int = 12
    waiting_texts: int = 500

    @property
    def all_texts(self) -> int:
        return self.documents * self.systems

    @property
    def regular(self) -> int:
        """Regular items of an assignment."""
        return self.texts * self.segments

    @property
    def per_round(self) -> int:
        """Assignments."""
        return self.all_texts // self.texts

    @property
    def annotators(self) -> int:
        return self.per_round // self.share

    @property
    def judged_segments(self) -> int:
        return self.documents * self.segments

    @property
    def all_segments(self) -> int:
        """Those of the waiting documents come last."""
        return self.judged_segments + self.waiting_texts

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """By round; after the last, that of the assignments which are half done."""
        taken = {distance % self.annotators for distance in _DISTANCES}
        return (*_DISTANCES, next(each for each in range(13, 50) if each % self.annotators not in taken))

    @property
    def step(self) -> int:
        """From text to text in a round: prime, and so through all of them."""
        return next(each for each in (7_919, 7_927, 7_933) if self.all_texts % each)


def layouts(judgments: int) -> tuple[Layout, Layout]:
    """One of slider scores with so many judgments, and one of marked errors with three tenths of it.

    With fewer than 100,000, both have fewer and shorter texts; the least is 2,000.
    """
    if judgments < 100_000:
        documents = 4 * max(2, judgments // 1_000)
        waiting_texts = 10 if judgments < 10_000 else 300  # enough for the loops of the bench, too many for tests
        small = {"documents": documents, "segments": 5, "texts": 2, "waiting": 4, "waiting_texts": waiting_texts}
        return Layout("direct_assessment", 10, share=2, **small), Layout("mqm", 6, share=3, **small)
    documents = 4 * (judgments // (4 * 50 * PER_DOCUMENT * PER_OUTPUT))
    return Layout("direct_assessment", 50, documents), Layout("mqm", 15, documents, share=12 if documents >= 100 else 3)
