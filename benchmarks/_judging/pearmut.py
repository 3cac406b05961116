"""Pearmut takes part: its own server as `pearmut run` starts it, and annotators who send what its page sends.

It hands out and stores whole documents, so every segment is one, that a judgment be the same thing for both.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks._judging.contestant import BenchmarkFailed, Opened
from benchmarks._judging.invented_texts import SYSTEM, Text, texts
from benchmarks._judging.json_connection import Connection
from benchmarks._judging.pearmut_environment import install_pearmut, installed_versions
from benchmarks._judging.plan import Plan
from benchmarks._judging.server import serving
from tests.processes import free_port

CAMPAIGN = "judging"
BEGAN = 1_790_000_000.0
Document = list[dict[str, Any]]


class PearmutAnnotator:
    def __init__(self, port: int, user: str) -> None:
        self.acknowledged: list[str] = []
        self._connection = Connection(port)
        self._who = {"campaign_id": CAMPAIGN, "user_id": user}

    def loop(self) -> None:
        given = self._connection.ask("POST", "/get-next-item", self._who)
        number, document = given["info"]["item_i"], given["payload"]
        judgment = self._who | {"item_i": number, "payload": answer_to(document, score=73)}
        self._connection.ask("POST", "/log-response", judgment)
        self.acknowledged.append(_name(self._who["user_id"], number))

    def hang_up(self) -> None:
        self._connection.close()


class Pearmut:
    name = "Pearmut"
    is_ours = False

    def __init__(self, *, home: Path, plan: Plan) -> None:
        self._home = home
        self._plan = plan
        self._program = Path()  # not before it is needed

    @property
    def versions(self) -> str:
        return installed_versions()

    def prepare(self) -> None:
        self._program = install_pearmut()
        self._home.mkdir()
        for stored in self._plan.sizes:
            root = self._root(stored)
            root.mkdir()
            (root / "campaign.json").write_text(json.dumps(self._campaign()), encoding="utf-8")
            self._add_campaign(root)
            judge_in_the_past(root, self._users()[: stored // self._plan.assignment])

    @contextmanager
    def opened(self, *, stored: int, annotators: int) -> Iterator[Opened]:
        root, port = self._home / "measured", free_port()
        shutil.copytree(self._root(stored), root)
        people = self._users()[self._plan.past_assignments :][:annotators]
        try:
            with serving(
                [self._program, "run", "--port", str(port)],
                environment=_environment(root),
                address=f"http://127.0.0.1:{port}/annotate",
                log=self._home / "pearmut.log",
                folder=root,
            ) as process:
                yield Opened([PearmutAnnotator(port, user) for user in people], process, None, lambda: _kept(root))
        finally:
            shutil.rmtree(root)

    def _campaign(self) -> dict[str, Any]:
        """Everybody has documents of their own, as in Assay's plan."""
        size, given = self._plan.assignment, texts(self._plan.texts)
        tasks = [[_document(text) for text in given[place : place + size]] for place in range(0, len(given), size)]
        about = {"assignment": "task-based", "protocol": "DA", "users": self._users(), "seed": 7}
        return {"campaign_id": CAMPAIGN, "info": about, "data": tasks}

    def _users(self) -> list[str]:
        return [f"annotator-{number}" for number in range(self._plan.texts // self._plan.assignment)]

    def _root(self, stored: int) -> Path:
        return self._home / f"stored-{stored}"

    def _add_campaign(self, root: Path) -> None:
        done = subprocess.run(
            [self._program, "add", "campaign.json"],
            cwd=root,
            env=_environment(root),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BenchmarkFailed(f"pearmut add failed: {done.stdout}{done.stderr}")


def judge_in_the_past(root: Path, users: list[str]) -> None:
    """What its server would have written, had they judged all their documents."""
    campaign = json.loads((root / "data" / "campaigns" / f"{CAMPAIGN}.json").read_text(encoding="utf-8"))
    progress_file = root / "data" / "progress" / f"{CAMPAIGN}.json"
    progress = json.loads(progress_file.read_text(encoding="utf-8"))
    with (root / "data" / "annotations" / f"{CAMPAIGN}.jsonl").open("a", encoding="utf-8") as log:
        for user in users:
            documents = campaign["data"][user]
            for number, document in enumerate(documents):
                answer = answer_to(document, score=number % 101)
                log.write(json.dumps(answer | {"user_id": user, "item_i": number}, ensure_ascii=False) + "\n")
            own = progress[user]
            own["progress"] = ["completed"] * len(documents)
            own["time_start"], own["time_end"], own["time"] = BEGAN, BEGAN + 9, 9.0 * len(documents)
    progress_file.write_text(json.dumps(progress, ensure_ascii=False), encoding="utf-8")


def answer_to(document: Document, *, score: int) -> dict[str, Any]:
    """As its page sends it: the scores, what was done when, and the document itself once more."""
    moved: dict[str, Any] = {"action": "score", "index": 0, "model": SYSTEM, "value": score}
    done = ({"action": "load"}, moved, {"action": "submit"})
    return {
        "annotation": [{SYSTEM: {"score": score, "error_spans": []}} for _ in document],
        "actions": [{"time": BEGAN + 3 * place} | action for place, action in enumerate(done)],
        "item": document,
    }


def _document(text: Text) -> Document:
    return [{"src": text.source, "tgt": {SYSTEM: text.translation}}]


def _kept(root: Path) -> set[str]:
    lines = (root / "data" / "annotations" / f"{CAMPAIGN}.jsonl").read_text(encoding="utf-8").splitlines()
    return {_name(answer["user_id"], answer["item_i"]) for answer in map(json.loads, lines)}


def _name(user: str, number: int) -> str:
    return f"{user}/{number}"


def _environment(root: Path) -> dict[str, str]:
    return dict(os.environ) | {"PEARMUT_ROOT": str(root)}
