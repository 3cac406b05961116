"""One moment of the database, read for as long as a file takes to write; nobody who judges waits for it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_BEGIN = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    # A reader's transaction: Django's own would begin by taking the lock of the one writer.
    "sqlite": "BEGIN DEFERRED",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """All reads inside see the same rows. Inside somebody's transaction that one decides what is seen."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
