"""kill -9 in the middle of the work, again and again on the same data."""

import random
import threading
from collections.abc import Callable

from tests.crash.annotator import Annotator, let_work
from tests.crash.audit import Findings, audit
from tests.crash.figures import Figures
from tests.crash.ledger import Books
from tests.crash.sites import Site

EARLIEST, LATEST = 0.2, 1.5  # seconds of work before a kill
SOUND_EVERY = 5  # kills between two readings of all files


def kill_again_and_again(
    site: Site,
    annotators: list[Annotator],
    *,
    times: int,
    rng: random.Random,
    tell: Callable[[Figures], None] = lambda _figures: None,
) -> Figures:
    """The site runs, before and afterwards."""
    figures, books = Figures(), Books([annotator.ledger for annotator in annotators])
    for _ in range(times):
        _work_until_killed(site, annotators, seconds=rng.uniform(EARLIEST, LATEST))
        figures.times += 1
        figures.restarts.append(site.start())
        after_restart = audit(site.database, books)
        figures.unanswered += len(books.waiting)
        figures.arrived = (figures.arrived or 0) + len(books.waiting & after_restart.stored)
        for annotator in annotators:
            annotator.resend()
        _note(figures, after_restart, audit(site.database, books), books)
        if figures.times % SOUND_EVERY == 0 and (damage := site.database.damage()):
            figures.wrong.append({"damage": damage})
        tell(figures)
        if figures.wrong:
            break
    return figures


def _work_until_killed(site: Site, annotators: list[Annotator], *, seconds: float) -> None:
    threads = [threading.Thread(target=annotator.work) for annotator in annotators]
    for thread in threads:
        thread.start()
    try:
        let_work(annotators, threads, seconds=seconds)
    finally:
        site.kill()
        for thread in threads:
            thread.join()


def _note(figures: Figures, after_restart: Findings, after_resend: Findings, books: Books) -> None:
    """Everything is acknowledged by now, so everything must be there."""
    figures.acknowledged = len(books.acknowledged)
    figures.kept_drafts = books.kept_drafts
    figures.lost += len(after_restart.lost | after_resend.lost)
    figures.doubled += len(after_restart.doubled | after_resend.doubled)
    figures.wrong += [found.wrong for found in (after_restart, after_resend) if found.wrong]
    if books.surprises or books.waiting:
        figures.wrong.append({"surprises": books.surprises, "not accepted": sorted(books.waiting)})
