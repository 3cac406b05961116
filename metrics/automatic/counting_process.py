"""A process that counts texts until its input ends: `python -m … PID`, with the PID of the process that starts it.

It has only texts and metrics, no database. It ends with the process that started it, however that one ends, even in the
middle of counting; it runs at low priority, so that pages for annotators stay fast.
"""

import os
import pickle
import sys
import threading
import time
import traceback
from typing import BinaryIO

NICENESS = 10
LOOK_SECONDS = 0.5


def main() -> None:
    os.nice(NICENESS)
    threading.Thread(target=_leave_with, args=(int(sys.argv[1]),), daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # print() must not write into an answer
    try:
        serve(sys.stdin.buffer, answers)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # nobody reads what would still be flushed


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Each request is a metric, translations and their references; each answer is the counts or an error."""
    while True:
        metric, hypotheses, references = pickle.load(questions)  # noqa: S301 - our own process wrote it
        try:
            answer = metric.counted(hypotheses, references)
        except Exception:
            answer = traceback.format_exc()
        pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _leave_with(parent: int) -> None:
    """A process whose parent has ended is another's child."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(0)


if __name__ == "__main__":
    main()
