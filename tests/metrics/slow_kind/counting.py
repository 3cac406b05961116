"""Counts to `steps`, `pause` seconds apart, and keeps a diary: one JSON object a line, in the file `diary`."""

import json
import os
import time
from pathlib import Path
from typing import Any

from metrics.models import Run
from metrics.running import OnProgress


def count_slowly(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    steps, pause = int(run.arguments["steps"]), float(run.arguments["pause"])
    for step in range(steps + 1):
        note(run, step)
        on_progress(step / steps, f"step {step}")
        time.sleep(pause)
    note(run, "end")
    return {"signature": "counted", "arguments": run.arguments}


def note(run: Run, step: int | str) -> None:
    entry = {"run": run.pk, "attempt": run.attempts, "process": os.getpid(), "step": step, "at": time.time()}
    with Path(run.arguments["diary"]).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")
