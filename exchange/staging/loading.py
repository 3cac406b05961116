"""All rows of an import of judgments, and the counts that pages read.

To store a row takes PostgreSQL longer than all that comes before, and it uses one processor for a connection: there,
judgments have a connection of their own (docs/decisions/0075).
"""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Lock

from django.db import connection

from annotation.actions.summaries import recount, recount_control_scores, recount_plan
from annotation.actions.work_counts import count_first_work
from annotation.models import Judgment
from campaigns.bulk_rows import commits_that_do_not_wait
from campaigns.models import Campaign
from campaigns.rows_together import RowsTogether, can_write_together, rows_together
from exchange.staging.database import opener
from exchange.staging.final_rows import FinalRows
from exchange.staging.loading_judgments import expected_rows, load_items, load_judgments, load_texts, numbered_rows

TOLD_EVERY = 0.5  # seconds
LONGEST_WAIT = "30s"  # for a lock


class _Progress:
    """Rows are counted by both threads; the caller's thread tells it, as it may end the import by an error."""

    def __init__(self, expected: int, tell: Callable[[float], None]) -> None:
        self._expected, self._tell = expected, tell
        self._stored, self._lock = 0, Lock()

    def count(self, stored: int) -> None:
        with self._lock:
            self._stored += stored

    def tell(self) -> None:
        self._tell(min(1.0, self._stored / self._expected))


def load_rows(staged: sqlite3.Connection, campaign: Campaign, tell: Callable[[float], None]) -> None:
    """By one connection where rows cannot be written together, and within a transaction, which others cannot see."""
    progress = _Progress(expected_rows(staged), tell)
    with commits_that_do_not_wait():
        if can_write_together() and not connection.in_atomic_block:
            _load_by_two(staged, campaign, progress)
        else:
            _load_by_one(staged, campaign, progress)


def _load_by_one(staged: sqlite3.Connection, campaign: Campaign, progress: _Progress) -> None:
    def report(stored: int) -> None:
        progress.count(stored)
        progress.tell()

    with rows_together():
        rows = numbered_rows(staged, report)
        load_texts(rows, campaign.test_set)
        load_items(rows, campaign)
        load_judgments(rows, campaign.name)
        with _prepared_to_count():
            recount(campaign.pk)


def _load_by_two(staged: sqlite3.Connection, campaign: Campaign, progress: _Progress) -> None:
    """The items are committed when all judgments are stored; these after them, or not at all."""
    are_stored = Event()  # the judgments
    items: Future[RowsTogether] = Future()

    def report(stored: int) -> None:
        progress.count(stored)
        progress.tell()
        if judgments.done():  # too early: their error ends the items as well
            judgments.result()

    rows, open_again = numbered_rows(staged, report), opener(staged)
    with ThreadPoolExecutor(1, thread_name_prefix="loading") as thread:
        try:
            judgments = thread.submit(_load_judgments, rows, open_again, campaign, progress, are_stored, items)
            with rows_together() as together:
                _limit_waits()
                load_texts(rows, campaign.test_set)
                load_items(rows, campaign)
                with _prepared_to_count():
                    recount_plan(campaign.pk)
                together.check()
                while not are_stored.wait(TOLD_EVERY):
                    report(0)
            items.set_result(together)
        except BaseException:
            items.cancel()
            raise
        judgments.result()


def _load_judgments(
    rows: FinalRows,
    open_again: Callable[[], AbstractContextManager[sqlite3.Connection]],
    campaign: Campaign,
    progress: _Progress,
    are_stored: Event,
    items: Future[RowsTogether],
) -> None:
    """In a thread of its own, with connections of its own to both databases."""

    def report(stored: int) -> None:
        progress.count(stored)
        if items.cancelled():
            items.result()

    try:
        with open_again() as staged, commits_that_do_not_wait(), rows_together() as together:
            _limit_waits()
            # nobody discards the campaign between the two transactions
            Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
            load_judgments(rows.on(staged, report), campaign.name)
            count_first_work(campaign.pk, together.ranges_of(Judgment))
            are_stored.set()
            together.stored_before = items.result()
            recount_control_scores(campaign.pk)
    finally:
        connection.close()


def _limit_waits() -> None:
    """Of this transaction for locks. PostgreSQL does not see that one of the two connections waits for the other.

    A migration may wait for one and keep the other from going on: without a limit, all three wait for ever.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout TO '{LONGEST_WAIT}'")


@contextmanager
def _prepared_to_count() -> Iterator[None]:
    """PostgreSQL learns how many assignments there are now; with a guess of three it looks up row after row.

    Its lock is kept until the transaction ends. Another import does not wait for that, and does without.
    SQLite sorts in as much memory as its pages may take, beside them.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE (SKIP_LOCKED) annotation_assignment")
            yield
            return
        cursor.execute("PRAGMA cache_size")
        (pages,) = cursor.fetchone()
        cursor.execute("PRAGMA cache_size=-2000")  # kB
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size={pages}")
