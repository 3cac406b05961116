"""A small campaign whose screens hold several systems side by side, from a file of judgments."""

import csv
from pathlib import Path

from campaigns.models import Campaign, System
from exchange.judgment_files import import_judgments

COLUMNS = (
    "judgment", "annotator", "protocol", "document", "segment", "domain", "system", "kind", "measure", "value", "slot",
    "translation",
)  # fmt: skip
SYSTEMS = {"heron": 80, "kestrel": 50, "human": 70}
SEGMENTS = 12
# Ann and Bob see the same differences; Cem puts the last first.
ANNOTATORS = {"ann": 1, "bob": 1, "cem": -1}


def side_by_side(folder: Path, name: str = "Side by side", *, systems: tuple[str, ...] = tuple(SYSTEMS)) -> Campaign:
    """Every annotator judges every segment once, all systems on one screen."""
    path = folder / f"{name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        for annotator, way in ANNOTATORS.items():
            for segment in range(SEGMENTS):
                for slot, system in zip("ABC", systems, strict=False):
                    writer.writerow(
                        {
                            "judgment": f"{annotator} {segment}",
                            "annotator": annotator,
                            "protocol": "direct_assessment",
                            "document": f"document {segment // 2}",
                            "segment": f"segment {segment}",
                            "domain": ("news", "social", "edu")[segment % 3],
                            "system": system,
                            "kind": "regular",
                            "measure": "score",
                            "value": 65
                            + way * (SYSTEMS[system] - 65)
                            + segment % 4
                            + (segment * "ABC".index(slot)) % 3,
                            "slot": slot,
                            "translation": f"{system} {segment}",
                        }
                    )
    campaign = import_judgments(path, format="assay-csv", name=name).campaign
    System.objects.filter(test_set=campaign.test_set_id, name="human").update(is_human=True)
    return campaign
