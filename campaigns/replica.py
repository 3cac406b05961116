"""Reads that may be a moment old go to a replica of the database, where `ASSAY_REPLICA_URL` names one.

Only what says so here is read there: files of a whole campaign. Never what an annotator reads, what a page shows after
a form was saved, or what somebody may do.
"""

import logging
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model

REPLICA = "replica"
T = TypeVar("T")
_is_meant = ContextVar("is_meant", default=False)
logger = logging.getLogger(__name__)


class Router:
    """The setting `DATABASE_ROUTERS` names it where there is a replica."""

    def db_for_read(self, model: type[Model], **hints: object) -> str:  # noqa: ARG002 - Django fixes the signature
        return REPLICA if _is_meant.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: object) -> str:  # noqa: ARG002 - as above
        """Rows that were read from the replica as well."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: object) -> bool:  # noqa: ARG002 - as above
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:  # noqa: ARG002 - as above
        return db != REPLICA


def from_replica(pieces: Iterator[T]) -> Iterator[T]:
    """The same pieces, while each is made from the replica's rows; where it cannot be reached, from the database's.

    Between two pieces whoever takes them reads from the database as ever.
    """
    is_there = _is_reachable()
    while True:
        before = _is_meant.set(is_there)
        try:
            piece = next(pieces)
        except StopIteration:
            return
        finally:
            _is_meant.reset(before)
        yield piece


def _is_reachable() -> bool:
    if REPLICA not in connections:
        return False
    try:
        connections[REPLICA].close_if_unusable_or_obsolete()
        connections[REPLICA].ensure_connection()
    except DatabaseError as error:
        logger.warning("the replica cannot be reached: %s", error)
        return False
    return True
