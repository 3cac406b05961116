"""A screen of three segments by three systems, and one annotator's answers to it, for two tools to be given."""

from collections.abc import Iterator
from dataclasses import dataclass, field

SYSTEMS = ("heron", "rook", "wren")
SOURCES = (
    "The ferry to the island left an hour early, and nobody at the harbour had been told about it.",
    "Those who came by bus from the valley waited on the pier until the evening boat arrived.",
    "The company said that it would pay for rooms and for the meals of all who had to stay.",
)
TRANSLATIONS = (
    "Die Fähre zur Insel fuhr eine Stunde früher ab, und niemand am Hafen hatte davon etwas gewusst.",
    "Wer mit dem Bus aus dem Tal kam, wartete am Steg, bis das Boot am Abend eintraf.",
    "Die Reederei sagte, sie werde Zimmer und Essen für alle bezahlen, die bleiben mussten.",
)


@dataclass(frozen=True)
class Mark:
    """From one word of the text to another, counted from 0, both included."""

    first: int
    last: int
    severity: str


@dataclass(frozen=True)
class Judged:
    segment: int
    system: str
    score: int
    marks: tuple[Mark, ...] = ()
    missing: str = field(default="")  # the severity of the tag of that name

    @property
    def text(self) -> str:
        return text_of(self.segment, self.system)

    @property
    def spans(self) -> list[tuple[int, int, str]]:
        """Half-open, in characters: the texts have none beyond the first plane."""
        found = []
        for mark in self.marks:
            words = list(_words(self.text))
            found.append((words[mark.first][0], words[mark.last][1], mark.severity))
        return found


ANSWERS = (
    Judged(0, "heron", 90),
    Judged(0, "rook", 65, (Mark(4, 6, "minor"),)),
    Judged(0, "wren", 40, (Mark(1, 1, "major"), Mark(9, 12, "minor"))),
    Judged(1, "heron", 80, (Mark(9, 9, "minor"),)),
    Judged(1, "rook", 55, (Mark(0, 3, "major"),)),
    Judged(1, "wren", 100),
    Judged(2, "heron", 60, missing="minor"),
    Judged(2, "rook", 75, (Mark(5, 5, "minor"),)),
    Judged(2, "wren", 25, (Mark(2, 2, "minor"), Mark(7, 11, "major"))),
)
MARKS = sum(len(each.marks) for each in ANSWERS)
TAGS = sum(bool(each.missing) for each in ANSWERS)


def text_of(segment: int, system: str) -> str:
    """Systems differ in one word at the end, so that no two share a cell."""
    return f"{TRANSLATIONS[segment][:-1]} {system}."


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Without the stops after them."""
    start = 0
    for word in text.split(" "):
        yield start, start + len(word.rstrip(",."))
        start += len(word) + 1
