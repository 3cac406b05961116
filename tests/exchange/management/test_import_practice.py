"""`import_practice`: practice items from a file."""

import json
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import Campaign

LINE = {"source": "S", "translations": {"A": "T"}, "expected": {"A": {"score": [0, 40]}}}


def test_items_and_mark_are_taken(campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "practice.jsonl"
    path.write_text(json.dumps(LINE), encoding="utf-8")
    call_command("import_practice", campaign.slug, str(path), pass_mark=0.8, attempts=1)
    campaign.refresh_from_db()
    assert (campaign.pass_mark, campaign.practice_attempts, campaign.practice_items.count()) == (0.8, 1, 1)
    assert "1 practice items" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [("", "{}", "practice.jsonl, line 1"), ("nowhere", json.dumps(LINE), "no campaign"), ("", "", "empty")],
)
def test_errors_are_reported(campaign: Campaign, tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / "practice.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=message):
        call_command("import_practice", name or campaign.slug, str(path))
    assert not campaign.practice_items.exists()


def test_a_mark_out_of_range_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "practice.jsonl"
    path.write_text(json.dumps(LINE), encoding="utf-8")
    with pytest.raises(CommandError, match="number from 0 to 1"):
        call_command("import_practice", campaign.slug, str(path), pass_mark=70.0)
