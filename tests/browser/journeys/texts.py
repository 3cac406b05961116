"""What the journeys judge: texts whose worth is known, as the files an organiser drops.

Heron and Kestrel are equally good, now one ahead and now the other; Rook is clearly worse. How good a translation is
shows in its words, too: so many of them differ from the reference.
"""

import csv
import io
import random
import re
from dataclasses import dataclass
from functools import cached_property

from playwright.sync_api import FilePayload

ALIKE, WORSE = ("Heron", "Kestrel"), "Rook"
SYSTEMS = (*ALIKE, WORSE)
SEGMENTS_OF_A_DOCUMENT = 2
WORDS = [
    "der",
    "alte",
    "Hafen",
    "liegt",
    "heute",
    "still",
    "und",
    "grau",
    "im",
    "Regen",
    "während",
    "drei",
    "kleine",
    "Boote",
    "langsam",
    "gegen",
    "Norden",
    "fahren",
    "weil",
    "dort",
    "jemand",
    "einen",
    "warmen",
    "Platz",
    "mit",
    "Brot",
    "Käse",
    "Tee",
    "Musik",
    "kennt",
    "und",
    "niemand",
    "mehr",
    "an",
    "morgen",
    "denkt",
]
QUESTIONS = 4
RIGHT, WRONG, UNSAID = "yes", "no", "the text does not say"


@dataclass(frozen=True)
class Output:
    """One system's translation of a segment, counted from 0, or of a whole document where that is what is asked."""

    segment: int
    system: str
    text: str
    reference: str
    is_document: bool = False

    @property
    def document(self) -> int:
        return self.segment // SEGMENTS_OF_A_DOCUMENT

    @property
    def place(self) -> str:
        """As the pages name it."""
        return f"d{self.document}" if self.is_document else f"d{self.document}:{self.segment}"

    @property
    def worth(self) -> float:
        """How good it is, from 0 to 100: the truth."""
        if self.system == WORSE:
            return 45.0
        if self.is_document:
            return 84.0
        is_ahead = (self.segment % 2 == 0) == (self.system == ALIKE[0])
        return 88.0 if is_ahead else 80.0


@dataclass(frozen=True)
class Texts:
    """`quarrels` are the places on which half of the annotators see everything the other way round."""

    documents: int
    quarrels: tuple[str, ...]
    asks_questions: bool = False

    @cached_property
    def outputs(self) -> list[Output]:
        outputs = []
        for segment in range(self.documents * SEGMENTS_OF_A_DOCUMENT):
            dice = random.Random(segment)
            wanted = [f"Nummer{segment}", *dice.sample(WORDS, 9)]
            for place, system in enumerate(SYSTEMS):
                words = list(wanted)
                for position in dice.sample(range(1, 10), 5 if system == WORSE else 1 + (segment + place) % 2):
                    words[position] = f"{words[position][::-1].lower()}{system[0].lower()}"
                outputs.append(Output(segment, system, " ".join(words), " ".join(wanted)))
        return outputs

    def recognised(self, shown: str, source: str | None) -> tuple[Output, bool]:
        """Which output this text is, and whether somebody damaged it."""
        number = re.search(r"Number (\d+)", source or "") or re.search(r"Nummer(\d+)", shown)
        assert number, shown
        own = [output for output in self.outputs if output.segment == int(number[1])]
        nearest = max(own, key=lambda output: len(set(output.text.split()) & set(shown.split())))
        if self.asks_questions:
            return Output(nearest.segment, nearest.system, shown, "", is_document=True), False
        return nearest, nearest.text != shown

    def files(self) -> list[FilePayload]:
        """As a browser is given them."""
        files: list[FilePayload] = [_file("texts.csv", self._rows())]
        if self.asks_questions:
            files.append(_file("questions.csv", self._questions()))
        return files

    def _rows(self) -> list[dict[str, object]]:
        rows: dict[int, dict[str, object]] = {}
        for output in self.outputs:
            new = {
                "document": f"d{output.document}",
                "segment": output.segment,
                "source": f"Number {output.segment} is said in ten plain words.",
                "reference": output.reference,
            }
            rows.setdefault(output.segment, new)[f"system:{output.system}"] = output.text
        return list(rows.values())

    def _questions(self) -> list[dict[str, object]]:
        return [
            {
                "document": f"d{document}",
                "question": f"Does text {document} answer question {number}?",
                "choices": "|".join((RIGHT, WRONG, UNSAID)),
                "accepted": RIGHT,
                "name": f"q{number}",
            }
            for document in range(self.documents)
            for number in range(QUESTIONS)
        ]


def _file(name: str, rows: list[dict[str, object]]) -> FilePayload:
    text = io.StringIO()
    table = csv.DictWriter(text, fieldnames=list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    return FilePayload(name=name, mimeType="text/csv", buffer=text.getvalue().encode())
