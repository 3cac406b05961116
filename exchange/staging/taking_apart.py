"""Staged rows taken apart: each person, assignment, answer, item, text and output becomes one row of its own.

In most files nearly all judgments have one row, and all items one judgment: these are read where they are, and what is
made of them is made in the order of the file, without sorting it. The key of a judgment is the place of its first row.
"""

import sqlite3

from exchange.staging.database import filled_meanwhile

# `company` are the rows of judgments with several, `rest` those after the first.
_COMPANY = """
CREATE TABLE company (place INTEGER PRIMARY KEY, judged INTEGER);
INSERT INTO company SELECT value, judged FROM (
    SELECT MIN(place) AS judged, '[' || GROUP_CONCAT(place) || ']' AS places
    FROM judgment_row GROUP BY judgment HAVING COUNT(*) > 1
), json_each(places) ORDER BY value;
CREATE TABLE rest (place INTEGER PRIMARY KEY, judged INTEGER);
INSERT INTO rest SELECT place, judged FROM company WHERE place <> judged;
"""

# What these judgments show and say. If the file has no labels, the order gives them.
_SEVERAL_ROWS = """
CREATE TABLE shown (
    id INTEGER PRIMARY KEY, judged INTEGER, system TEXT, slot TEXT, text TEXT, line INTEGER, place_shown INTEGER
);
INSERT INTO shown (judged, system, slot, text, line, place_shown)
SELECT judged, system, CASE WHEN slot = '' THEN label(number) ELSE slot END, text, line, place_shown FROM (
    SELECT judged, system, MAX(slot) AS slot, MAX(translation) AS text, MIN(line) AS line, MIN(place) AS place,
        MAX("column") AS place_shown,
        ROW_NUMBER() OVER (PARTITION BY judged ORDER BY MIN(place)) AS number
    FROM company JOIN judgment_row USING (place) GROUP BY judged, system
) ORDER BY place;
CREATE INDEX shown_judged ON shown (judged);
CREATE TABLE said (
    id INTEGER PRIMARY KEY, line INTEGER, screen INTEGER, answer TEXT, comment TEXT, systems TEXT, labels TEXT
);
INSERT INTO said (id, line, screen, answer, comment)
SELECT judged, MIN(line), MAX(screen), MAX(answer), MAX(comment)
FROM company JOIN judgment_row USING (place) GROUP BY judged ORDER BY judged;
UPDATE said SET (systems, labels) = (
    SELECT GROUP_CONCAT(system, char(31)), GROUP_CONCAT(slot || char(29) || system, char(31))
    FROM (SELECT slot, system FROM shown WHERE judged = said.id ORDER BY system)
);
CREATE TEMP VIEW judged AS
SELECT place AS id, judgment AS name, IFNULL(said.line, own.line) AS line, annotator, document, segment, kind,
    IFNULL(systems, system) AS systems,
    IFNULL(labels, CASE WHEN slot = '' THEN label(1) ELSE slot END || char(29) || system) AS labels,
    CASE WHEN slot = '' THEN label(1) ELSE slot END AS own_label, "column" AS place_shown,
    assignment, position, IFNULL(said.screen, own.screen) AS screen, revision AS given_revision, surplus, started,
    submitted, elapsed_ms, active_ms, IFNULL(said.answer, own.answer) AS answer,
    IFNULL(said.comment, own.comment) AS comment
FROM judgment_row AS own LEFT JOIN said ON said.id = own.place WHERE own.place NOT IN (SELECT place FROM rest);
"""

_PEOPLE = """
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY, name TEXT, annotator TEXT, items INTEGER, began TEXT, ended TEXT, is_program INTEGER,
    UNIQUE (name, annotator)
);
INSERT INTO assignment (name, annotator, began, ended, is_program)
SELECT assignment, annotator, COALESCE(started, submitted), submitted, program FROM judgment_row WHERE TRUE
ON CONFLICT (name, annotator) DO UPDATE SET
    began = MIN(IFNULL(began, excluded.began), IFNULL(excluded.began, began)),
    ended = MAX(IFNULL(ended, excluded.ended), IFNULL(excluded.ended, ended)),
    is_program = MAX(is_program, excluded.is_program)
WHERE excluded.ended > IFNULL(ended, '') OR excluded.began < IFNULL(began, '~') OR excluded.is_program > is_program;
CREATE TABLE annotator (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_program INTEGER, target INTEGER);
INSERT INTO annotator (name, is_program)
SELECT annotator, MAX(is_program) FROM assignment GROUP BY annotator ORDER BY MIN(id);
"""

# Rows of the same position are the same item. Without positions, the n-th first answer to a question and the n-th
# second answer to it are revisions of one item, after those with a position; answers without a revision are items of
# their own.
_PLACED = """
CREATE TABLE placed (id INTEGER PRIMARY KEY, position INTEGER);
"""
_WITHOUT_POSITION = """
INSERT INTO placed
SELECT id, IFNULL(last_given, 0) + DENSE_RANK() OVER (PARTITION BY assignment, annotator ORDER BY first) FROM (
    SELECT id, assignment, annotator, MIN(id) OVER (
        PARTITION BY assignment, annotator, document, segment, kind, labels, number
    ) AS first FROM (
        SELECT id, assignment, annotator, document, segment, kind, labels, ROW_NUMBER() OVER (
            PARTITION BY assignment, annotator, document, segment, kind, labels, given_revision ORDER BY id
        ) AS number FROM judged WHERE position IS NULL
    )
) LEFT JOIN (
    SELECT assignment, annotator, MAX(position) AS last_given FROM judged WHERE position IS NOT NULL
    GROUP BY assignment, annotator
) USING (assignment, annotator);
"""
_ITEMS = """
CREATE TABLE item (
    id INTEGER PRIMARY KEY, assignment INTEGER, first INTEGER, judgments INTEGER, position INTEGER, screen INTEGER,
    document TEXT, segment TEXT, kind TEXT, systems TEXT, label TEXT, place_shown INTEGER, revision INTEGER,
    original INTEGER
);
INSERT INTO item (
    assignment, first, judgments, position, screen, document, segment, kind, systems, label, place_shown, revision
)
SELECT assignment.id, MIN(judged.id), COUNT(*),
    IFNULL(judged.position, placed.position) AS at, screen, document, segment, kind, systems, own_label, place_shown,
    IFNULL(given_revision, 1)
FROM judged
CROSS JOIN assignment ON assignment.name = judged.assignment AND assignment.annotator = judged.annotator
LEFT JOIN placed ON placed.id = judged.id
GROUP BY assignment.id, at ORDER BY assignment.id, at;
CREATE TABLE numbered (
    id INTEGER PRIMARY KEY, item INTEGER, revision INTEGER, is_current INTEGER, reason TEXT DEFAULT '' NOT NULL
);
INSERT INTO numbered (id, item, revision, is_current)
SELECT first, id, revision, TRUE FROM item WHERE judgments = 1 ORDER BY first;
"""
# `revised` are the judgments of items with several, the `first` one too.
_REVISIONS = """
CREATE UNIQUE INDEX item_again ON item (assignment, position) WHERE judgments > 1;
CREATE TABLE revised (
    id INTEGER PRIMARY KEY, item INTEGER, first INTEGER, revision INTEGER, surplus INTEGER, screen INTEGER
);
INSERT INTO revised
SELECT judged.id, item.id, item.first, given_revision, surplus, judged.screen
FROM judged
CROSS JOIN assignment ON assignment.name = judged.assignment AND assignment.annotator = judged.annotator
CROSS JOIN item ON item.assignment = assignment.id AND item.judgments > 1
    AND item.position = IFNULL(judged.position, (SELECT position FROM placed WHERE placed.id = judged.id))
WHERE EXISTS (SELECT 1 FROM item WHERE judgments > 1) AND judged.id NOT IN (SELECT id FROM numbered);
CREATE INDEX revised_item ON revised (item);
UPDATE revised SET revision = (
    SELECT COUNT(*) FROM revised AS other WHERE other.item = revised.item AND other.id <= revised.id
) WHERE revision IS NULL;
INSERT INTO numbered (id, item, revision, is_current)
SELECT id, item, revision, revision = (
    SELECT COALESCE(MAX(CASE WHEN NOT surplus THEN revision END), MAX(revision))
    FROM revised AS other WHERE other.item = revised.item
) FROM revised;
UPDATE item SET (revision, screen) = (
    SELECT MAX(revision), MAX(screen) FROM revised WHERE revised.item = item.id
) WHERE judgments > 1;
INSERT INTO shown (judged, system, slot, text, line, place_shown)
SELECT judged.id, system, own_label, translation, judgment_row.line, place_shown
FROM revised CROSS JOIN judged ON judged.id = revised.id CROSS JOIN judgment_row ON place = revised.id
WHERE revised.id NOT IN (SELECT id FROM said);
CREATE TEMP VIEW judgment AS
SELECT numbered.id, name, line, annotator, document, segment, kind, item, revision, is_current, surplus, started,
    submitted, elapsed_ms, active_ms, answer, reason, comment
FROM numbered CROSS JOIN judged ON judged.id = numbered.id;
CREATE TABLE judged_place (judged INTEGER, place INTEGER, PRIMARY KEY (judged, place)) WITHOUT ROWID;
INSERT INTO judged_place SELECT id, id FROM numbered;
INSERT INTO judged_place SELECT judged, place FROM rest;
CREATE TEMP VIEW judged_row AS
SELECT judged, judged_place.place, judgment_row.*
FROM judged_place CROSS JOIN judgment_row ON judgment_row.place = judged_place.place;
CREATE TABLE mark (
    id INTEGER PRIMARY KEY, judgment INTEGER, slot TEXT, side TEXT, start INTEGER, "end" INTEGER, category TEXT,
    severity TEXT, note TEXT
);
CREATE INDEX mark_judgment ON mark (judgment);
"""

# The items of an assignment follow one another, and those of a block within them: without screens, of a document.
_BLOCKS = """
CREATE TABLE begun (first INTEGER PRIMARY KEY, assignment INTEGER, block INTEGER);
INSERT INTO begun (first, assignment, block)
SELECT item.id, item.assignment, ROW_NUMBER() OVER (PARTITION BY item.assignment ORDER BY item.id)
FROM item LEFT JOIN item AS earlier ON earlier.id = item.id - 1
WHERE item.assignment IS NOT earlier.assignment OR item.document IS NOT earlier.document ORDER BY item.id;
UPDATE assignment SET items = counted.items FROM (
    SELECT assignment, LEAD(first, 1, (SELECT MAX(id) + 1 FROM item)) OVER (ORDER BY first) - first AS items
    FROM begun WHERE block = 1
) AS counted WHERE counted.assignment = assignment.id;
"""
# Controls are few: genuine items are looked up among them.
_ORIGINALS = """
CREATE INDEX control ON item (assignment, document, segment, systems) WHERE kind <> 'regular';
UPDATE item SET original = genuine.id FROM (
    SELECT control.id AS control, MIN(genuine.id) AS id
    FROM item AS genuine CROSS JOIN item AS control ON control.assignment = genuine.assignment
        AND control.document = genuine.document AND control.segment = genuine.segment
        AND control.systems = genuine.systems AND control.kind <> 'regular'
    WHERE genuine.kind = 'regular' AND control.kind IN ('repeat', 'repeat-by-chance', 'degraded')
    GROUP BY control.id
) AS genuine WHERE item.id = genuine.control;
"""

# The few combinations of these values in the file, so that nobody reads all rows for them again.
_COMBINATIONS = """
CREATE TABLE combination (
    system TEXT, measure TEXT, protocol TEXT, is_document INTEGER, is_judged INTEGER, place INTEGER, line INTEGER,
    lowest REAL, highest REAL, PRIMARY KEY (system, measure, protocol, is_document, is_judged)
) WITHOUT ROWID;
INSERT INTO combination
SELECT system, measure, protocol, segment = '', kind <> 'practice', place, line, value, value
FROM judgment_row WHERE TRUE
ON CONFLICT (system, measure, protocol, is_document, is_judged) DO UPDATE SET
    line = MIN(line, excluded.line), lowest = MIN(lowest, excluded.lowest), highest = MAX(highest, excluded.highest)
WHERE excluded.line < line OR excluded.lowest < lowest OR excluded.highest > highest;
CREATE TABLE system (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_judged INTEGER);
INSERT INTO system (name, is_judged)
SELECT system, MAX(is_judged) FROM (
    SELECT system, FALSE AS is_judged, place - 1000000000000 AS place FROM text_row UNION ALL
    SELECT system, is_judged, place FROM combination
) WHERE system <> '' GROUP BY system ORDER BY MIN(place);
"""

# The genuine text of an output is what regular rows show; only degraded items and references may show another, and
# regular ones where a text beside the judgments is another (`differs`).
# Beside a degraded text, the others of the same screen are genuine.
# Texts beside the judgments come first, so that their order is the order of documents and segments.
# What is there already is only compared: rows are not sorted, and few are changed.
_TEXTS = """
CREATE TABLE passage (
    id INTEGER PRIMARY KEY, document TEXT, segment TEXT, source TEXT, reference TEXT, least_domain TEXT, domain TEXT,
    differs INTEGER DEFAULT FALSE, UNIQUE (segment, document)
);
INSERT INTO passage (document, segment, source, reference, least_domain, domain)
SELECT document, segment, source, CASE reference_name WHEN 'A' THEN reference END, domain, domain FROM text_row
UNION ALL SELECT document, segment, source, reference, domain, domain FROM judgment_row WHERE TRUE
ON CONFLICT (segment, document) DO UPDATE SET
    differs = differs OR IFNULL(excluded.source <> source, FALSE) OR IFNULL(excluded.reference <> reference, FALSE)
        OR (excluded.domain <> domain AND '' NOT IN (excluded.domain, domain)),
    source = MAX(IFNULL(source, excluded.source), IFNULL(excluded.source, source)),
    reference = MAX(IFNULL(reference, excluded.reference), IFNULL(excluded.reference, reference)),
    least_domain = MIN(least_domain, excluded.domain), domain = MAX(domain, excluded.domain)
WHERE (excluded.source IS NOT NULL AND excluded.source IS NOT source)
    OR (excluded.reference IS NOT NULL AND excluded.reference IS NOT reference)
    OR excluded.domain NOT IN ('', domain) OR excluded.domain < least_domain;
CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT UNIQUE, domain TEXT);
INSERT INTO document (name, domain)
SELECT document, COALESCE(
    MAX(CASE WHEN segment = '' THEN domain END), CASE WHEN MIN(least_domain) = MAX(domain) THEN MAX(domain) ELSE '' END
) FROM passage GROUP BY document ORDER BY MIN(id);
CREATE TABLE segment (
    id INTEGER PRIMARY KEY, document TEXT, name TEXT, position INTEGER, source TEXT, domain TEXT,
    UNIQUE (document, name)
);
INSERT INTO segment (document, name, position, source, domain)
SELECT document, segment, ROW_NUMBER() OVER (PARTITION BY document ORDER BY id), source, domain
FROM passage WHERE segment <> '' ORDER BY id;
CREATE TABLE reference (id INTEGER PRIMARY KEY, document TEXT, segment TEXT, name TEXT, text TEXT);
INSERT INTO reference (document, segment, name, text)
SELECT document, segment, 'A', reference FROM passage WHERE segment <> '' AND reference IS NOT NULL ORDER BY id;
INSERT INTO reference (document, segment, name, text)
SELECT document, segment, reference_name, MAX(reference) FROM text_row
WHERE segment <> '' AND reference IS NOT NULL AND reference_name <> 'A'
GROUP BY document, segment, reference_name ORDER BY MIN(place);
CREATE TABLE translation (
    id INTEGER PRIMARY KEY, document TEXT, segment TEXT, system TEXT, text TEXT, is_genuine INTEGER,
    differs INTEGER DEFAULT FALSE, UNIQUE (segment, system, document)
);
INSERT INTO translation (document, segment, system, text, is_genuine)
SELECT document, segment, system, translation, translation IS NOT NULL FROM text_row
WHERE segment <> '' AND system <> ''
UNION ALL
SELECT document, segment, system, CASE WHEN kind <> 'degraded' THEN translation END,
    translation IS NOT NULL AND kind NOT IN ('degraded', 'reference')
FROM judgment_row WHERE segment <> '' AND system <> ''
ON CONFLICT (segment, system, document) DO UPDATE SET
    differs = differs OR (is_genuine AND excluded.is_genuine AND excluded.text <> text),
    text = CASE WHEN excluded.is_genuine > is_genuine THEN excluded.text
        ELSE MAX(IFNULL(text, excluded.text), excluded.text) END,
    is_genuine = MAX(is_genuine, excluded.is_genuine)
WHERE excluded.is_genuine > is_genuine
    OR (excluded.is_genuine = is_genuine AND excluded.text IS NOT NULL AND excluded.text IS NOT text);
"""
_SLOTS = """
CREATE TABLE slot (
    id INTEGER PRIMARY KEY, item INTEGER, label TEXT, system TEXT, translation INTEGER, damaged TEXT,
    is_credit INTEGER, columns TEXT
);
INSERT INTO slot (item, label, system, translation, damaged, is_credit, columns)
SELECT item.id, IFNULL(shown.slot, item.label), IFNULL(shown.system, item.systems), translation.id,
    CASE WHEN item.segment <> '' AND (
        item.kind IN ('degraded', 'reference') OR EXISTS (SELECT 1 FROM translation WHERE differs)
    ) THEN (
        SELECT text FROM (
            SELECT CASE WHEN shown.id IS NULL THEN (SELECT translation FROM judgment_row WHERE place = item.first)
                ELSE shown.text END AS text
        ) WHERE text <> translation.text OR (item.kind = 'degraded' AND translation.text IS NULL)
    ) END,
    FALSE, IFNULL(CASE WHEN shown.id IS NULL THEN item.place_shown ELSE shown.place_shown END, '')
FROM item LEFT JOIN shown ON shown.judged = item.first
LEFT JOIN translation ON translation.document = item.document AND translation.segment = item.segment
    AND translation.system = IFNULL(shown.system, item.systems)
ORDER BY item.id, shown.id;
CREATE INDEX slot_item ON slot (item, label);
"""
# Several systems said the same, and are one slot.
_SHARED = """
CREATE TABLE shared AS
SELECT item, label, MIN(id) AS first, GROUP_CONCAT(columns, '') AS columns FROM (
    SELECT item, label, id, columns FROM slot
    WHERE item IN (SELECT item FROM numbered WHERE id IN (SELECT id FROM said)) ORDER BY item, label, id
) GROUP BY item, label HAVING COUNT(*) > 1;
CREATE UNIQUE INDEX shared_label ON shared (item, label);
UPDATE slot SET (is_credit, columns) = (
    SELECT slot.id > first, shared.columns FROM shared WHERE shared.item = slot.item AND shared.label = slot.label
) WHERE (item, label) IN (SELECT item, label FROM shared);
"""


def take_apart(staged: sqlite3.Connection) -> None:
    """For rows without contradictions; see `contradictions`."""
    staged.execute("CREATE INDEX file.action_row_judgment ON action_row (judgment)")
    with filled_meanwhile(staged, "several", _COMPANY, reads="file"):
        staged.executescript(_PEOPLE + _PLACED)
    with filled_meanwhile(staged, "texts", _TEXTS + _COMBINATIONS, reads="file"):
        staged.executescript(_SEVERAL_ROWS)
        if staged.execute("SELECT 1 FROM judgment_row WHERE position IS NULL LIMIT 1").fetchone() is not None:
            staged.executescript(_WITHOUT_POSITION)
        staged.executescript(_ITEMS + _REVISIONS + _BLOCKS + _ORIGINALS)
    staged.executescript(_SLOTS + _SHARED)
