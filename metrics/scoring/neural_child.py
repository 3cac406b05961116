"""The process that runs an operator's model, and the conversation with it: JSON lines, a request and its answers.

It has the libraries of another environment and neither the database nor a secret of this site. However it ends, only
the request that it was working on is lost.
"""

import json
import logging
import math
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from metrics.neural.environment import NeuralEnvironment

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5  # how often it is noticed that nobody needs the scores any more
MOST_SILENT = 3600.0  # seconds: a large model takes minutes to be read
MEMORY, REFUSED, DAMAGED, LANGUAGE, FAILED = "memory", "refused", "damaged", "language", "failed"
ENDED = "ended"  # of no message: the process is gone
SEVERITIES = ("minor", "major", "critical")
_NICENESS = 10
# What is not the child's to know, and what would make loading a file run its code.
_NOT_PASSED_ON = ("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "DATABASE_URL", "REDIS_URL", "PYTHONPATH", "VIRTUAL_ENV")
_SECRETS = ("ASSAY_SECRET", "ASSAY_METRICS_TOKEN", "POSTGRES_", "REDIS_")


class ChildError(Exception):
    """The child could not score: `code` is one of the conversation's, or ENDED."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class MetricMark:
    """A part of the translation that a metric marks as an error: half-open, in code points."""

    start: int
    end: int
    severity: str


@dataclass(frozen=True)
class Answer:
    score: float
    values: tuple[float, ...] = ()
    marks: tuple[MetricMark, ...] = ()
    is_cut: bool = False


@dataclass
class Answers:
    """Of one request, by the number of the item; `libraries` and `precision` as the child named them at the end."""

    by_item: dict[int, Answer] = field(default_factory=dict)
    libraries: str = ""
    precision: str = ""


class NeuralChild:
    """Started at once; `end` leaves nothing behind. It ends by itself when this process does."""

    def __init__(self, environment: NeuralEnvironment, threads: int) -> None:
        self.environment = environment
        self.model = ""  # that it has in memory
        self._number = 0
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [str(environment.python), "-m", "neural_worker"],
            cwd=settings.BASE_DIR,
            env=child_variables(threads),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the one that started it
        )
        with suppress(OSError):  # it may have ended already
            os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICENESS)
        threading.Thread(target=self._read, name="answers of neural metrics", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def ask(self, request: Mapping[str, Any], on_progress: Callable[[int | None], None]) -> Answers:
        """Scores every item of a request, or raises ChildError. `on_progress` may raise to give up.

        It gets the number of segments scored so far, and None about twice a second while nothing is said.
        """
        self._number += 1
        threading.Thread(target=self._send, args=[{"request": self._number, **request}], daemon=True).start()
        items, answers = request["items"], Answers()
        for message in self._messages(on_progress):
            if "error" in message:
                raise _error_in(message["error"])
            if "progress" in message:
                on_progress(_count(message["progress"]))
            elif "done" in message:
                return _complete(message, answers, len(items))
            else:
                number, answer = _answer_in(message, items)
                answers.by_item[number] = answer
        raise ChildError(ENDED, self._why_ended())

    def _send(self, request: Mapping[str, Any]) -> None:
        """In a thread: a child that is still importing does not read."""
        line = json.dumps(request, ensure_ascii=True) + "\n"
        with suppress(OSError, ValueError):  # gone: its silence says so
            if self._process.stdin is not None:
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            for line in self._process.stdout or ():
                self._lines.put(line)
        self._lines.put(None)

    def _messages(self, on_progress: Callable[[int | None], None]) -> Iterator[dict[str, Any]]:
        """Those that belong to the request, until the process ends."""
        heard = time.monotonic()
        while True:
            try:
                line = self._lines.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                if time.monotonic() - heard > MOST_SILENT:
                    raise ChildError(FAILED, f"Nothing was heard of it for {MOST_SILENT:.0f} seconds.") from None
                on_progress(None)
                continue
            if line is None:
                return
            heard = time.monotonic()
            message = _read_line(line)
            if message.get("request") in (self._number, None):  # none where the request itself was not understood
                yield message

    def _why_ended(self) -> str:
        """A signal, or an exit code."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LOOK_SECONDS)
        code = self._process.returncode
        if code is not None and code < 0:
            with suppress(ValueError):
                return signal.Signals(-code).name
        return f"exit code {code}"


def child_variables(threads: int) -> dict[str, str]:
    """Loading never goes online and never runs what a file contains."""
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in _NOT_PASSED_ON and not name.startswith(_SECRETS)
    }
    number = str(threads)
    return {
        **own,
        **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), number),
        "ASSAY_NEURAL_THREADS": number,
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HOME": str(settings.MODELS_DIR / ".hub"),
        "PYTHONUNBUFFERED": "1",
    }


def _read_line(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise ChildError(FAILED, f"It said something that is not a message: {line[:80]!r}.")
    return message


def _error_in(error: object) -> ChildError:
    code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
    known = code if code in (MEMORY, REFUSED, DAMAGED, LANGUAGE) else FAILED
    return ChildError(known, str(message or "It failed without saying why."))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _answer_in(message: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> tuple[int, Answer]:
    number, score = message.get("id"), message.get("score")
    values, marks = message.get("values") or [], message.get("spans") or []
    if not (isinstance(number, int) and 0 <= number < len(items)):
        raise ChildError(FAILED, f"It answered item {number!r}, which was not asked.")
    if not all(_is_number(each) for each in (score, *values)):
        raise ChildError(FAILED, f"The score of item {number} is not a number.")
    length = len(items[number]["mt"])
    return number, Answer(
        score=float(score),  # type: ignore[arg-type]  # a number, as was checked
        values=tuple(float(each) for each in values),
        marks=tuple(_mark_in(mark, length) for mark in marks),
        is_cut=message.get("is_cut") is True,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _mark_in(mark: object, length: int) -> MetricMark:
    start, end, severity = (
        (mark.get(key) for key in ("start", "end", "severity")) if isinstance(mark, dict) else (0,) * 3
    )
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length and severity in SEVERITIES):
        raise ChildError(FAILED, f"It marked something that is not part of the text: {mark!r}.")
    return MetricMark(start, end, str(severity))


def _complete(message: Mapping[str, Any], answers: Answers, expected: int) -> Answers:
    if len(answers.by_item) != expected:
        raise ChildError(FAILED, f"It answered {len(answers.by_item)} of {expected} segments.")
    answers.libraries, answers.precision = str(message.get("libraries", "")), str(message.get("precision", ""))
    return answers
