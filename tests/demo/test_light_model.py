"""The light model, fetched beside a site that starts."""

from pathlib import Path

from django.core.management import call_command

import pytest

from demo.management.commands import fetch_light_model


def test_beside_a_site_that_starts_it_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    given_way: list[int] = []

    def fetched(_folder: Path) -> bool:
        assert given_way == [fetch_light_model.NICENESS]
        return False

    monkeypatch.setattr("os.nice", given_way.append)
    monkeypatch.setattr(fetch_light_model, "fetch_quietly", fetched)
    with pytest.raises(SystemExit):
        call_command("fetch_light_model")
    assert given_way
