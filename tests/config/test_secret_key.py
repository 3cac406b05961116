"""The secret key of a new installation is made once, however many processes start at the same time."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

import pytest

from config.environment import read_secret


def stored_in(path: Path) -> str:
    return read_secret("ASSAY_NO_SUCH_KEY", stored_in=path, required=False)


def test_who_starts_while_the_key_is_made_gets_the_same_and_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data" / "secret-key"
    others: list[str] = []

    def slow_key() -> str:
        if not others:
            others.append("")  # another process starts just now
            others[0] = stored_in(path)
            return "the slower one's key"
        return "the quicker one's key"

    monkeypatch.setattr("django.core.management.utils.get_random_secret_key", slow_key)
    assert (stored_in(path), others) == ("the quicker one's key", ["the quicker one's key"])
    assert stored_in(path) == "the quicker one's key"
    assert path.stat().st_mode & 0o077 == 0
    assert [each.name for each in path.parent.iterdir()] == ["secret-key"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ImproperlyConfigured, match="secret key cannot be stored"):
        stored_in(tmp_path / "file" / "secret-key")
