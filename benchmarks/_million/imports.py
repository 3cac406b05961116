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
from tests.machine_speed import usually_times_slower

TENTH = 10
_BOTH = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


@dataclass(frozen=True)
class ImportCost:
    """Of the importing process, and of the one that reads the end of the file meanwhile.

    `megabytes` are the most that each had, though not at the same moment; `times_slower` is the mean of the machine's
    before and after.
    """

    rows: int
    seconds: float
    cpu_s: float
    database_s: float
    megabytes: float
    times_slower: float


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
    server, slower = server_process(), usually_times_slower()
    used, cpu, began = seconds_of(server), _cpu_seconds(), time.monotonic()
    outcome = import_judgments(Path(path), name=SCORED, format="assay-csv")
    seconds, cpu = time.monotonic() - began, _cpu_seconds() - cpu
    memory = sum(resource.getrusage(who).ru_maxrss for who in _BOTH) / 1024  # of the children it is the largest one's
    slower = (slower + usually_times_slower()) / 2
    return ImportCost(outcome.report["rows"], seconds, cpu, seconds_of(server) - used, memory, slower)


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in _BOTH]
    return sum(each.ru_utime + each.ru_stime for each in used)
