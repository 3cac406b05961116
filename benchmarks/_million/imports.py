"""What it costs to import the CSV file of all judgments into an empty database, and the memory with a tenth of it."""

import csv
import resource
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks._million.files import seconds_of, server_process
from benchmarks._million.layout import SCORED
from campaigns.models import Campaign
from exchange.exports import export_rows
from exchange.judgment_files import import_judgments

TENTH = 10


@dataclass(frozen=True)
class ImportCost:
    """`cpu_s` is that of the importing process alone."""

    rows: int
    seconds: float
    cpu_s: float
    database_s: float
    megabytes: float


def write_files(whole: str, tenth: str) -> None:
    """The CSV file of the judgments, and its first tenth."""
    with Path(whole).open("wb") as stream:
        for piece in export_rows(Campaign.objects.get(name=SCORED), "csv"):
            stream.write(piece)
    with Path(whole).open(encoding="utf-8", newline="") as stream:
        rows = sum(1 for _row in csv.reader(stream)) - 1
    with (
        Path(whole).open(encoding="utf-8", newline="") as stream,
        Path(tenth).open("w", encoding="utf-8", newline="") as begun,
    ):
        csv.writer(begun).writerows(islice(csv.reader(stream), 1 + rows // TENTH))


def import_cost(path: str) -> ImportCost:
    server = server_process()
    used, cpu, began = seconds_of(server), time.process_time(), time.monotonic()
    outcome = import_judgments(Path(path), name=SCORED, format="assay-csv")
    seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return ImportCost(outcome.report["rows"], seconds, cpu, seconds_of(server) - used, memory)
