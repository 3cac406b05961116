"""Whether this process can do its work."""

from django.db import DatabaseError, connection
from django.test import Client

import pytest


def test_a_healthy_process_says_so_to_anybody(client: Client, db: None) -> None:
    response = client.get("/health/")
    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert "no-store" in response["Cache-Control"]


def test_without_its_database_it_says_that_and_no_more(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable() -> None:
        raise DatabaseError("password authentication failed for user assay")

    with monkeypatch.context() as broken:
        broken.setattr(connection, "cursor", unreachable)
        response = client.get("/health/")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable"}


def test_it_is_only_read(client: Client, db: None) -> None:
    assert client.post("/health/").status_code == 405
