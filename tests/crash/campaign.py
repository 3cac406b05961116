"""A campaign on a site, made by the documented commands, and its annotators."""

import csv
import random
from dataclasses import dataclass
from pathlib import Path

from tests.crash.annotator import Annotator
from tests.crash.program import Program
from tests.crash.sites import Site

SEGMENTS = 5  # of each document
SYSTEMS = ("Heron", "Kestrel", "Rook", "Wren")


@dataclass(frozen=True)
class Plan:
    outputs: int
    redundancy: int
    items_per_assignment: int
    annotators: int
    planning: str = "static"


def open_campaign(site: Site, home: Path, plan: Plan) -> list[str]:
    """The annotators' tokens for the campaign `crowd`, whose outputs all differ."""
    _write_test_set(home / "set.csv", documents=plan.outputs // (SEGMENTS * len(SYSTEMS)))
    links = home / "links.csv"
    languages = ["--source-language", "en", "--target-language", "de"]
    wish = [f"--redundancy={plan.redundancy}", f"--items-per-assignment={plan.items_per_assignment}"]
    wish += [f"--planning={plan.planning}", "--seed=7", "--test-set", "crowd", "--protocol", "direct_assessment"]
    people = ["--annotators", str(plan.annotators), "--output", str(links)]
    site.manage(
        ["import_test_set", str(home / "set.csv"), "--name", "crowd", *languages],
        ["create_campaign", "Crowd", "--open", *wish],
        ["invite", "crowd", *people, "--api-tokens"],
    )
    with links.open(encoding="utf-8") as stream:
        return [row["token"] for row in csv.DictReader(stream)]


def annotators_of(site: Site, tokens: list[str], *, seed: int, patience: float = 0.0) -> list[Annotator]:
    return [
        Annotator(Program(site.url, token, patience=patience), "crowd", random.Random(f"{seed}-{number}"))
        for number, token in enumerate(tokens)
    ]


def _write_test_set(path: Path, *, documents: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["document", "segment", "source", *(f"system:{name}" for name in SYSTEMS)])
        for document in range(documents):
            for segment in range(SEGMENTS):
                place = f"{document} {segment}"
                outputs = [f"Satz {place}, wie {name} ihn übersetzt." for name in SYSTEMS]
                table.writerow([f"d{document}", segment + 1, f"Sentence {place}.", *outputs])
