"""`python -m neural_worker`: reads requests from stdin until it closes, or until none has come for ten minutes."""

import logging
import os
import queue
import sys
import threading
from typing import TextIO

from neural_worker.surroundings import restrict

IDLE_SECONDS = 600.0
IDLE_VARIABLE = "ASSAY_NEURAL_IDLE_SECONDS"


def main() -> int:
    restrict()  # before any library is imported
    answers = _answers_only()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    from neural_worker.session import Session  # noqa: PLC0415 - after restrict

    session = Session()
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    idle = float(os.environ.get(IDLE_VARIABLE) or IDLE_SECONDS)
    while True:
        try:
            line = lines.get(timeout=idle)
        except queue.Empty:
            return 0
        if line is None:
            return 0
        try:
            for answer in session.answers(line):
                answers.write(answer)
                answers.flush()
        except BrokenPipeError:
            return 0  # nobody reads any more


def _answers_only() -> TextIO:
    """The real stdout; what libraries print goes to stderr."""
    real = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return real


def _read(lines: "queue.SimpleQueue[str | None]") -> None:
    with os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace") as stream:
        for line in stream:
            if line.strip():
                lines.put(line)
    lines.put(None)


if __name__ == "__main__":
    sys.exit(main())
