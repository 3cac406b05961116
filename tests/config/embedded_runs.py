"""The runs of a served SQLite database, queued by the product's own action and looked at from outside."""

import atexit
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from tests.empty_databases import FILE
from tests.jobs.slow_kind.counting import let_go
from tests.processes import ROOT, embedded_environment, read_diary, wait_for

# One process for all tests: Django is loaded once, and every line names the database it is about.
CALLER = """
import json, sys
import django
django.setup()
from django.db import connection
from jobs.actions import cancel_run, queue_run
from jobs.models import Run
for line in sys.stdin:
    database, expression = json.loads(line)
    connection.close()
    connection.settings_dict["NAME"] = database
    try:
        print(json.dumps(eval(expression)), flush=True)
    finally:
        connection.close()
"""
LOOKED_AT = ("status", "attempts", "arguments", "result", "error", "progress", "progress_note", "signature")


@dataclass(frozen=True)
class EmbeddedRuns:
    data: Path
    diary: Path

    def queue(self, *, steps: int, pause: float, **extra: Any) -> int:
        [run] = self.queue_several(1, steps=steps, pause=pause, **extra)
        return run

    def queue_several(self, count: int, *, steps: int, pause: float, **extra: Any) -> list[int]:
        arguments = {"steps": steps, "pause": pause, "diary": str(self.diary), **extra}
        made: list[int] = self._call(f"[queue_run(kind='slow', arguments={arguments!r}).pk for _ in range({count})]")
        return made

    def let_go(self) -> None:
        let_go(self.diary)

    def cancel(self, run: int) -> None:
        self._call(f"cancel_run(run=Run.objects.get(pk={run})).pk")

    def _call(self, expression: str) -> Any:
        asked, answers = _caller()
        asked.write(json.dumps([str(self.data / FILE), expression]) + "\n")
        asked.flush()
        answer = answers.readline()
        assert answer, f"the process that queues runs ended at {expression}"
        return json.loads(answer)

    def look(self, run: int) -> dict[str, Any]:
        connection = sqlite3.connect(f"file:{self.data / FILE}?mode=ro", uri=True, timeout=20)
        try:
            query = f"SELECT {', '.join(LOOKED_AT)} FROM metrics_run WHERE id = ?"  # noqa: S608 - a constant
            row = dict(zip(LOOKED_AT, connection.execute(query, [run]).fetchone(), strict=True))
        finally:
            connection.close()
        return row | {name: json.loads(row[name]) for name in ("arguments", "result") if row[name]}

    def wait_for_status(self, run: int, status: str) -> dict[str, Any]:
        def reached() -> dict[str, Any] | None:
            row = self.look(run)
            return row if row["status"] == status else None

        return wait_for(reached, what=f"run {run} to be {status}")

    def wait_for_step(self, run: int, step: int, *, attempt: int = 1) -> dict[str, Any]:
        """The diary's entry of that step, as soon as it is written."""

        def reached() -> dict[str, Any] | None:
            entries = read_diary(self.diary, run=run)
            return next((entry for entry in entries if (entry["step"], entry["attempt"]) == (step, attempt)), None)

        return wait_for(reached, what=f"step {step} of run {run}, attempt {attempt}")

    def ends(self, run: int) -> int:
        """How often the run came to its end."""
        return sum(entry["step"] == "end" for entry in read_diary(self.diary, run=run))


@cache
def _caller() -> tuple[IO[str], IO[str]]:
    """Where calls are written, and where their results come."""
    home = Path(tempfile.mkdtemp(prefix="assay-caller-"))
    process = subprocess.Popen(
        [sys.executable, "-c", CALLER],
        cwd=ROOT,
        env=embedded_environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def end() -> None:
        process.kill()
        process.wait()
        shutil.rmtree(home, ignore_errors=True)

    atexit.register(end)
    return process.stdin, process.stdout
