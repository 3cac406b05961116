"""The texts alone of files that hold whole campaigns."""

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from campaigns.models import Campaign, TestSet
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import import_test_set, inspect
from tests.metrics.real_campaigns import expected_of, real_case

SAMPLES = "import-samples"


@pytest.mark.parametrize("name", ["task-based-esa", "single-stream-two-systems"])
def test_texts_of_a_pearmut_campaign_are_told_by_their_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_bytes((real_case(SAMPLES) / "pearmut-json" / f"{name}.json").read_bytes())
    expected = expected_of(SAMPLES)[f"pearmut-json/{name}.json"]
    found = inspect(ImportFiles(path=path))
    assert (found.format, found.problems.count) == ("pearmut", 0)
    assert (found.documents, found.segments) == (expected["documents"], expected["segments"])
    assert sorted(found.systems) == expected["systems"]


@pytest.mark.django_db
def test_a_pearmut_campaign_is_a_test_set_too_without_people(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(real_case(SAMPLES) / "pearmut-json" / "task-based-esa.json")
    languages = ("--source-language", "en", "--target-language", "de")
    call_command("import_test_set", path, "--format", "pearmut-json", "--name", "Set", *languages, "--json")
    printed = capsys.readouterr()
    assert json.loads(printed.out)["format"] == "pearmut"
    assert "Only the texts are read." in printed.err
    assert (TestSet.objects.count(), Campaign.objects.count()) == (1, 0)


@pytest.mark.django_db
def test_one_of_several_campaigns_is_chosen(tmp_path: Path) -> None:
    campaign = json.loads((real_case(SAMPLES) / "pearmut-json" / "task-based-esa.json").read_text())
    path = tmp_path / "several.json"
    path.write_text(json.dumps([campaign, {**campaign, "campaign_id": "other"}]))
    about: Any = {"name": "Set", "source_language": "en", "target_language": "de"}
    with pytest.raises(ImportFileError, match="--campaign-id"):
        import_test_set(ImportFiles(path=path), **about)
    assert import_test_set(ImportFiles(path=path, campaign_id="other"), **about).created
