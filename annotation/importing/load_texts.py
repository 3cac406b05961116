"""The test set behind imported judgments: what the rows name, in the order they name it."""

import sqlite3

from annotation.importing.staging import batches, keep_targets
from campaigns.bulk_rows import insert_bulk
from campaigns.importing.load import is_human
from campaigns.models import Document, Reference, Segment, System, TestSet, Translation

_SEGMENTS = """
    SELECT segment.*, document.target AS in_document
    FROM segment JOIN document ON document.name = segment.document
"""
_REFERENCES = """
    SELECT reference.*, segment.target AS of_segment
    FROM reference JOIN segment ON segment.document = reference.document AND segment.name = reference.segment
"""
_TRANSLATIONS = """
    SELECT translation.*, segment.target AS of_segment, system.target AS by_system
    FROM translation
    JOIN segment ON segment.document = translation.document AND segment.name = translation.segment
    JOIN system ON system.name = translation.system
"""


def load_texts(staged: sqlite3.Connection, test_set: TestSet) -> None:
    for rows in batches(staged, "SELECT * FROM system"):
        systems = [(test_set.pk, row["name"], is_human(row["name"])) for row in rows]
        keep_targets(staged, "system", rows, insert_bulk(System, ("test_set", "name", "is_human"), systems))
    for rows in batches(staged, "SELECT * FROM document"):
        documents = [(test_set.pk, row["name"], row["domain"], row["id"] - 1) for row in rows]
        made = insert_bulk(Document, ("test_set", "name", "domain", "position"), documents)
        keep_targets(staged, "document", rows, made)
    for rows in batches(staged, _SEGMENTS):
        segments = [
            (row["in_document"], row["name"], row["position"] - 1, row["source"], row["domain"]) for row in rows
        ]
        made = insert_bulk(Segment, ("document", "name", "position", "source", "domain"), segments)
        keep_targets(staged, "segment", rows, made)
    for rows in batches(staged, _REFERENCES):
        insert_bulk(
            Reference, ("segment", "name", "text"), [(row["of_segment"], row["name"], row["text"]) for row in rows]
        )
    for rows in batches(staged, _TRANSLATIONS):
        translations = [(row["of_segment"], row["by_system"], row["text"]) for row in rows]
        made = insert_bulk(Translation, ("segment", "system", "text"), translations)
        keep_targets(staged, "translation", rows, made)
