"""Counts to `steps`, `pause` seconds apart, and keeps a diary: one JSON object a line, in the file `diary`.

At the step `held_at` it stays until somebody calls `let_go`: a test that kills it then need not be quick.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

from jobs.models import Run
from jobs.run_kinds import OnProgress, RunKind

HELD_FOR = 0.05  # seconds between two looks


def count_slowly(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    steps, pause = int(run.arguments["steps"]), float(run.arguments["pause"])
    for step in range(steps + 1):
        note(run, step)
        on_progress(step / steps, f"step {step}")
        time.sleep(pause)
        while step == run.arguments.get("held_at") and not _sign(run.arguments["diary"]).exists():
            on_progress(step / steps, f"step {step}")
            time.sleep(HELD_FOR)
    note(run, "end")
    return {"signature": "counted", "arguments": run.arguments}


SLOW = RunKind(check=dict, perform=count_slowly)


def let_go(diary: Path) -> None:
    """Runs with this diary are held no longer, and never again."""
    _sign(diary).touch()


def _sign(diary: Path | str) -> Path:
    return Path(diary).with_suffix(".let_go")


def note(run: Run, step: int | str) -> None:
    entry = {"run": run.pk, "attempt": run.attempts, "process": os.getpid(), "step": step, "at": time.time()}
    with Path(run.arguments["diary"]).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")
