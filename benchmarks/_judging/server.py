"""A server's processes: started, answering, gone afterwards."""

import os
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks._judging.contestant import BenchmarkFailed
from tests.processes import ROOT, wait_for

GRACE_SECONDS = 20


@contextmanager
def serving(
    command: Sequence[str | Path], *, environment: Mapping[str, str], address: str, log: Path, folder: Path = ROOT
) -> Iterator[int]:
    """The number of the first process, once `address` is answered."""
    with log.open("ab") as stream:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=stream, stderr=stream, start_new_session=True
        )

    def is_ready() -> bool:
        if process.poll() is not None:
            raise BenchmarkFailed(f"{command[0]} ended:\n{log.read_text()}")
        return _answers(address)

    try:
        try:
            wait_for(is_ready, what=f"an answer of {address}")
        except AssertionError as error:
            raise BenchmarkFailed(f"{error}:\n{log.read_text()}") from error
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:  # noqa: S310 - our own server
            return bool(response.status == 200)
    except OSError:
        return False
