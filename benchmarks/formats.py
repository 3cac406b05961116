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
GROWTH_MB = 10  # of formats that are read or written piece by piece
Content = Callable[[int], Iterator[str]]


@dataclass(frozen=True)
class Read:
    """`ending` is that of the file's name; `in_memory`: why it is read whole."""

    format: str
    content: Content
    ending: str = ""
    in_memory: str = ""


JUDGMENTS = (
    Read("assay-csv", invented.assay_csv),
    Read("appraise-csv", invented.appraise_csv),
    Read("wmt-mqm-tsv", invented.wmt_mqm_tsv),
    Read("marot", invented.marot),
    Read("wmt-mqm-sxs", invented.side_by_side),
    Read("anthea", invented.anthea),
    Read("label-studio", invented.label_studio),
    Read("pearmut", invented.pearmut),
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
    Read("wmt-xml", invented.wmt_xml),
    Read("xliff", invented.xliff),
    Read("tmx", invented.tmx),
    Read("appraise-json", invented.appraise_json, in_memory="a plan is made of the whole file"),
    Read("pearmut", invented.pearmut_campaign, in_memory="a plan is made of the whole file"),
)
EXPORTED = (
    "csv", "jsonl", "spans-csv", "wmt-mqm-tsv", "marot", "anthea", "appraise-csv", "appraise-json", "pearmut",
    "pearmut-campaign", "subset2evaluate", "label-studio", "xliff", "xliff-1-2", "wmt-xml", "wmt-genmt",
    "mt-metrics-eval", "mt-metrics-eval-ratings",
)  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """Seconds of the processor, so that others on the machine do not count; the most memory at any time."""

    seconds: float
    megabytes: float


TASKS = {
    "judgments": "judgments, in",
    "texts": "test set, in",
    "stored": "judgments, in and stored",
    "out": "out",
}


def main() -> int:
    options = _options()
    rows: dict[tuple[str, str], str] = _rows_of_page(options) if options.write else {}
    flat = True
    with TemporaryDirectory(prefix="assay-formats-", dir=options.folder) as folder:
        for task, name, costs, in_memory in _measured(Path(folder), options):
            flat = flat and (bool(in_memory) or costs[-1].megabytes - costs[0].megabytes <= GROWTH_MB)
            cells = " | ".join(f"{cost.seconds:.0f} | {cost.megabytes:.0f}" for cost in costs)
            rows[TASKS[task], name] = f"| {TASKS[task]} | `{name}` | {cells} |"
            say(rows[TASKS[task], name])
            if options.write:
                write_part(PAGE, "formats", _table(rows, options))
    sys.stdout.write(f"{_table(rows, options)}\n")
    return 0 if flat else 1


def _heading(options: argparse.Namespace) -> str:
    small, large = (f"{count:,}" for count in (options.small, options.rows))
    return f"| | format | {small}: s | MB | {large}: s | MB |"


def _table(rows: dict[tuple[str, str], str], options: argparse.Namespace) -> str:
    """In the order in which they are measured."""
    order = [(TASKS[task], name) for task, name in _names()]
    lines = [_heading(options), "|---|---|--:|--:|--:|--:|", *(rows[key] for key in order if key in rows)]
    measured = (
        f"- Measured on {datetime.now(UTC).date().isoformat()} with {describe_machine()}, in turn with other programs"
    )
    return f"{measured}\n\n" + "\n".join(lines)


def _names() -> Iterator[tuple[str, str]]:
    yield from (("judgments", read.format) for read in JUDGMENTS)
    yield from (("texts", read.format) for read in TEXTS)
    yield "stored", "assay-csv"
    yield from (("out", name) for name in EXPORTED)


def _rows_of_page(options: argparse.Namespace) -> dict[tuple[str, str], str]:
    """Those that stand there already, if they are of as many rows: formats can be measured one by one."""
    page = PAGE.read_text(encoding="utf-8")
    part = page.partition("<!-- formats: begin -->")[2].partition("<!-- formats: end -->")[0]
    if _heading(options) not in part:
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


def _measured(folder: Path, options: argparse.Namespace) -> Iterator[tuple[str, str, list[Cost], str]]:
    counts = (options.small, options.rows)
    for task, reads in (("judgments", JUDGMENTS), ("texts", TEXTS)):
        for read in reads if task in options.tasks else ():
            if not options.only or read.format in options.only:
                yield task, read.format, [_reading(folder, task, read, count) for count in counts], read.in_memory
    wanted = [name for name in EXPORTED if not options.only or name in options.only]
    if not wanted or not {"stored", "out"} & set(options.tasks):
        return
    databases = [folder / f"{count}.sqlite3" for count in counts]
    costs = [_stored(folder, database, count) for database, count in zip(databases, counts, strict=True)]
    yield "stored", "assay-csv", costs, ""
    for name in wanted if "out" in options.tasks else ():
        target = folder / "written"
        yield "out", name, [_work(("export", name, str(target)), database) for database in databases], ""
        target.unlink()


def _reading(folder: Path, task: str, read: Read, count: int) -> Cost:
    path = folder / (read.ending or "file")
    (invented.write_workbook if read.format == "xlsx" else invented.write)(path, count, read.content)
    try:
        return _work((task, read.format, str(path)), folder / "unused.sqlite3")
    finally:
        path.unlink()


def _stored(folder: Path, database: Path, count: int) -> Cost:
    """A campaign of so many judgments."""
    environment = _environment(database)
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    path = folder / "file.csv"
    invented.write(path, count, invented.assay_csv)
    try:
        return _work(("import", "assay-csv", str(path)), database)
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
