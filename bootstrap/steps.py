"""Running other programs quietly: what they print goes into a log, of which a failure shows the one line that tells."""

import fcntl
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bootstrap.places import LOG, ROOT, WORK
from bootstrap.terminal import SetUpError, say

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
            reason = "no connection to the package registry. Connect this machine to the network and call again"
        else:
            told = [match["what"] for match in _TELLING.finditer(output)] or output.split("\n")[-2:-1]
            reason = told[0].strip().rstrip(".") if told else "it said nothing"
        super().__init__(f"{what} failed: {reason} (all of it: {LOG}).")


def perform(what: str, command: Sequence[str | Path], *, folder: Path = ROOT, **extra: str) -> None:
    """`extra` are environment variables."""
    begin_log()
    with LOG.open("a+", encoding="utf-8", errors="replace") as log:
        log.write(f"\n$ {' '.join(map(str, command))}\n")
        log.flush()
        start = log.tell()
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**_TRUST, **os.environ, **extra},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                check=False,
            )
        except OSError as error:
            raise SetUpError(f"{what} failed: {command[0]} cannot be started ({error.strerror}).") from error
        if done.returncode:
            log.seek(start)
            raise StepFailed(what, output=log.read())


def begin_log() -> None:
    try:
        WORK.mkdir(exist_ok=True)
        LOG.touch()
    except OSError as error:
        raise SetUpError(
            f"{WORK} cannot be written to ({error.strerror}). Put Assay into a folder that is yours and call again."
        ) from error


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two calls in one clone wait for each other while they set up."""
    begin_log()
    with (WORK / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another ./assay that is setting up here …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
