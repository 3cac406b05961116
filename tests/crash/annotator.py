"""An annotator who takes assignments and judges them by a program: drafts, judgments, retries and second thoughts."""

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.crash.ledger import Ledger, SentDraft, SentJudgment
from tests.crash.program import NoAnswer, Program
from tests.processes import wait_for

Item = dict[str, Any]
DRAFTED, SENT_TWICE, RECONSIDERED, WITH_NEXT = 0.2, 0.05, 0.05, 0.5  # shares of the items
FEWEST = 11  # judgments stored in a stretch of work: a busy machine stores only a few in its seconds


class Annotator:
    def __init__(self, program: Program, campaign: str, rng: random.Random) -> None:
        self.program = program
        self.ledger = Ledger()
        self.rng = rng
        self._campaign = campaign

    def work(self, *, is_over: Callable[[], bool] = lambda: False) -> None:
        """Until nothing is left, or no answer comes."""
        try:
            while not is_over() and (assignment := self.take()) is not None:
                self.judge_assignment(assignment, is_over=is_over)
        except NoAnswer:
            return
        finally:
            self.program.hang_up()

    def take(self) -> int | None:
        path = f"campaigns/{self._campaign}/assignments"
        status, answer = self.program.ask("POST", path)
        if not self.ledger.expect(status, answer, expected=(201, 204), of=path) or status == 204:
            return None
        return int(answer["id"])

    def judge_assignment(self, assignment: int, *, is_over: Callable[[], bool] = lambda: False) -> None:
        while not self.ledger.surprises and (waiting := self.waiting_items(assignment)):
            for item in waiting:
                if is_over():
                    return
                self.judge(assignment, item)

    def waiting_items(self, assignment: int) -> list[Item]:
        """Of one page, as the annotator's page asks for it: whole documents from the first that is not judged."""
        path = f"assignments/{assignment}/items"
        status, page = self.program.ask("GET", path)
        if not self.ledger.expect(status, page, expected=(200,), of=path):
            return []
        return [item for item in page["items"] if item["answer"] is None]

    def judge(self, assignment: int, item: Item) -> None:
        if self.rng.random() < DRAFTED:
            self._save_draft(assignment, item)
        sent = self.compose(assignment, item, base_revision=item["revision"])
        self.send(sent)
        if self.rng.random() < SENT_TWICE:
            self.send(sent, expected=(200,))
        if self.rng.random() < RECONSIDERED:
            self.send(self.compose(assignment, item, base_revision=item["revision"] + 1))

    def compose(self, assignment: int, item: Item, *, base_revision: int) -> SentJudgment:
        body = {
            "client_id": str(uuid.UUID(int=self.rng.getrandbits(128), version=4)),
            "base_revision": base_revision,
            "answer": self._answer(),
            "started": "2026-11-21T08:00:00Z",
            "elapsed_ms": 9000,
            "active_ms": 8000,
        }
        path = f"assignments/{assignment}/items/{item['id']}/judgments"
        with_next = f"?next_after={item['id']}" if self.rng.random() < WITH_NEXT else ""
        return SentJudgment(item["id"], path + with_next, body)

    def send(self, sent: SentJudgment, *, expected: tuple[int, ...] = (201,)) -> None:
        """It stands in the ledger before it is sent; what was sent before may have arrived then."""
        was_tried = len(self.program.refusals)
        self.ledger.judgments[sent.client_id] = sent
        status, answer = self.program.ask("POST", sent.path, sent.body)
        if len(self.program.refusals) > was_tried:
            expected = (200, 201)
        self.ledger.note(sent, status, answer, expected=expected)

    def resend(self) -> list[SentJudgment]:
        """What nobody has acknowledged, once more and unchanged."""
        waiting = self.ledger.waiting()
        for sent in waiting:
            self.send(sent, expected=(200, 201))
        self.program.hang_up()
        return waiting

    def _save_draft(self, assignment: int, item: Item) -> None:
        sent = SentDraft(self._answer())
        self.ledger.drafts.setdefault(item["id"], []).append(sent)
        path = f"assignments/{assignment}/items/{item['id']}/draft"
        body = {"answer": sent.answer, "base_revision": item["revision"]}
        status, answer = self.program.ask("PUT", path, body)
        sent.is_kept = self.ledger.expect(status, answer, expected=(204,), of=path)

    def _answer(self) -> dict[str, Any]:
        """No two are alike, so that one in the place of another is seen."""
        score, comment = self.rng.randrange(101), f"{self.rng.getrandbits(64):016x} – „ß“ 説"
        return {"slots": {"A": {"score": score}}, "comment": comment, "cannot_judge": None}


@contextmanager
def at_work(annotators: Sequence[Annotator]) -> Iterator[list[threading.Thread]]:
    """All at once, meanwhile; each finishes what it is at in the end."""
    over = threading.Event()
    threads = [threading.Thread(target=annotator.work, kwargs={"is_over": over.is_set}) for annotator in annotators]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        over.set()
        for thread in threads:
            thread.join()


def let_work(annotators: Sequence[Annotator], threads: Sequence[threading.Thread], *, seconds: float) -> None:
    """So long, and until FEWEST judgments more are acknowledged, unless nobody is at work any more."""
    enough = _acknowledged(annotators) + FEWEST
    time.sleep(seconds)
    wait_for(
        lambda: _acknowledged(annotators) >= enough or not any(thread.is_alive() for thread in threads),
        what=f"{FEWEST} judgments to be stored",
    )


def _acknowledged(annotators: Sequence[Annotator]) -> int:
    """Of ledgers that their annotators are writing in."""
    return sum(sent.is_acknowledged for annotator in annotators for sent in list(annotator.ledger.judgments.values()))
