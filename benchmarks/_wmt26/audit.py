"""What the database holds at the end, against what annotators have sent: nothing lost, doubled or half done."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from benchmarks._wmt26.annotator_at_work import AnnotatorAtWork
from tests.crash.audit import HALF_DONE, parsed
from tests.crash.database import Database

STORED = """
    SELECT judgment.client_id, item.public_id, judgment.answer FROM annotation_judgment judgment
    JOIN annotation_item item ON item.id = judgment.item_id WHERE judgment.id > {before}"""
OF_CRASHES_ALONE = (  # an output of two systems has two numbers here
    "a judgment has not exactly one number",
    "a number is not of the output that was shown",
)


@dataclass(frozen=True)
class Findings:
    acknowledged: int
    lost: int
    doubled: int
    half_done: tuple[str, ...]


def last_judgment(database: Database) -> int:
    return int(database.rows("SELECT COALESCE(MAX(id), 0) FROM annotation_judgment")[0][0])


def audit(database: Database, people: Sequence[AnnotatorAtWork], *, before: int) -> Findings:
    """Of the judgments after that one. `doubled`: there more than once, sent by nobody, or changed."""
    sent = {client_id: each for person in people for client_id, each in person.sent.items()}
    acknowledged = {client_id for person in people for client_id in person.acknowledged}
    counted: Counter[str] = Counter()
    changed = set()
    for client_id, item, answer in database.rows(STORED.format(before=before)):
        known = str(UUID(str(client_id)))
        counted[known] += 1
        if known not in sent or sent[known] != (str(UUID(str(item))), parsed(answer)):
            changed.add(known)
    doubled = changed | {client_id for client_id, times in counted.items() if times > 1}
    half_done = tuple(
        what for what, query in HALF_DONE.items() if what not in OF_CRASHES_ALONE and database.rows(query)
    )
    return Findings(len(acknowledged), len(acknowledged - set(counted)), len(doubled), half_done)
