"""Small assay-csv files, written by hand: a row names only what is special about it."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

PLAIN: Mapping[str, object] = {
    "judgment": "j1",
    "annotator": "anna",
    "protocol": "direct_assessment",
    "document": "harbour",
    "segment": "1",
    "system": "Heron",
    "kind": "regular",
    "measure": "score",
    "value": "70",
}


def write_file(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    full = [{**PLAIN, **row} for row in rows]
    columns = list(dict.fromkeys(column for row in full for column in row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(full)
    return path
