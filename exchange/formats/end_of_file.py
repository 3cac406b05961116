"""The end of a large file of judgments is read by another process, while this one reads what is before it."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from campaigns.reading.csv_pieces import Place, place_near
from exchange.staging.judgments import RowsApart

logger = logging.getLogger(__name__)

WORTH_A_PROCESS = 40_000_000  # bytes
HEAD_START = 16_000_000  # bytes that are read here before a process has started
UNSOUND = 3  # the exit code if there may be an error in the end of the file


@dataclass(frozen=True)
class EndOfFile:
    """`place` is where it begins, if a row begins there; without a place it is not read by another process."""

    place: Place | None = None
    process: "subprocess.Popen[bytes] | None" = None
    rows: RowsApart | None = None

    def staged(self) -> RowsApart | None:
        """Its rows, as soon as they are there; None if this process has to read them."""
        if self.process is None:
            return None
        code = self.process.wait()
        if code not in (0, UNSOUND):
            logger.warning("A process that read the end of a file ended unexpectedly; the end is read again.")
        return None if code else self.rows


@contextmanager
def end_read_meanwhile(path: Path, columns: Sequence[str]) -> Iterator[EndOfFile]:
    """While entered, a process reads the end, if the file is large and there is a processor for it."""
    size = path.stat().st_size
    if size < WORTH_A_PROCESS or len(os.sched_getaffinity(0)) < 2:
        yield EndOfFile()
        return
    with TemporaryDirectory(prefix="assay-import-") as folder, _process() as process:
        place, rows = place_near(path, (size + HEAD_START) // 2), Path(folder) / "end.sqlite3"
        if place is None or process is None or process.stdin is None:
            yield EndOfFile()
            return
        request = (str(path.absolute()), columns, place.offset, place.lines, str(rows))
        with suppress(BrokenPipeError):  # it has ended already, as its exit code will say
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        yield EndOfFile(place, process, RowsApart(rows))


@contextmanager
def _process() -> "Iterator[subprocess.Popen[bytes] | None]":
    process = None
    with suppress(OSError):  # no memory for it, for instance
        process = subprocess.Popen(
            [sys.executable, "-m", "exchange.formats.end_reading_process"],
            cwd=settings.BASE_DIR,
            env={**os.environ, "ASSAY_DATA_DIR": str(settings.DATA_DIR)},
            stdin=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the one that started it
        )
    try:
        yield process
    finally:
        if process is not None:
            process.kill()
            with suppress(BrokenPipeError), process:  # closes the pipe and waits; a request half sent is not needed
                pass
