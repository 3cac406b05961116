"""The runs of a served SQLite database, queued by the product's own action and looked at from outside."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.jobs.slow_kind.counting import let_go
from tests.processes import embedded_environment, read_diary, run_python, wait_for

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
        made = f"[queue_run(kind='slow', arguments={arguments!r}).pk for _ in range({count})]"
        return [int(run) for run in json.loads(self.call(made))]

    def let_go(self) -> None:
        let_go(self.diary)

    def cancel(self, run: int) -> None:
        self.call(f"cancel_run(run=Run.objects.get(pk={run})).pk")

    def call(self, expression: str) -> str:
        code = f"from jobs.actions import cancel_run, queue_run\nfrom jobs.models import Run\nprint({expression})"
        return run_python(code, environment=embedded_environment(self.data))

    def look(self, run: int) -> dict[str, Any]:
        connection = sqlite3.connect(f"file:{self.data / 'assay.sqlite3'}?mode=ro", uri=True, timeout=20)
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
