"""The child process, as a parent sees it."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from bootstrap import neural_environment
from metrics.neural.operator_models import FOR_TESTS
from tests.neural_worker.texts import SAMPLES, Sample
from tests.processes import ROOT

UNSAFE = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"


@dataclass(frozen=True)
class Answer:
    """All lines to one request, sorted out. `error` is empty where it was answered."""

    lines: Sequence[Mapping[str, Any]]

    @property
    def error(self) -> Mapping[str, str]:
        error: Mapping[str, str] = self.lines[-1].get("error", {})
        return error

    @property
    def scored(self) -> list[Mapping[str, Any]]:
        return sorted((line for line in self.lines if "score" in line), key=lambda line: int(line["id"]))

    @property
    def scores(self) -> list[float]:
        return [line["score"] for line in self.scored]


@dataclass
class Child:
    """Started when it is first asked; unsafe loading is switched on around it, so that tests see it switched off."""

    environment: Mapping[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[str] | None" = None
    asked: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self) -> None:
        """At once, whatever it does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                with suppress(BrokenPipeError):
                    if stream:
                        stream.close()
            self.process = None

    def start(self) -> "subprocess.Popen[str]":
        if self.process is None:
            self.process = subprocess.Popen(
                [neural_environment.PYTHON, "-W", "ignore", "-m", "neural_worker"],
                cwd=ROOT,
                env={**os.environ, "OMP_NUM_THREADS": "1", FOR_TESTS: "1", UNSAFE: "1", **self.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        return self.process

    def ask(
        self,
        metric: str,
        folder: Path,
        samples: Sequence[Sample] = SAMPLES,
        *,
        kind: str = "comet",
        has_references: bool = True,
        corpus: Mapping[str, Sequence[str]] | None = None,
        **options: object,
    ) -> Answer:
        items = [
            {"id": at, "src": each.src, "mt": each.mt, "refs": list(each.refs) if has_references else []}
            for at, each in enumerate(samples)
        ]
        return self.send(self.request(metric, folder, items, kind, corpus, options))

    def request(
        self,
        metric: str,
        folder: Path,
        items: Sequence[Mapping[str, Any]],
        kind: str,
        corpus: Mapping[str, Sequence[str]] | None,
        options: Mapping[str, object],
    ) -> str:
        self.asked += 1
        request: dict[str, Any] = {"request": self.asked, "metric": metric, "items": items}
        request["model"] = {"name": folder.name, "kind": kind, "folder": str(folder)}
        request["options"] = {"source_language": "en", "target_language": "de", "layer": None, "idf": False, **options}
        if corpus:
            request["corpus"] = corpus
        return json.dumps(request)

    def send(self, line: str) -> Answer:
        process = self.start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("it has no pipes")
        process.stdin.write(line + "\n")
        process.stdin.flush()
        lines: list[Mapping[str, Any]] = []
        while not lines or not {"done", "error"} & set(lines[-1]):
            answer = process.stdout.readline()
            if not answer:
                raise AssertionError(f"the child ended after {lines}")
            lines.append(json.loads(answer))
        return Answer(lines)
