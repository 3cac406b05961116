"""How long people really think: seconds an output took in published Direct Assessment."""

import csv
import gzip
import os
from pathlib import Path

from benchmarks._judging.contestant import BenchmarkFailed
from bootstrap.places import ROOT

HOME = Path(os.environ.get("ASSAY_REAL_DATA") or ROOT.parent / "shared" / "data")  # beside the repository
FILE = HOME / "da-wmt22-calibration" / "WMT22.Appraise.calibrationHITs.eng-ces.eng-deu.csv.gz"
IS_OF_DOCUMENT, BEGAN, ENDED = 8, 9, 10  # columns
LEAST, MOST = 0.5, 120.0  # longer ones are breaks


def read_thinking() -> tuple[float, ...]:
    if not FILE.exists():
        raise BenchmarkFailed(f"{FILE} is missing. Name the folder of published data by ASSAY_REAL_DATA.")
    with gzip.open(FILE, "rt", encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.reader(stream) if row[IS_OF_DOCUMENT] == "False"]
    seconds = [float(row[ENDED]) - float(row[BEGAN]) for row in rows]
    return tuple(sorted(each for each in seconds if LEAST <= each <= MOST))
