"""Only what says so is read from a replica, piece by piece; everything is written to the database."""

from collections.abc import Callable, Iterator

from django.db import DatabaseError

import pytest

from campaigns.models import Account
from campaigns.replica import REPLICA, Router, from_replica

ROUTER = Router()


def read() -> str:
    return ROUTER.db_for_read(Account)


def pieces() -> Iterator[str]:
    yield read()
    yield read()


class Connection:
    def __init__(self, is_there: bool) -> None:
        self._is_there = is_there

    def close_if_unusable_or_obsolete(self) -> None:
        return

    def ensure_connection(self) -> None:
        if not self._is_there:
            raise DatabaseError("It is away.")


@pytest.fixture
def replica(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """There, or away."""

    def stand(is_there: bool) -> None:
        monkeypatch.setattr("campaigns.replica.connections", {REPLICA: Connection(is_there)})

    return stand


def test_without_a_replica_everything_is_read_from_the_database() -> None:
    assert [*from_replica(pieces())] == ["default", "default"]


def test_pieces_are_made_from_the_replica_and_nothing_between_them(replica: Callable[[bool], None]) -> None:
    replica(True)
    seen = []
    for piece in from_replica(pieces()):
        seen += [piece, read(), ROUTER.db_for_write(Account)]
    assert seen == [REPLICA, "default", "default"] * 2
    assert not ROUTER.allow_migrate(REPLICA, "campaigns")


def test_a_replica_that_is_away_is_passed_by(replica: Callable[[bool], None]) -> None:
    replica(False)
    assert [*from_replica(pieces())] == ["default", "default"]


def test_an_error_in_the_middle_leaves_nothing_behind(replica: Callable[[bool], None]) -> None:
    replica(True)

    def broken() -> Iterator[str]:
        yield read()
        raise ValueError("in the middle")

    shown = from_replica(broken())
    assert next(shown) == REPLICA
    with pytest.raises(ValueError, match="in the middle"):
        next(shown)
    assert read() == "default"
