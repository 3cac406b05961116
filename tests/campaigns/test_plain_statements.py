"""Rows written past Django's query sets are as those written by it."""

from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest

from campaigns.models import Account, Session
from campaigns.plain_statements import insert, update


def session_of(account: Account | None, key: str) -> Session:
    now = timezone.now()
    return Session(
        session_key=key, session_data="§", expire_date=now, account=account, created_at=now, last_used_at=now
    )


def test_a_row_is_stored_as_django_stores_it(db: None) -> None:
    anna = Account.objects.create(username="anna", languages=["de", "ar"])
    rows = [session_of(anna, "one"), session_of(None, "two")]
    with CaptureQueriesContext(connection) as statements:
        insert(rows)
        insert([])
    assert len(statements) == 1
    for row in rows:
        stored = Session.objects.get(pk=row.pk)
        assert [getattr(stored, field.attname) for field in Session._meta.concrete_fields] == [
            getattr(row, field.attname) for field in Session._meta.concrete_fields
        ]


def test_only_the_rows_with_the_known_values_change(db: None) -> None:
    anna, ben = (Account.objects.create(username=name, languages=["de"]) for name in ("anna", "ben"))
    values = {"languages": ["ar", "fr"], "last_login": None, "name": 'A "quoted" name; %s'}
    assert update(Account, {"id": anna.pk, "username": "anna"}, values) == 1
    assert update(Account, {"id": anna.pk, "username": "ben"}, values) == 0
    anna.refresh_from_db()
    ben.refresh_from_db()
    assert (anna.languages, anna.name, ben.languages) == (["ar", "fr"], values["name"], ["de"])


def test_constraints_are_the_database_s(db: None) -> None:
    insert([session_of(None, "same")])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([session_of(None, "same")])
