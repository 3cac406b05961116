"""Staged rows taken apart: each person, assignment, answer, item, text and output becomes one row of its own.

In most files nearly all judgments have one row, and all items one judgment: what has no company need not be grouped,
which is what takes the time. The key of a judgment is the place of its first row.
"""

import sqlite3

from exchange.staging.database import filled_meanwhile

# What was shown: one row for each output of each judgment. If the file has no labels, the order gives them.
_SEVERAL_ROWS = """
CREATE INDEX file.judgment_row_judgment ON judgment_row (judgment, system);
CREATE TABLE file.several (judgment TEXT PRIMARY KEY, judged INTEGER) WITHOUT ROWID;
INSERT INTO several SELECT judgment, MIN(place) FROM judgment_row GROUP BY judgment HAVING COUNT(*) > 1;
CREATE TABLE shown (
    id INTEGER PRIMARY KEY, judged INTEGER, system TEXT, slot TEXT, text TEXT, line INTEGER, place_shown INTEGER
);
INSERT INTO shown (judged, system, slot, text, line, place_shown)
SELECT place, system, CASE WHEN slot = '' THEN label(1) ELSE slot END, translation, line, "column"
FROM judgment_row WHERE judgment NOT IN (SELECT judgment FROM several);
CREATE TABLE judged_place (judged INTEGER, place INTEGER, PRIMARY KEY (judged, place)) WITHOUT ROWID;
INSERT INTO judged_place SELECT judged, judged FROM shown;
INSERT INTO judged_place SELECT judged, place FROM several JOIN judgment_row USING (judgment);
INSERT INTO shown (judged, system, slot, text, line, place_shown)
SELECT judged, system, CASE WHEN slot = '' THEN label(number) ELSE slot END, text, line, place_shown FROM (
    SELECT judged, system, MAX(slot) AS slot, MAX(translation) AS text, MIN(line) AS line, MIN(place) AS place,
        MAX("column") AS place_shown,
        ROW_NUMBER() OVER (PARTITION BY judgment ORDER BY MIN(place)) AS number
    FROM several JOIN judgment_row USING (judgment) GROUP BY judgment, system
) ORDER BY place;
CREATE INDEX shown_judged ON shown (judged);
CREATE TABLE together AS
SELECT judged, GROUP_CONCAT(system, char(31)) AS systems, GROUP_CONCAT(slot || char(29) || system, char(31)) AS labels
FROM (SELECT judged, slot, system FROM several JOIN shown USING (judged) ORDER BY judged, system) GROUP BY judged;
CREATE UNIQUE INDEX together_judged ON together (judged);
CREATE TEMP VIEW judged_row AS
SELECT judged, judgment_row.* FROM judged_place CROSS JOIN judgment_row ON judgment_row.place = judged_place.place;
"""

# The same if each judgment has one row; `judgment_row_judgment` is unique.
_ONE_ROW = """
CREATE TABLE file.several (judgment TEXT PRIMARY KEY, judged INTEGER) WITHOUT ROWID;
CREATE TEMP VIEW shown AS
SELECT place AS id, place AS judged, system, CASE WHEN slot = '' THEN label(1) ELSE slot END AS slot,
    translation AS text, line, "column" AS place_shown
FROM judgment_row;
CREATE TEMP VIEW judged_row AS SELECT place AS judged, * FROM judgment_row;
"""

_PEOPLE = """
CREATE TABLE annotator (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_program INTEGER, target INTEGER);
INSERT INTO annotator (name, is_program)
SELECT annotator, MAX(program) FROM judgment_row GROUP BY annotator ORDER BY MIN(place);
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY, name TEXT, annotator TEXT, items INTEGER, began TEXT, ended TEXT, target INTEGER,
    UNIQUE (name, annotator)
);
INSERT INTO assignment (name, annotator, began, ended)
SELECT assignment, annotator, MIN(COALESCE(started, submitted)), MAX(submitted)
FROM judgment_row GROUP BY assignment, annotator ORDER BY MIN(place);
"""

_JUDGMENTS = """
CREATE TABLE judgment (
    id INTEGER PRIMARY KEY, name TEXT, line INTEGER, annotator TEXT, document TEXT, segment TEXT, kind TEXT,
    systems TEXT, labels TEXT, assignment INTEGER, position INTEGER, screen INTEGER, given_revision INTEGER,
    surplus INTEGER, started TEXT, submitted TEXT, elapsed_ms INTEGER, active_ms INTEGER, answer TEXT, comment TEXT,
    item INTEGER, revision INTEGER, is_current INTEGER, reason TEXT DEFAULT '' NOT NULL
);
CREATE TABLE mark (
    id INTEGER PRIMARY KEY, judgment INTEGER, slot TEXT, side TEXT, start INTEGER, "end" INTEGER, category TEXT,
    severity TEXT, note TEXT
);
CREATE INDEX mark_judgment ON mark (judgment);
"""
_COLUMNS = """name, line, annotator, document, segment, kind, systems, labels, assignment, position, screen,
    given_revision, surplus, started, submitted, elapsed_ms, active_ms, answer, comment"""
_FROM_SEVERAL_ROWS = f"""
INSERT INTO judgment (id, {_COLUMNS})
SELECT judged, judgment, MIN(line), judgment_row.annotator, document, segment, kind, systems, labels, assignment.id,
    position, MAX(screen), revision, surplus, judgment_row.started, judgment_row.submitted, elapsed_ms, active_ms,
    MAX(answer), MAX(comment)
FROM several
CROSS JOIN together USING (judged)
CROSS JOIN judgment_row USING (judgment)
CROSS JOIN assignment ON assignment.name = judgment_row.assignment AND assignment.annotator = judgment_row.annotator
GROUP BY judgment ORDER BY judged;
"""  # noqa: S608 - our own words
_FROM_ONE_ROW = f"""
INSERT INTO judgment (id, {_COLUMNS})
SELECT place, judgment, line, judgment_row.annotator, document, segment, kind, system,
    CASE WHEN slot = '' THEN label(1) ELSE slot END || char(29) || system, assignment.id, position, screen, revision,
    surplus, judgment_row.started, judgment_row.submitted, elapsed_ms, active_ms, answer, comment
FROM judgment_row
CROSS JOIN assignment ON assignment.name = judgment_row.assignment AND assignment.annotator = judgment_row.annotator
WHERE judgment NOT IN (SELECT judgment FROM several) ORDER BY place;
"""  # noqa: S608 - our own words

_ITEMS = """
CREATE TABLE item (
    id INTEGER PRIMARY KEY, assignment INTEGER, key TEXT, first INTEGER, position INTEGER, screen INTEGER,
    block INTEGER, document TEXT, segment TEXT, kind TEXT, systems TEXT, revision INTEGER, original INTEGER,
    target INTEGER
);
"""
# With a position, rows of the same position are the same item. Without, the n-th first answer to a question and the
# n-th second answer to it are revisions of one item; answers without a revision are items of their own.
_SEVERAL_JUDGMENTS = """
CREATE TABLE keyed (id INTEGER PRIMARY KEY, key TEXT);
INSERT INTO keyed SELECT id, 'p' || position FROM judgment WHERE position IS NOT NULL;
INSERT INTO keyed
SELECT id, 'c' || document || char(30) || segment || char(30) || kind || char(30) || labels || char(30) || ROW_NUMBER()
    OVER (PARTITION BY assignment, document, segment, kind, labels, given_revision ORDER BY id)
FROM judgment WHERE position IS NULL;
CREATE TABLE found AS
SELECT assignment, key, MIN(id) AS first, position, MAX(screen) AS screen, document, segment, kind, systems
FROM judgment JOIN keyed USING (id) GROUP BY assignment, key;
INSERT INTO item (assignment, key, first, position, screen, document, segment, kind, systems)
SELECT * FROM (
    SELECT * FROM found WHERE position IS NOT NULL UNION ALL
    SELECT assignment, key, first, COALESCE(last_given, 0) + ROW_NUMBER() OVER (PARTITION BY assignment ORDER BY first),
        screen, document, segment, kind, systems
    FROM found LEFT JOIN (
        SELECT assignment, MAX(position) AS last_given FROM found GROUP BY assignment
    ) USING (assignment) WHERE position IS NULL
) ORDER BY assignment, position;
CREATE UNIQUE INDEX item_key ON item (assignment, key);
CREATE TABLE numbered (id INTEGER PRIMARY KEY, item INTEGER, revision INTEGER, surplus INTEGER);
INSERT INTO numbered
SELECT judgment.id, item.id, given_revision, surplus
FROM judgment JOIN keyed USING (id) JOIN item ON item.assignment = judgment.assignment AND item.key = keyed.key;
CREATE INDEX numbered_item ON numbered (item);
UPDATE numbered SET revision = (
    SELECT COUNT(*) FROM numbered AS other WHERE other.item = numbered.item AND other.id <= numbered.id
) WHERE revision IS NULL;
UPDATE judgment SET (item, revision, is_current) = (
    SELECT item, revision, revision = (
        SELECT COALESCE(MAX(CASE WHEN NOT surplus THEN revision END), MAX(revision))
        FROM numbered AS other WHERE other.item = numbered.item
    ) FROM numbered WHERE numbered.id = judgment.id
);
CREATE TABLE again AS
SELECT judgment.id, judgment.item, item.first FROM judgment JOIN item ON item.id = judgment.item
WHERE item.first <> judgment.id;
CREATE TABLE latest AS SELECT item, MAX(revision) AS revision FROM judgment GROUP BY item;
CREATE TABLE blocks AS
SELECT id, SUM(begins) OVER (PARTITION BY assignment ORDER BY position) AS block FROM (
    SELECT id, assignment, position,
        document IS NOT LAG(document) OVER in_order AS begins
    FROM item WINDOW in_order AS (PARTITION BY assignment ORDER BY position)
);
CREATE UNIQUE INDEX blocks_id ON blocks (id);
CREATE UNIQUE INDEX latest_item ON latest (item);
UPDATE item SET revision = (SELECT revision FROM latest WHERE latest.item = item.id),
    block = COALESCE(screen, (SELECT block FROM blocks WHERE blocks.id = item.id));
"""

# The same if each judgment has an own position; `judgment_place` is unique.
_ONE_JUDGMENT = """
INSERT INTO item (assignment, first, position, block, document, segment, kind, systems, revision)
SELECT assignment, id, position, screen, document, segment, kind, systems, COALESCE(given_revision, 1)
FROM judgment ORDER BY assignment, position;
UPDATE item SET block = counted.block FROM (
    SELECT id, SUM(begins) OVER (PARTITION BY assignment ORDER BY id ROWS UNBOUNDED PRECEDING) AS block FROM (
        SELECT item.id, item.assignment, item.document IS NOT earlier.document AS begins
        FROM item LEFT JOIN item AS earlier ON earlier.id = item.id - 1 AND earlier.assignment = item.assignment
    )
) AS counted WHERE counted.id = item.id AND item.block IS NULL;
CREATE UNIQUE INDEX item_first ON item (first);
UPDATE judgment SET item = (SELECT id FROM item WHERE first = judgment.id), revision = COALESCE(given_revision, 1),
    is_current = TRUE;
CREATE TABLE again (id INTEGER, item INTEGER, first INTEGER);
"""

_ORIGINALS = """
CREATE INDEX judgment_item ON judgment (item, revision);
CREATE INDEX item_content ON item (assignment, document, segment) WHERE kind = 'regular';
UPDATE item SET original = (
    SELECT MIN(genuine.id) FROM item AS genuine
    WHERE genuine.assignment = item.assignment AND genuine.document = item.document
        AND genuine.segment = item.segment AND genuine.systems = item.systems AND genuine.kind = 'regular'
) WHERE kind IN ('repeat', 'repeat-by-chance', 'degraded');
UPDATE assignment SET items = counted.items
FROM (SELECT assignment, COUNT(*) AS items FROM item GROUP BY assignment) AS counted
WHERE counted.assignment = assignment.id;
"""

# The genuine text of an output is what regular rows show; only degraded items and references may show another, and
# regular ones where a text beside the judgments is another.
# Beside a degraded text, the others of the same screen are genuine.
# Texts beside the judgments come first, so that their order is the order of documents and segments.
# All rows are sorted once, by output: what is made of them, and what is asked about them, reads what is left.
_TEXTS = """
CREATE TABLE output (
    document TEXT, segment TEXT, system TEXT, reference_name TEXT, place INTEGER, is_judged INTEGER,
    least_source TEXT, source TEXT, least_reference TEXT, reference TEXT, least_domain TEXT, named_domain TEXT,
    domain TEXT, least_genuine TEXT, genuine TEXT, text_of_reference TEXT,
    PRIMARY KEY (document, segment, system, reference_name)
) WITHOUT ROWID;
INSERT INTO output
SELECT document, segment, system, reference_name, MIN(place), MAX(is_judged), MIN(source), MAX(source), MIN(reference),
    MAX(reference), MIN(domain), MIN(NULLIF(domain, '')), MAX(domain),
    MIN(CASE WHEN is_genuine THEN translation END), MAX(CASE WHEN is_genuine THEN translation END),
    MAX(CASE WHEN kind = 'reference' THEN translation END)
FROM (
    SELECT place - 1000000000000 AS place, document, segment, system, reference_name, FALSE AS is_judged, '' AS kind,
        TRUE AS is_genuine, source, translation, reference, domain
    FROM text_row UNION ALL
    SELECT place, document, segment, system, 'A', kind <> 'practice', kind, kind NOT IN ('degraded', 'reference'),
        source, translation, reference, domain
    FROM judgment_row
) GROUP BY document, segment, system, reference_name;
CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT UNIQUE, domain TEXT, target INTEGER);
INSERT INTO document (name, domain)
SELECT document, COALESCE(
    MAX(CASE WHEN segment = '' THEN domain END), CASE WHEN MIN(least_domain) = MAX(domain) THEN MAX(domain) ELSE '' END
) FROM output GROUP BY document ORDER BY MIN(place);
CREATE TABLE system (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_judged INTEGER, target INTEGER);
INSERT INTO system (name, is_judged)
SELECT system, MAX(is_judged) FROM output WHERE system <> '' GROUP BY system ORDER BY MIN(place);
CREATE TABLE segment (
    id INTEGER PRIMARY KEY, document TEXT, name TEXT, position INTEGER, source TEXT, domain TEXT,
    target INTEGER, UNIQUE (document, name)
);
INSERT INTO segment (document, name, position, source, domain)
SELECT document, segment, ROW_NUMBER() OVER (PARTITION BY document ORDER BY MIN(place)), MAX(source), MAX(domain)
FROM output WHERE segment <> '' GROUP BY document, segment ORDER BY MIN(place);
CREATE TABLE reference (id INTEGER PRIMARY KEY, document TEXT, segment TEXT, name TEXT, text TEXT);
INSERT INTO reference (document, segment, name, text)
SELECT document, segment, reference_name, MAX(reference)
FROM output WHERE segment <> '' AND reference IS NOT NULL
GROUP BY document, segment, reference_name ORDER BY MIN(place);
CREATE TABLE translation (
    id INTEGER PRIMARY KEY, document TEXT, segment TEXT, system TEXT, text TEXT, target INTEGER
);
INSERT INTO translation (document, segment, system, text)
SELECT document, segment, system, COALESCE(MAX(genuine), MAX(text_of_reference))
FROM output WHERE segment <> '' AND system <> '' GROUP BY document, segment, system ORDER BY MIN(place);
CREATE UNIQUE INDEX translation_of ON translation (document, segment, system);
"""
_SLOTS = """
CREATE TABLE slot (
    id INTEGER PRIMARY KEY, item INTEGER, label TEXT, system TEXT, translation INTEGER, damaged TEXT,
    is_credit INTEGER, columns TEXT, target INTEGER
);
INSERT INTO slot (item, label, system, translation, damaged, is_credit, columns)
SELECT item.id, shown.slot, shown.system, translation.id,
    CASE
        WHEN item.segment <> '' AND (
            item.kind IN ('degraded', 'reference')
            OR EXISTS (SELECT 1 FROM output WHERE segment <> '' AND least_genuine <> genuine)
        ) AND (shown.text <> translation.text OR (item.kind = 'degraded' AND translation.text IS NULL)) THEN shown.text
    END,
    FALSE, IFNULL(shown.place_shown, '')
FROM item
CROSS JOIN shown ON shown.judged = item.first
LEFT JOIN translation ON translation.document = item.document AND translation.segment = item.segment
    AND translation.system = shown.system
ORDER BY item.id, shown.id;
CREATE INDEX slot_item ON slot (item, label);
"""
# Several systems said the same, and are one slot.
_SHARED = """
CREATE TABLE shared AS
SELECT item, label, MIN(id) AS first, GROUP_CONCAT(columns, '') AS columns
FROM (SELECT item, label, id, columns FROM slot ORDER BY item, label, id) GROUP BY item, label HAVING COUNT(*) > 1;
CREATE UNIQUE INDEX shared_label ON shared (item, label);
UPDATE slot SET (is_credit, columns) = (
    SELECT slot.id > first, shared.columns FROM shared WHERE shared.item = slot.item AND shared.label = slot.label
) WHERE (item, label) IN (SELECT item, label FROM shared);
"""


def take_apart(staged: sqlite3.Connection) -> None:
    """For rows without contradictions; see `contradictions`."""
    has_one_row = _is_unique(staged, "file.judgment_row_judgment", "judgment_row (judgment)")
    staged.executescript(_ONE_ROW if has_one_row else _SEVERAL_ROWS)
    staged.execute("CREATE INDEX file.action_row_judgment ON action_row (judgment)")
    with filled_meanwhile(staged, "texts", _TEXTS, reads="file"):
        from_several = "" if has_one_row else _FROM_SEVERAL_ROWS
        staged.executescript(_PEOPLE + _JUDGMENTS + _FROM_ONE_ROW + from_several + _ITEMS)
        has_positions = staged.execute("SELECT 1 FROM judgment WHERE position IS NULL LIMIT 1").fetchone() is None
        has_one_judgment = has_positions and _is_unique(staged, "judgment_place", "judgment (assignment, position)")
        staged.executescript((_ONE_JUDGMENT if has_one_judgment else _SEVERAL_JUDGMENTS) + _ORIGINALS)
    staged.executescript(_SLOTS)
    if not (has_one_row and has_one_judgment):
        staged.executescript(_SHARED)


def _is_unique(staged: sqlite3.Connection, name: str, columns: str) -> bool:
    """Makes an index, unless two rows have the same values."""
    try:
        staged.execute(f"CREATE UNIQUE INDEX {name} ON {columns}")
    except sqlite3.IntegrityError:
        return False
    return True
