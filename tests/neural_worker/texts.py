"""What the small models score: translations into German, one of them empty, one too long, some with two references."""

from dataclasses import dataclass

LAYER = 2
LONG = "Nebel Hafen Fähre " * 400


@dataclass(frozen=True)
class Sample:
    src: str
    mt: str
    refs: tuple[str, ...]


SAMPLES = (
    Sample("fog on the quay", "Nebel am Kai", ("Nebel auf dem Kai",)),
    Sample("The ferry is late.", "Die Fähre kommt später.", ("Die Fähre ist verspätet.", "Die Fähre hat Verspätung.")),
    Sample("A bell in the morning", "", ("Eine Glocke am Morgen",)),
    Sample("bread and stone", "Brot und Stein", ("Brot und Stein",)),
    Sample("the garden 🌻 of the sailor", "der 🌻 Garten des Matrosen", ("des Matrosen Garten 🌻",)),
    Sample("a long text", LONG, ("ein langer Text",)),
    Sample("lanterns", "Laternen, Laternen, Laternen", ("Laternen", "die Laternen")),
)
