"""PostgreSQL stopped at once under those who judge, and started again, while the web server runs on."""

import random
import time

from tests.crash.annotator import Annotator, at_work, let_work
from tests.crash.audit import audit
from tests.crash.database import Database
from tests.crash.figures import Figures
from tests.crash.ledger import Books
from tests.plugins.postgres import PostgresServer

WORK, AWAY = (0.5, 1.5), (0.0, 1.0)  # seconds, from and to
PATIENCE = 60.0  # of an annotator's program, seconds
RECOVERED = "database system was not properly shut down; automatic recovery in progress"


def stop_again_and_again(
    postgres: PostgresServer, database: Database, annotators: list[Annotator], *, times: int, rng: random.Random
) -> Figures:
    """The annotators need patience: they go on through all of it. `unanswered` are attempts that were refused."""
    figures = Figures()
    with at_work(annotators) as threads:
        for _ in range(times):
            let_work(annotators, threads, seconds=rng.uniform(*WORK))
            _stop_once(postgres, figures, seconds_away=rng.uniform(*AWAY))
        let_work(annotators, threads, seconds=WORK[1])
    hold_against(database, annotators, figures)
    return figures


def _stop_once(postgres: PostgresServer, figures: Figures, *, seconds_away: float) -> None:
    postgres.crash()
    time.sleep(seconds_away)
    began = time.monotonic()
    postgres.start_again()
    figures.restarts.append(time.monotonic() - began)
    figures.times += 1
    if RECOVERED not in postgres.log():
        figures.wrong.append({"PostgreSQL did not notice that it was stopped": postgres.log()})


def hold_against(database: Database, annotators: list[Annotator], figures: Figures) -> None:
    books = Books([annotator.ledger for annotator in annotators])
    findings = audit(database, books)
    figures.acknowledged, figures.kept_drafts = len(books.acknowledged), books.kept_drafts
    figures.unanswered = sum(len(annotator.program.refusals) for annotator in annotators)
    figures.lost, figures.doubled = len(findings.lost), len(findings.doubled)
    said = {
        "surprises": books.surprises,
        "not accepted": sorted(books.waiting),
        "damage": database.damage(),
        **findings.wrong,
    }
    figures.wrong += [{what: found} for what, found in said.items() if found]
