"""A process that counts what it is sent, until nobody sends any more: `python -m … PID`, of who starts it.

It knows texts and metrics and nothing else. It ends with the process that started it, however that one ends, and be it
in the middle of counting; and it gives way to whoever else wants the processor, such as people who judge.
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
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # whoever prints must not spoil an answer
    try:
        serve(sys.stdin.buffer, answers)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # nobody is there to hear what is still to be flushed


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Each question is a metric, translations and their references; each answer is the counts, or what went wrong."""
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
