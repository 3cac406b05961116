"""The test set behind imported judgments: what the rows name, in the order they name it."""

import sqlite3

from django.db import transaction

from annotation.importing.staging import batches, keep_targets
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
        systems = [System(test_set=test_set, name=row["name"], is_human=is_human(row["name"])) for row in rows]
        keep_targets(staged, "system", rows, System.objects.bulk_create(systems))
    for rows in batches(staged, "SELECT * FROM document"):
        documents = [
            Document(test_set=test_set, name=row["name"], domain=row["domain"], position=row["id"] - 1) for row in rows
        ]
        keep_targets(staged, "document", rows, Document.objects.bulk_create(documents))
    for rows in batches(staged, _SEGMENTS):
        with transaction.atomic():
            segments = Segment.objects.bulk_create([_segment(row) for row in rows])
        keep_targets(staged, "segment", rows, segments)
    for rows in batches(staged, _REFERENCES):
        Reference.objects.bulk_create(
            Reference(segment_id=row["of_segment"], name=row["name"], text=row["text"]) for row in rows
        )
    for rows in batches(staged, _TRANSLATIONS):
        translations = [
            Translation(segment_id=row["of_segment"], system_id=row["by_system"], text=row["text"]) for row in rows
        ]
        keep_targets(staged, "translation", rows, Translation.objects.bulk_create(translations))


def _segment(row: sqlite3.Row) -> Segment:
    return Segment(
        document_id=row["in_document"],
        name=row["name"],
        position=row["position"] - 1,
        source=row["source"],
        domain=row["domain"],
    )
