"""Several streams in the order of one key, read side by side: a join in constant memory."""

from collections.abc import Iterable, Iterator
from typing import Any


class Follower:
    """Rows sorted by their first cell, handed out by key to somebody who asks for keys in the same order."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._rows: Iterator[tuple[Any, ...]] = iter(rows)
        self._next = next(self._rows, None)

    def rows_of(self, key: int) -> list[tuple[Any, ...]]:
        """The rest of each row with this key; rows of keys passed over belong to nobody any more."""
        found = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                found.append(self._next[1:])
            self._next = next(self._rows, None)
        return found
