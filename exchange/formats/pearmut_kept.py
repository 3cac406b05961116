"""The records of Pearmut's annotations that count, in a scratch database: a reset may make any of them void.

Memory holds one record at a time. `KeptScreens.read` checks them all; afterwards the screens come in the order of the
file, each with its place among its revisions.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from exchange import cells
from exchange.formats.pearmut_answers import score_in
from exchange.formats.pearmut_records import CHECK, JUDGED, RESET, records, role_of
from exchange.staging.judgments import Reading

Output = tuple[str, str, str, str]  # annotator, document, segment, system
FORM, SCREEN = "forms", JUDGED

# `key` is NULL for what is not a screen. Of one key are the revisions of a screen.
_TABLES = """
CREATE TABLE record (
    id INTEGER PRIMARY KEY, annotator TEXT, kind TEXT, is_passed INTEGER, key BLOB, width INTEGER, is_scored INTEGER,
    systems TEXT, body TEXT
);
CREATE INDEX record_annotator ON record (annotator);
CREATE TABLE shown (
    id INTEGER PRIMARY KEY, first INTEGER, newest INTEGER, revision INTEGER, revisions INTEGER, screen INTEGER
);
CREATE TABLE position (
    first INTEGER, place INTEGER, kind TEXT, position INTEGER, PRIMARY KEY (first, place, kind)
) WITHOUT ROWID;
CREATE TABLE judged (
    annotator TEXT, document TEXT, segment TEXT, system TEXT, first INTEGER,
    PRIMARY KEY (annotator, document, segment, system)
) WITHOUT ROWID;
"""

# screens without systems give no judgments, and have no number
_SHOWN = """
INSERT INTO shown (id, first, newest, revision, revisions, screen)
SELECT id, first, newest, revision, revisions, DENSE_RANK() OVER (PARTITION BY width = 0 ORDER BY first) FROM (
    SELECT id, width, MIN(id) OVER same AS first, MAX(id) OVER same AS newest, COUNT(*) OVER same AS revisions,
        ROW_NUMBER() OVER (PARTITION BY key ORDER BY id) AS revision
    FROM record WHERE key IS NOT NULL WINDOW same AS (PARTITION BY key)
);
"""

_IN_ORDER = """
SELECT record.id, record.annotator, record.systems, record.body, newest.systems AS columns,
    first, shown.newest, revision, revisions, screen
FROM shown JOIN record ON record.id = shown.id JOIN record AS newest ON newest.id = shown.newest ORDER BY shown.id
"""


@dataclass(frozen=True)
class Screen:
    """One record. `systems` are in the order of their columns."""

    number: int
    annotator: str
    items: Sequence[Mapping[str, Any]]
    annotation: Sequence[Mapping[str, Any]]
    actions: object
    comment: str
    systems: tuple[str, ...]

    @property
    def key(self) -> bytes:
        """Screens of one key are revisions of one another."""
        words = [self.annotator, [item["item_id"] for item in self.items], sorted(self.systems)]
        return sha256(json.dumps(words).encode()).digest()

    @property
    def is_scored(self) -> bool:
        return any(score_in(each) is not None for answers in self.annotation for each in answers.values())


@dataclass(frozen=True)
class Shown:
    """A screen that counts, or that a later one replaced.

    `first` is the number of the first record of its `revisions`, `screen` the same number for all of them; `columns`
    are the systems in the order of the newest.
    """

    screen: Screen
    first: int
    revision: int
    revisions: int
    number: int
    is_current: bool
    columns: tuple[str, ...]


@dataclass
class KeptScreens:
    """`taken` is the last position of each annotator."""

    scratch: sqlite3.Connection
    taken: Counter[str] = field(default_factory=Counter)

    def read(self, reading: Reading) -> Counter[str]:
        """All records; counts of what is no screen, and of what a reset made void."""
        counts: Counter[str] = Counter()
        self.scratch.execute("PRAGMA cache_size=-2000")  # what is kept is read once, in order
        self.scratch.executescript(_TABLES)
        self.scratch.execute("BEGIN")  # without an end: nobody else reads what is thrown away
        for number, record in records(reading):
            counts["records"] += 1
            annotator = record.get("user_id")
            if not isinstance(annotator, str) or not _is_name(annotator, 150):
                reading.line(number).refuse("user_id", _("A record needs the name of its annotator."))
            elif record.get("annotation") == RESET:
                counts["resets"] += 1
                void = self.scratch.execute("DELETE FROM record WHERE annotator = ?", [annotator])
                counts["records_wiped_by_reset"] += void.rowcount
            else:
                self._keep(reading, number, record, annotator)
        self.scratch.execute(_SHOWN)
        of_kind = "SELECT kind, COUNT(*) AS count, SUM(is_passed) AS passed FROM record GROUP BY kind"
        for row in self.scratch.execute(of_kind):
            counts[row["kind"]] += row["count"] if row["kind"] != SCREEN else 0
            counts["checks_passed"] += row["passed"] if row["kind"] == CHECK else 0
        return counts

    def _keep(self, reading: Reading, number: int, record: Mapping[str, Any], annotator: str) -> None:
        kind = _kind(record)
        screen = _screen(reading, number, record, annotator) if kind == SCREEN else None
        validations = record.get("validations")
        is_passed = kind != CHECK or (isinstance(validations, list) and all(validations))
        row: list[Any] = [None] * 5
        if screen is not None:
            body = json.dumps([screen.items, screen.annotation, screen.actions, screen.comment])
            row = [screen.key, len(screen.systems), screen.is_scored, json.dumps(screen.systems), body]
        places = ", ".join("?" * 9)
        self.scratch.execute(f"INSERT INTO record VALUES ({places})", [number, annotator, kind, is_passed, *row])  # noqa: S608

    @property
    def failed_by(self) -> list[str]:
        """Who failed a check, in order."""
        query = "SELECT DISTINCT annotator FROM record WHERE kind = ? AND NOT is_passed"
        return sorted(annotator for (annotator,) in self.scratch.execute(query, [CHECK]))

    @property
    def widest(self) -> int:
        return int(self._one("SELECT COALESCE(MAX(width), 1) FROM record"))

    @property
    def is_scored(self) -> bool:
        """Whether any output has a score, or there are no screens."""
        return bool(self._one("SELECT COALESCE(MAX(is_scored), 1) FROM record"))

    def in_order(self) -> Iterator[Shown]:
        """Of the file. What `position` and `first_on` answer holds up to the screen that came last."""
        for row in self.scratch.execute(_IN_ORDER):
            items, annotation, actions, comment = json.loads(row["body"])
            systems, columns = (tuple(json.loads(row[name])) for name in ("systems", "columns"))
            yield Shown(
                Screen(row["id"], row["annotator"], items, annotation, actions, comment, systems),
                first=row["first"],
                revision=row["revision"],
                revisions=row["revisions"],
                number=row["screen"],
                is_current=row["id"] == row["newest"],
                columns=columns,
            )

    def position(self, shown: Shown, place: int, kind: str) -> int:
        """The same for all revisions of an item; each new one is the next of its annotator."""
        item = [shown.first, place, kind]
        if shown.revision > 1:
            known = "SELECT position FROM position WHERE first = ? AND place = ? AND kind = ?"
            if (position := self._one(known, item)) is not None:
                return int(position)
        self.taken[shown.screen.annotator] += 1
        position = self.taken[shown.screen.annotator]
        if shown.revision < shown.revisions:
            self.scratch.execute("INSERT INTO position VALUES (?, ?, ?, ?)", [*item, position])
        return position

    def first_on(self, shown: Shown, judged: Iterable[Output], outputs: Iterable[Output]) -> Iterator[int]:
        """For each output the first record of the screen on which it was judged first, if not on this one."""
        self.scratch.executemany(
            "INSERT OR IGNORE INTO judged VALUES (?, ?, ?, ?, ?)", ((*output, shown.first) for output in judged)
        )
        query = "SELECT first FROM judged WHERE annotator = ? AND document = ? AND segment = ? AND system = ?"
        for output in outputs:
            first = self._one(query, output)
            yield shown.first if first is None else int(first)

    def _one(self, query: str, values: Sequence[object] = ()) -> Any:
        """The first value of the first row, None without rows."""
        row = self.scratch.execute(query, values).fetchone()
        return None if row is None else row[0]


def _kind(record: Mapping[str, Any]) -> str:
    """Forms ask questions, and their answers are no objects."""
    items, place = record.get("item"), record.get("item_i")
    items = items if isinstance(items, list) else []
    first = items[0] if items and isinstance(items[0], Mapping) else {}
    if "form" in first:
        return FORM
    is_random = isinstance(place, str) and place.startswith("random")
    return role_of(items, is_special=isinstance(place, str) or not first.get("item_id"), is_random=is_random)


def _screen(reading: Reading, number: int, record: Mapping[str, Any], annotator: str) -> Screen | None:
    """None, with the reason among the problems, for a record that is not a screen."""
    line, items, annotation = reading.line(number), record["item"], record.get("annotation")
    if not isinstance(annotation, list) or len(annotation) != len(items):
        line.refuse("annotation", _("There must be one annotation for each segment of the screen."))
        return None
    for item, answer in zip(items, annotation, strict=True):
        texts = item.get("tgt") if isinstance(item, Mapping) else None
        is_named = isinstance(item, Mapping) and _is_name(item.get("item_id"), 255)
        if not is_named or not isinstance(texts, Mapping) or not isinstance(answer, Mapping):
            line.refuse("item", _("Each segment needs `item_id`, `tgt` with a text for each system, and answers."))
            return None
        if not all(_is_name(name, 150) and isinstance(text, str) for name, text in texts.items()):
            line.refuse("tgt", _("Names and translations of systems must be texts."))
            return None
        if set(texts) != set(items[0]["tgt"]):
            line.refuse("tgt", _("All segments of a screen need the same systems."))
            return None
    shown = items[0]["tgt"]
    order = dict.fromkeys(name for name in annotation[0] if name in shown)
    comment = record.get("comment")
    return Screen(
        number,
        annotator,
        items,
        annotation,
        record.get("actions"),
        comment if isinstance(comment, str) else "",
        (*order, *(name for name in shown if name not in order)),
    )


def _is_name(value: object, longest: int) -> bool:
    try:
        return isinstance(value, str) and bool(cells.check_name(value, longest=longest, required=True))
    except cells.CellError:
        return False
