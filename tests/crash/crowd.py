"""Sixteen annotators at once, until nothing is left; of a pool, some leave in the middle and come back late."""

import threading
import time

from tests.crash.annotator import Annotator
from tests.crash.database import Database
from tests.crash.ledger import Ledger
from tests.crash.program import NoAnswer

ABANDONED = 0.3  # share of the assignments of those who leave
LONGEST_ABSENCE = 10.0
PAUSE = 0.1


class Room:
    """Who has found nothing left; all are done when all have, for work can come back until then."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._idle: set[int] = set()
        self._lock = threading.Lock()

    def note(self, who: int, *, idle: bool) -> bool:
        """Whether everybody is idle."""
        with self._lock:
            (self._idle.add if idle else self._idle.discard)(who)
            return len(self._idle) == self._size


class Crowd:
    def __init__(self, database: Database, annotators: list[Annotator], *, leaving: int = 0) -> None:
        """The first `leaving` annotators abandon an assignment now and then."""
        self._database = database
        self._annotators = annotators
        self._leaving = leaving
        self._room = Room(len(annotators))

    def judge_everything(self) -> list[Ledger]:
        threads = [threading.Thread(target=self._judge, args=(place,)) for place in range(len(self._annotators))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [annotator.ledger for annotator in self._annotators]

    def _judge(self, place: int) -> None:
        annotator = self._annotators[place]
        try:
            while not annotator.ledger.surprises:
                assignment = annotator.take()
                if assignment is not None:
                    self._room.note(place, idle=False)
                    self._work_on(annotator, assignment, may_leave=place < self._leaving)
                elif self._room.note(place, idle=True):
                    return
                else:
                    time.sleep(PAUSE)
        except NoAnswer as error:
            annotator.ledger.surprises.append(repr(error))
        finally:
            self._room.note(place, idle=True)
            annotator.program.hang_up()

    def _work_on(self, annotator: Annotator, assignment: int, *, may_leave: bool) -> None:
        if may_leave and annotator.rng.random() < ABANDONED:
            self._abandon(annotator, assignment)
        else:
            annotator.judge_assignment(assignment)

    def _abandon(self, annotator: Annotator, assignment: int) -> None:
        """Half of it is judged; the other half comes when the reservation is over, now in time and now too late.

        An answer renews a reservation, so that it is ended before each.
        """
        items = annotator.waiting_items(assignment)
        for item in items[: len(items) // 2]:
            annotator.judge(assignment, item)
        self._database.end_reservation(assignment)
        if annotator.rng.random() < 0.5:
            self._wait_until_taken_over(assignment)
        for item in items[len(items) // 2 :]:
            self._database.end_reservation(assignment)
            sent = annotator.compose(assignment, item, base_revision=0)
            sent.is_late, sent.is_too_late = True, self._database.is_taken_over(assignment)
            annotator.send(sent)

    def _wait_until_taken_over(self, assignment: int) -> None:
        end = time.monotonic() + LONGEST_ABSENCE
        while time.monotonic() < end and not self._database.is_taken_over(assignment):
            time.sleep(PAUSE)
