"""`invite`: people invited from the command line."""

import csv
import io
import json
import stat
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import Account, ApiToken, Campaign, Invitation
from campaigns.queries import open_invitation
from campaigns.secret_keys import hash_secret
from tests.workbooks import rows_of_texts, workbook


def _invite(*arguments: Any) -> str:
    stdout = io.StringIO()
    call_command("invite", *map(str, arguments), stdout=stdout, stderr=io.StringIO())
    return stdout.getvalue()


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_it_writes_a_table_of_annotators_and_links(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    assert _invite("Harbour campaign", "--annotators", 3, "--output", path) == ""
    rows = _rows(path.read_text(encoding="utf-8"))
    assert [list(row) for row in rows] == [["annotator", "link"]] * 3
    for row in rows:
        secret = row["link"].rstrip("/").rsplit("/", 1)[1]
        assert open_invitation(secret).account.username == row["annotator"]


def test_the_file_is_for_its_owner_alone(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    _invite(campaign.slug, "--annotators", 1, "--output", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_says_that_the_file_is_to_be_deleted(campaign: Campaign, tmp_path: Path) -> None:
    path, output = tmp_path / "links.csv", io.StringIO()
    call_command("invite", campaign.slug, "--annotators", "1", "--output", str(path), stderr=output)
    assert f"{path} signs in whoever has it. Hand the links out, then delete it." in output.getvalue()


def test_a_dash_is_standard_output_with_nothing_else_on_it(campaign: Campaign) -> None:
    lines = _invite(campaign.slug, "--annotators", 2, "--output", "-").splitlines()
    assert lines[0] == "annotator,link"
    assert len(lines) == 3


def test_run_twice_it_invites_further_people(campaign: Campaign) -> None:
    first = _rows(_invite(campaign.slug, "--annotators", 2, "--output", "-"))
    second = _rows(_invite(campaign.slug, "--annotators", 2, "--output", "-"))
    assert len({row["annotator"] for row in (*first, *second)}) == 4


def test_programs_get_tokens_on_request(campaign: Campaign) -> None:
    rows = _rows(_invite(campaign.slug, "--annotators", 2, "--output", "-", "--api-tokens"))
    assert [list(row) for row in rows] == [["annotator", "link", "token"]] * 2
    for row in rows:
        assert ApiToken.objects.get(secret_hash=hash_secret(row["token"])).account.username == row["annotator"]


def test_json_is_printed_beside_the_file(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    printed = json.loads(_invite(campaign.slug, "--annotators", 2, "--output", path, "--json"))
    assert printed == _rows(path.read_text(encoding="utf-8"))


def test_an_unknown_campaign_is_named_with_those_there_are(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match=r"no campaign “Lighthouse”\. Known: Harbour campaign\."):
        _invite("Lighthouse", "--annotators", 1, "--output", "-")


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_people_is_one_or_more(campaign: Campaign, count: str) -> None:
    with pytest.raises(CommandError, match="number of people"):
        _invite(campaign.slug, f"--annotators={count}", "--output", "-")


def test_where_nothing_can_be_written_nobody_is_invited(campaign: Campaign, tmp_path: Path) -> None:
    people = Account.objects.count()
    with pytest.raises(CommandError, match=r"cannot be written.*Nobody was invited"):
        _invite(campaign.slug, "--annotators", 1, "--output", tmp_path / "missing" / "links.csv")
    assert Account.objects.count() == people
    assert not Invitation.objects.exists()


def test_people_come_from_a_workbook(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    path.write_bytes(workbook({"People": rows_of_texts(["name", "username"], ["Ana Duarte", "ana"], ["Ben", ""])}))
    rows = _rows(_invite(campaign.slug, "--people", path, "--output", "-"))
    assert rows[0]["annotator"] == "ana"
    assert [Account.objects.get(username=row["annotator"]).name for row in rows] == ["Ana Duarte", "Ben"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name,phone\nAna,1\n", "line 1, phone: Unknown column"),
        ("name,email\nAna,ana\nBen,ben\n", "line 3, email"),
        ("", "lists nobody"),
    ],
)
def test_a_list_with_errors_invites_nobody(campaign: Campaign, tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    before = Account.objects.count()
    with pytest.raises(CommandError, match=why):
        _invite(campaign.slug, "--people", path, "--output", "-")
    assert Account.objects.count() == before
