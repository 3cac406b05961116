"""The steps of set-up: told on the terminal, their output in a log, and taken only when what they take has changed."""

import fcntl
import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from bootstrap.places import LOG, ROOT, WORK


class SetUpError(Exception):
    """Something stands in the way; the message says what, where, and what to do."""


def say(line: str) -> None:
    sys.stderr.write(f"assay: {line}\n")
    sys.stderr.flush()


_NO_NETWORK = re.compile(
    r"Failed to establish a new connection|Temporary failure in name resolution|Max retries exceeded|"
    r"dns error|error sending request|tcp connect error|Connection refused|Network is unreachable|"
    r"from versions: none|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH",
)
_TELLING = re.compile(
    r"^\s*(?:npm )?(?:error|fatal)\b:?\s*(?!code |errno |syscall )(?P<what>\S.*)$", re.IGNORECASE | re.MULTILINE
)


# Certificates are the system's to trust, as pip does: a company's proxy is no stranger to its own machines.
_TRUST = {"UV_SYSTEM_CERTS": "true", "NODE_USE_SYSTEM_CA": "1"}


class StepFailed(SetUpError):
    """A program came back with an error."""

    def __init__(self, what: str, *, output: str) -> None:
        self.is_offline = bool(_NO_NETWORK.search(output))
        if self.is_offline:
            reason = "no connection to the package registry. Connect this machine to the network and try again"
        else:
            lines = [match["what"] for match in _TELLING.finditer(output)] or output.split("\n")[-2:-1]
            reason = lines[0].strip().rstrip(".") if lines else "it printed nothing"
        super().__init__(f"{what} failed: {reason} (full output: {LOG}).")


def perform(what: str, command: Sequence[str | Path], *, folder: Path = ROOT, **extra: str) -> None:
    """`extra` are environment variables."""
    begin_log()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:  # others are performed meanwhile
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**_TRUST, **os.environ, **extra},
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                check=False,
            )
        except OSError as error:
            raise SetUpError(f"{what} failed: {command[0]} cannot be started ({error.strerror}).") from error
        printed.seek(0)
        output = printed.read()
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"\n$ {' '.join(map(str, command))}\n{output}")
    if done.returncode:
        raise StepFailed(what, output=output)


def begin_log() -> None:
    try:
        WORK.mkdir(exist_ok=True)
        LOG.touch()
    except OSError as error:
        raise SetUpError(
            f"{WORK} cannot be written to ({error.strerror}). Move Assay into a folder that you own and try again."
        ) from error


_WITHIN: defaultdict[str, Lock] = defaultdict(Lock)


@contextmanager
def one_at_a_time(what: str = "setup") -> Iterator[None]:
    """Two calls in one clone wait for each other while they set up the same, and threads of one call silently."""
    begin_log()
    with _WITHIN[what], (WORK / f"{what}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another ./assay that is setting up here …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def digest_of(sources: Iterable[Path], *, salt: str = "") -> str:
    """By name and content: dates and the folder around it change with every clone and work tree."""
    digest = hashlib.sha256(salt.encode())
    for source in sorted(sources):
        content, name = source.read_bytes(), os.path.relpath(source, ROOT)
        digest.update(f"\0{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_current(stamp: Path, digest: str) -> bool:
    try:
        return stamp.read_text(encoding="utf-8") == digest
    except OSError:
        return False


def put_stamp(stamp: Path, digest: str) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest, encoding="utf-8")
