"""Rows that all tests of a file begin with, made once; each test undoes only what it did itself.

    stored, cast, test_set, campaign = made_once(make_judged)

For files whose tests run inside a transaction, as all do that ask for `db`. Not for those that need `transactional_db`
or a live server.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

import pytest
from pytest_django import DjangoDbBlocker

from campaigns.models import TestSet
from tests.cast import Cast, make_cast
from tests.sample_test_set import make_test_set

Stored = tuple[Cast, TestSet, Any]


def made_once(make: Callable[[TestSet, Cast], Any]) -> tuple[Any, Any, Any, Any]:
    """The fixtures `stored`, `cast`, `test_set` and `campaign` of a file. Objects are copies, for tests change them.

    Where tests need several campaigns, `make` returns them all.
    """

    @pytest.fixture(scope="module")
    def stored(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stored]:
        around_all_tests = _a_tests_transaction()
        with django_db_blocker.unblock():
            around_all_tests.__enter__()
            try:
                cast, test_set = make_cast(), make_test_set()
                made = cast, test_set, make(test_set, cast)
            except BaseException as error:  # or all files after this one would find its rows
                around_all_tests.__exit__(type(error), error, error.__traceback__)
                raise
        yield made
        with django_db_blocker.unblock():
            transaction.set_rollback(True)
            around_all_tests.__exit__(None, None, None)

    @pytest.fixture
    def cast(stored: Stored, db: None) -> Cast:
        return copy.deepcopy(stored[0])

    @pytest.fixture
    def test_set(stored: Stored, db: None) -> TestSet:
        return copy.deepcopy(stored[1])

    @pytest.fixture
    def campaign(stored: Stored, db: None) -> Any:
        return copy.deepcopy(stored[2])

    return stored, cast, test_set, campaign


@contextmanager
def made_and_undone(blocker: DjangoDbBlocker) -> Iterator[None]:
    """For what is made of rows once for a file, as an archive: afterwards nothing of the rows is left."""
    with blocker.unblock(), _a_tests_transaction():
        yield
        transaction.set_rollback(True)


def _a_tests_transaction() -> Any:
    made: Any = transaction.atomic()
    made._from_testcase = True  # inside, durable transactions are allowed
    return made
