"""How long each format takes to be read and written, and how much memory, for few rows and for a million.

A process of its own reads or writes each file, one after the other, with a database of SQLite.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._formats import invented_files as invented
from benchmarks._judging.machine import describe_machine
from benchmarks._judging.page_section import write_part
from bootstrap.places import ROOT
from bootstrap.steps import say

PAGE = ROOT / "docs" / "benchmarks.md"
SMALL, LARGE = 100_000, 1_000_000
GROWTH_MB = 30  # of formats that are read or written piece by piece: SQLite's page cache and what it sorts
Content = Callable[[int], Iterator[str]]


PIECES = "read piece by piece"
WHOLE = "in memory whole; refused beyond 300 MB"
SCORES = "texts piece by piece, scores in arrays"
TASK = "a task of an annotator at once, here 25,000 outputs"
SHEET = "refused beyond 100,000 judgments"
IN_MEMORY = (100_000, 500_000)


@dataclass(frozen=True)
class Read:
    """`ending` is that of the file's name; `bound` what limits memory, where the file is not read piece by piece.

    `rows` instead of the usual ones, where a larger file is refused; `title` tells two files of a format apart;
    `outputs` are in a file of each system.
    """

    format: str
    content: Content
    ending: str = ""
    bound: str = ""
    rows: tuple[int, ...] = ()
    title: str = ""
    outputs: Content | None = None

    @property
    def name(self) -> str:
        return self.title or self.format


JUDGMENTS = (
    Read("assay-csv", invented.assay_csv),
    Read("xlsx", invented.assay_csv),
    Read("appraise-csv", invented.appraise_csv),
    Read("wmt-mqm-tsv", invented.wmt_mqm_tsv),
    Read("marot", invented.marot),
    Read("wmt-mqm-sxs", invented.side_by_side),
    Read("anthea", invented.anthea),
    Read("label-studio", invented.label_studio),
    Read("pearmut", invented.pearmut, title="pearmut, a log"),
    Read("pearmut", invented.pearmut_download, title="pearmut, a download"),
    Read("subset2evaluate", invented.subset2evaluate),
    Read("wmt-genmt", invented.genmt_scores),
    Read("mt-metrics-eval", invented.seg_scores, "en-de.da.seg.score"),
    Read("mt-metrics-eval-ratings", invented.seg_ratings, "en-de.mqm.merged.seg.rating"),
)
TEXTS = (
    Read("jsonl", invented.jsonl),
    Read("csv", invented.csv),
    Read("tsv", invented.tsv),
    Read("xlsx", invented.tsv),
    Read("text", invented.plain, outputs=invented.plain_outputs),
    Read("wmt-xml", invented.wmt_xml),
    Read("wmt-genmt", invented.genmt_documents, outputs=invented.genmt_outputs),
    Read("xliff", invented.xliff, title="xliff, 1.2"),
    Read("xliff", invented.xliff_2, title="xliff, 2.1"),
    Read("tmx", invented.tmx),
    Read("appraise-json", invented.appraise_json, bound=WHOLE, rows=IN_MEMORY),
    Read("pearmut", invented.pearmut_campaign, bound=WHOLE, rows=IN_MEMORY),
)


@dataclass(frozen=True)
class Written:
    """`content` are the judgments of the campaign that is written."""

    format: str
    content: Content = invented.assay_csv
    bound: str = ""
    rows: tuple[int, ...] = ()


EXPORTED = (
    *map(Written, ("csv", "jsonl")),
    Written("xlsx", bound=SHEET, rows=(10_000, 100_000)),
    *map(Written, ("spans-csv", "wmt-mqm-tsv", "marot", "anthea", "appraise-csv", "appraise-json", "pearmut")),
    Written("pearmut-campaign", bound=TASK),
    *map(Written, ("subset2evaluate", "label-studio", "xliff", "xliff-1-2")),
    Written("tmx", invented.edited_csv, rows=(10_000, 100_000)),
    *map(Written, ("wmt-xml", "wmt-genmt")),
    Written("mt-metrics-eval", bound=SCORES),
    Written("mt-metrics-eval-ratings"),
)


@dataclass(frozen=True)
class Cost:
    """Seconds of the processor, so that others on the machine do not count; the most memory at any time."""

    seconds: float
    megabytes: float


TASKS = {
    "judgments": "judgments, in",
    "texts": "test set, in",
    "stored": "judgments, in and stored",
    "made": "test set, in and stored",
    "out": "out",
}


def main() -> int:
    options = _options()
    rows: dict[tuple[str, str], str] = _rows_of_page() if options.write else {}
    flat = True
    with TemporaryDirectory(prefix="assay-formats-", dir=options.folder) as folder:
        for measured in _measured(Path(folder), options):
            flat = flat and (bool(measured.bound) or measured.growth <= GROWTH_MB)
            rows[TASKS[measured.task], measured.name] = measured.row()
            say(measured.row())
            if options.write:
                write_part(PAGE, "formats", _table(rows))
    sys.stdout.write(f"{_table(rows)}\n")
    return 0 if flat else 1


HEADING = "| | format | rows | s | MB | rows | s | MB | more MB | rows a second | memory |"


@dataclass(frozen=True)
class Measured:
    task: str
    name: str
    rows: tuple[int, ...]
    costs: list[Cost]
    bound: str

    @property
    def growth(self) -> float:
        return self.costs[-1].megabytes - self.costs[0].megabytes

    def row(self) -> str:
        cells = [
            cell
            for count, cost in zip(self.rows, self.costs, strict=True)
            for cell in (f"{count:,}", f"{cost.seconds:.0f}", f"{cost.megabytes:.0f}")
        ]
        speed = (self.rows[-1] - self.rows[0]) / max(self.costs[-1].seconds - self.costs[0].seconds, 0.1)
        cells += [f"{self.growth:.0f}", f"{speed:,.0f}", self.bound or PIECES]
        return f"| {TASKS[self.task]} | `{self.name}` | {' | '.join(cells)} |"


def _table(rows: dict[tuple[str, str], str]) -> str:
    """In the order in which they are measured."""
    order = [(TASKS[task], name) for task, name in _names()]
    lines = [HEADING, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|", *(rows[key] for key in order if key in rows)]
    measured = (
        f"- Measured on {datetime.now(UTC).date().isoformat()} with {describe_machine()}, in turn with other programs"
    )
    return f"{measured}\n\n" + "\n".join(lines)


def _names() -> Iterator[tuple[str, str]]:
    yield from (("judgments", read.name) for read in JUDGMENTS)
    yield from (("texts", read.name) for read in TEXTS)
    yield "stored", "assay-csv"
    yield "made", "jsonl"
    yield from (("out", each.format) for each in EXPORTED)


def _rows_of_page() -> dict[tuple[str, str], str]:
    """Those that are there already: formats can be measured one by one."""
    page = PAGE.read_text(encoding="utf-8")
    part = page.partition("<!-- formats: begin -->")[2].partition("<!-- formats: end -->")[0]
    if HEADING not in part:
        return {}
    cells = [(line, [cell.strip() for cell in line.split("|")]) for line in part.splitlines() if line.startswith("|")]
    return {(row[1], row[2].strip("`")): line for line, row in cells if row[2].startswith("`")}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./assay bench formats", description=__doc__)
    parser.add_argument("--rows", type=int, default=LARGE)
    parser.add_argument("--small", type=int, default=SMALL)
    parser.add_argument("--only", nargs="*", default=[], metavar="FORMAT", help="these formats alone")
    parser.add_argument("--tasks", nargs="*", default=list(TASKS), choices=TASKS, help="these tasks alone")
    parser.add_argument("--folder", help="where files and databases are made")
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{PAGE.name}")
    return parser.parse_args()


def _measured(folder: Path, options: argparse.Namespace) -> Iterator[Measured]:
    usual = (options.small, options.rows)
    for task, reads in (("judgments", JUDGMENTS), ("texts", TEXTS)):
        for read in reads if task in options.tasks else ():
            if not options.only or read.format in options.only:
                counts = read.rows if max(usual) > max(read.rows, default=max(usual)) else usual
                yield Measured(task, read.name, counts, [_reading(folder, task, read, at) for at in counts], read.bound)
    wanted = [each for each in EXPORTED if not options.only or each.format in options.only]
    databases: dict[tuple[Content, int], Path] = {}
    if "stored" in options.tasks and wanted:
        costs = [_stored(databases, folder, invented.assay_csv, count) for count in usual]
        yield Measured("stored", "assay-csv", usual, costs, "")
    if "made" in options.tasks and (not options.only or "jsonl" in options.only):
        costs = [_stored({}, folder, invented.jsonl, count, task="store") for count in usual]
        yield Measured("made", "jsonl", usual, costs, "")
    for each in wanted if "out" in options.tasks else ():
        counts = each.rows if max(usual) > max(each.rows, default=max(usual)) else usual
        for count in counts:
            if (each.content, count) not in databases:
                _stored(databases, folder, each.content, count)
        target = folder / "written"
        costs = [_work(("export", each.format, str(target)), databases[each.content, count]) for count in counts]
        yield Measured("out", each.format, counts, costs, each.bound)
        target.unlink()


def _reading(folder: Path, task: str, read: Read, count: int) -> Cost:
    path, beside = folder / (read.ending or "file"), folder / "beside"
    (invented.write_workbook if read.format == "xlsx" else invented.write)(path, count, read.content)
    if read.outputs is not None:
        invented.write(beside, count, read.outputs)
    try:
        return _work((task, read.format, str(path)), folder / "unused.sqlite3")
    finally:
        path.unlink()
        beside.unlink(missing_ok=True)


def _stored(
    databases: dict[tuple[Content, int], Path], folder: Path, content: Content, count: int, task: str = "import"
) -> Cost:
    """A campaign of so many judgments, or a test set, in a database that is listed then."""
    database = databases[content, count] = folder / f"{content.__name__}-{count}.sqlite3"
    environment = _environment(database)
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    path = folder / "file.csv"
    invented.write(path, count, content)
    try:
        return _work((task, "", str(path)), database)
    finally:
        path.unlink()


def _environment(database: Path) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": f"sqlite:///{database}", "DJANGO_SETTINGS_MODULE": "config.settings"}


def _work(arguments: tuple[str, ...], database: Path) -> Cost:
    command = [sys.executable, "-m", "benchmarks._formats.work", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=_environment(database)) as working:
        _pid, status, used = os.wait4(working.pid, 0)
        working.returncode = os.waitstatus_to_exitcode(status)
    if working.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {working.returncode}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main())
