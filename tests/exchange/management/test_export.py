import io
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import Campaign, System, TestSet
from exchange.exports import export_rows
from exchange.management.commands import export as export_module
from tests.cast import Cast
from tests.exchange.judged_campaign import make_judged
from tests.planned_campaign import make_planned_campaign
from tests.rows_made_once import made_once

stored, cast, test_set, judged = made_once(make_judged)


@pytest.mark.parametrize("called", ["Harbour campaign", "harbour-campaign"])
def test_a_campaign_is_written_by_name_or_slug(judged: Campaign, tmp_path: Path, called: str) -> None:
    path = tmp_path / "out.csv"
    call_command("export", called, format="csv", output=str(path))
    assert path.read_bytes() == b"".join(export_rows(judged, "csv"))
    assert [each.name for each in tmp_path.iterdir()] == ["out.csv"]


def test_a_dash_prints_the_data_and_nothing_else(judged: Campaign) -> None:
    printed, errors = io.StringIO(newline=""), io.StringIO()
    call_command("export", judged.slug, format="csv", output="-", stdout=printed, stderr=errors)
    assert printed.getvalue().encode() == b"".join(export_rows(judged, "csv"))
    assert errors.getvalue() == ""


def test_an_unknown_campaign_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="no campaign “nowhere”"):
        call_command("export", "nowhere", format="csv", output="-")


def test_a_file_that_breaks_off_is_not_left_and_the_old_one_stays(
    judged: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(campaign: Campaign, format: str, choice: object) -> object:
        yield b"half"
        raise RuntimeError

    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    monkeypatch.setattr(export_module, "export_rows", break_off)
    with pytest.raises(RuntimeError):
        call_command("export", judged.slug, format="csv", output=str(path))
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("out.csv", b"old")]


def test_a_missing_folder_is_reported(judged: Campaign, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("export", judged.slug, format="csv", output=str(tmp_path / "nowhere" / "out.csv"))


def test_a_format_of_several_files_becomes_a_folder_or_a_zip_file(
    test_set: TestSet, cast: Cast, tmp_path: Path
) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="esa")
    printed = io.StringIO()
    for name in ("ratings", "ratings.zip"):
        call_command(
            "export", campaign.slug, format="mt-metrics-eval-ratings", output=str(tmp_path / name), stderr=printed
        )
    [file] = (tmp_path / "ratings" / "human-scores").iterdir()
    assert file.name.endswith(".esa.merged.seg.rating")
    assert (tmp_path / "ratings.zip").read_bytes().startswith(b"PK")
    assert "Scores, comments and repeated judgments" in printed.getvalue()


def test_a_campaign_that_does_not_fit_is_refused_with_all_reasons(judged: Campaign, tmp_path: Path) -> None:
    System.objects.filter(pk=System.objects.filter(campaigns=judged).latest("pk").pk).update(name="2026")
    with pytest.raises(CommandError, match=r"Rename: 2026[\s\S]*needs all texts"):
        call_command("export", judged.slug, format="pearmut", output=str(tmp_path / "out.json"))
    assert not list(tmp_path.iterdir())
