"""A file whose end another process reads: the same rows, errors and lines as if it were read in one piece."""

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

import pytest

from campaigns.reading.csv_pieces import Place
from campaigns.reading.problems import Problem, Problems, UnreadableFileError
from exchange.formats import end_of_file as module
from exchange.formats.assay_csv import read_assay_csv
from exchange.formats.end_reading_process import stage_end
from exchange.reading import SourceFile
from exchange.staging.judgments import Reading, stage_rows, staged_judgments
from tests.exchange.judgments_file import PLAIN
from tests.processes import is_alive, wait_for

Read = tuple[list[tuple[Any, ...]], list[Problem], list[str]]
COLUMNS = (*PLAIN, "source", "comment")
CELLS = [*map(str, PLAIN.values()), "Es ist spät.", ""]
SOUND = [[f"j{number}", *CELLS[1:]] for number in range(5)]
WITH = {column: place for place, column in enumerate(COLUMNS)}


class Here:
    """Does what the process does, when it is waited for."""

    def __init__(self) -> None:
        self.stdin = io.BytesIO()

    def wait(self) -> int:
        return stage_end(self.stdin.getvalue())


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(module, "HEAD_START", 0)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0, 1})


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def process() -> Iterator[Here]:
        yield Here()

    monkeypatch.setattr(module, "_process", process)


def written(rows: list[list[str]], end: str = "\r\n") -> bytes:
    quoted = [
        ['"' + cell.replace('"', '""') + '"' if set(cell) & set('",\r\n') else cell for cell in row] for row in rows
    ]
    return "".join(",".join(row) + end for row in [[*COLUMNS], *quoted]).encode("utf-8", "surrogateescape")


def changed(**cells: str) -> list[str]:
    row = list(SOUND[0])
    for column, cell in cells.items():
        row[WITH[column]] = cell
    return row


FILES = {
    "sound": written(SOUND),
    "of unix": written(SOUND, "\n"),
    "a mark at the beginning": b"\xef\xbb\xbf" + written(SOUND),
    "texts of several lines": written([changed(source="a\n\nb\r\n", comment='"\n"'), *SOUND, changed(source="\n,\r")]),
    "blank lines": written(SOUND).replace(b"\r\n", b"\r\n\r\n\n"),
    "no end of the last line": written(SOUND).removesuffix(b"\r\n"),
    "the header alone": written([]),
    "a mark in the middle of a cell": written(SOUND).replace(b"harbour", b'5" wide'),
    "two such marks": written(SOUND).replace(b"harbour", b'5" by 6" wide', 2) + written(SOUND),
    "marks that would have to be doubled": written(SOUND).replace(b"harbour", b'"harbour" east', 3),
    "a mark that is not closed": written(SOUND[:3]) + b'"j9,' + written(SOUND),
    "errors": written([changed(value="high"), *SOUND, changed(value="x", source="a\nb"), changed(kind="o")]),
    "a cell too many": written([*SOUND, [*SOUND[0], ""], *SOUND[1:]]),
    "a value without a measure": written([*SOUND, changed(measure=""), *SOUND]),
    "no text": written([*SOUND, changed(source="\udcff"), *SOUND]),
    "NUL": written([*SOUND, changed(source="a\x00b"), *SOUND]),
    "apostrophes": written([changed(source="'=1"), *SOUND, changed(document="'=1", source="'=1", comment="'")]),
    "an unknown column": written(SOUND).replace(b"comment", b"remark"),
}  # fmt: skip


def read(path: Path) -> Read:
    reading = Reading(path, "judgments.csv", Problems())
    with staged_judgments() as staged:
        try:
            stage_rows(staged, read_assay_csv(reading))
        except UnreadableFileError:
            staged.execute("ROLLBACK")
            return [], reading.problems.listed, reading.problems.notes
        rows = [tuple(row)[1:] for row in staged.execute("SELECT * FROM judgment_row ORDER BY place")]
    return rows, reading.problems.listed, reading.problems.notes


def row_by_row(path: Path) -> Read:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SourceFile, "has_places", False)
        return read(path)


def line_ends(content: bytes) -> list[Place]:
    """Also those inside of cells, where no row begins."""
    ends = [at + 1 for at, byte in enumerate(content) if byte == ord("\n")]
    return [Place(end, len(content[:end].decode("latin-1").splitlines())) for end in ends]


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize("name", FILES)
def test_wherever_the_end_begins_rows_and_errors_are_those_of_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(FILES[name])
    whole = row_by_row(path)
    assert name == "the header alone" or whole[0] or whole[1]
    for size in (1, 1000):
        monkeypatch.setattr("campaigns.reading.csv_pieces.PIECE", size)
        for place in line_ends(FILES[name]):
            monkeypatch.setattr(module, "place_near", lambda _path, _offset, place=place: place)
            assert read(path) == whole, (size, place)


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "judgments.csv"
    path.write_bytes(FILES["sound"])
    return path


@pytest.mark.usefixtures("read_here")
def test_the_end_is_not_read_twice(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr("exchange.staging.judgments.take_rows", lambda *arguments: taken.append(arguments))
    begun, _problems, _notes = read(sound)
    assert taken
    assert 0 < len(begun) < len(SOUND)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> "list[subprocess.Popen[bytes]]":
    """Those that were started, in the order of time."""
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return started


def test_a_process_of_its_own_reads_the_end(sound: Path, processes: "list[subprocess.Popen[bytes]]") -> None:
    assert read(sound) == row_by_row(sound)
    [process] = processes
    assert process.returncode == 0
    assert process.stdin is not None
    assert process.stdin.closed


def test_an_error_in_the_end_is_found_here(tmp_path: Path, processes: "list[subprocess.Popen[bytes]]") -> None:
    path = tmp_path / "judgments.csv"
    path.write_bytes(written([*SOUND, changed(value="high")]))
    rows, problems, _notes = read(path)
    assert len(rows) == len(SOUND)
    assert [(problem.line, problem.column) for problem in problems] == [(7, "value")]
    assert [process.returncode for process in processes] == [module.UNSOUND]


def test_the_end_is_read_here_if_its_process_dies(
    sound: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    staged = module.EndOfFile.staged

    def killed(end: module.EndOfFile) -> object:
        assert end.process is not None
        end.process.kill()
        return staged(end)

    monkeypatch.setattr(module.EndOfFile, "staged", killed)
    assert read(sound) == row_by_row(sound)
    assert "ended unexpectedly" in caplog.text


def test_without_memory_for_a_process_all_is_read_here(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert read(sound) == row_by_row(sound)


@pytest.mark.parametrize("reason", ["one processor", "a small file"])
def test_no_process_is_started_where_none_is_worth_it(
    reason: str, sound: Path, monkeypatch: pytest.MonkeyPatch, processes: "list[subprocess.Popen[bytes]]"
) -> None:
    if reason == "one processor":
        monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0})
    else:
        monkeypatch.setattr(module, "WORTH_A_PROCESS", sound.stat().st_size + 1)
    assert read(sound) == row_by_row(sound)
    assert processes == []


def test_whoever_stops_staging_ends_the_process(sound: Path, processes: "list[subprocess.Popen[bytes]]") -> None:
    reading = Reading(sound, "judgments.csv", Problems())
    with staged_judgments() as staged:
        staged.execute("DROP TABLE file.judgment_row")
        with pytest.raises(sqlite3.OperationalError) as error:
            stage_rows(staged, read_assay_csv(reading))
    assert error.traceback  # the reader is still known to somebody
    [process] = processes
    assert not is_alive(process.pid)


def leaves(process: int) -> None:
    try:
        wait_for(lambda: not is_alive(process), what="the process to leave", seconds=30)
    except AssertionError:
        os.kill(process, signal.SIGKILL)
        raise


def test_a_process_whose_starter_is_gone_leaves() -> None:
    code = (
        "import os, subprocess, sys; "
        "child = subprocess.Popen([sys.executable, '-m', 'exchange.formats.end_reading_process'], "
        "stdin=subprocess.PIPE, start_new_session=True); "
        "print(child.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    leaves(int(process.stdout))


def test_a_process_whose_starter_is_gone_leaves_in_the_middle_of_reading(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)  # as if reading took for ever
    request = json.dumps([str(path), list(COLUMNS), 0, 0, str(tmp_path / "rows.sqlite3")])
    code = (
        "import os, subprocess, sys, time; from pathlib import Path; "
        "child = subprocess.Popen([sys.executable, '-m', 'exchange.formats.end_reading_process'], "
        "stdin=subprocess.PIPE, start_new_session=True); "
        f"child.stdin.write({request!r}.encode() + b'\\n'); child.stdin.flush(); "
        "print(child.pid, flush=True)\n"
        f"while not Path({str(tmp_path / 'rows.sqlite3')!r}).exists(): time.sleep(0.05)\n"
        "os.kill(os.getpid(), 9)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False, timeout=100
    )
    leaves(int(process.stdout))
