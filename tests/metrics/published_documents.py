"""Published campaigns as means of documents: what races of systems are simulated on."""

import csv
import gzip
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import numpy as np

from metrics.statistics.arrays import FloatArray


@cache
def document_means(name: str, home: Path, *, added_up: bool = False) -> FloatArray:
    """(systems, documents): ESA of WMT23 en-de with the reference, its MQM without; `home` has both.

    `added_up`: a document's penalty is the sum of its segments', so that long documents weigh more.
    """
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    if name == "esa-ende":
        with gzip.open((home / "esa-wmt23-ende") / "240315rc5ESA.scores.csv.gz", "rt", encoding="utf-8") as lines:
            for row in csv.reader(lines):
                if row[3] == "TGT" and "tutorial" not in row[1]:
                    cells[row[1], row[7].split("#")[0]].append(float(row[6]))
    else:
        folder = home / "metrics-wmt23-ende" / "wmt23"
        documents = [line.split()[1] for line in (folder / "documents" / "en-de.docs").read_text().splitlines()]
        place: Counter[str] = Counter()
        for line in (folder / "human-scores" / "en-de.mqm.seg.score").read_text().splitlines():
            system, score = line.split()
            if score != "None" and system != "refA":
                cells[system, documents[place[system]]].append(float(score))
            place[system] += 1
    systems, texts = (sorted({pair[part] for pair in cells}) for part in (0, 1))
    of_document = np.sum if added_up else np.mean
    return np.array([[of_document(cells[system, text]) for text in texts] for system in systems])
