"""Rows read some at a time, in the order of their keys: no database sorts whole texts before the first one is there."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from django.db.models import Model, QuerySet

import numpy as np

Rows = TypeVar("Rows", bound=Model)
Row = TypeVar("Row", bound=Sequence[object])
AT_ONCE = 20_000
NAMED_AT_ONCE = 900  # within the 999 variables of a statement that every SQLite allows
_FETCHED = 10_000


class KeyWindow(NamedTuple):
    """Some keys that follow one another; `is_named`: others lie between them, so each is named in a query."""

    keys: Sequence[int]
    is_named: bool

    def of(self, rows: "QuerySet[Rows]", path: str = "pk") -> "QuerySet[Rows]":
        """Those with the keys, and perhaps a few with keys between them; `path` leads to the key."""
        if self.is_named:
            return rows.filter(**{f"{path}__in": self.keys})
        return rows.filter(**{f"{path}__gte": self.keys[0], f"{path}__lte": self.keys[-1]})

    def own(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Without those between; the first cell of a row is the key."""
        if self.keys[-1] - self.keys[0] == len(self.keys) - 1:
            return rows
        known = frozenset(self.keys)
        return (row for row in rows if row[0] in known)


def key_windows(rows: "QuerySet[Rows]") -> Iterator[KeyWindow]:
    """All keys are read before the first window; a query for a window needs no other condition."""
    keys = _sorted_keys(rows)
    at = 0
    while at < len(keys):
        several = keys[at : at + AT_ONCE].tolist()
        is_named = several[-1] - several[0] >= 2 * len(several)
        yield KeyWindow(several := several[:NAMED_AT_ONCE] if is_named else several, is_named)
        at += len(several)


def _sorted_keys(rows: "QuerySet[Rows]") -> "array[int]":
    """In four bytes each, or in eight where one needs them."""
    keys = array("I")
    read = rows.order_by().values_list("pk", flat=True).iterator(_FETCHED)
    while some := list(islice(read, _FETCHED)):
        if keys.typecode == "I" and max(some) >> 32:
            keys = array("q", keys)
        keys.extend(some)
    if keys:
        np.frombuffer(keys, np.dtype(keys.typecode)).sort()
    return keys
