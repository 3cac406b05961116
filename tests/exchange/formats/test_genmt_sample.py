"""The invented sample of WMT's general task, with every trap: what is said of it agrees with its expected.json."""

import io
import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

import pytest
from pytest_django import Settings

from campaigns.models import Medium, Segment, TestSet, TextGuidance, Translation
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
SYSTEMS = ("Heron", "Kestrel", "Plover")


def run(*more: str) -> tuple[str, str]:
    folder = real_case("genmt-wmt26-sample")
    arguments = [str(folder / "wmt26-genmt.jsonl"), "--name", "sample", "--source-language", "en", "-v0"]
    for name in SYSTEMS:
        arguments += ["--system", f"{name}={folder / 'systems' / f'{name}.jsonl'}"]
    out, messages = io.StringIO(), io.StringIO()
    call_command("import_test_set", *arguments, *more, stdout=out, stderr=messages)
    return out.getvalue(), messages.getvalue()


def expected_test_set() -> dict[str, Any]:
    expected: dict[str, Any] = expected_of("genmt-wmt26-sample")["test_set"]
    return expected


def imported(*more: str) -> dict[str, Any]:
    folder = real_case("genmt-wmt26-sample")
    options = ["--target-language", "de", "--format", "wmt-genmt", "--assets", str(folder / "assets"), "--json"]
    outcome: dict[str, Any] = json.loads(run(*options, *more)[0])
    return outcome


def test_every_count_of_the_sample_is_reproduced() -> None:
    expected, outcome = expected_test_set(), imported()
    texts = ("kestrel_news", "plover_news")
    assert {name: outcome[name] for name in expected if name not in texts} == {
        name: value for name, value in expected.items() if name not in texts
    }
    assert outcome["refused"] == {"doubled_documents": 0, "unsafe_paths": 0}
    assert outcome["kept_and_reported"] == {
        "realigned_documents": 2,
        "empty_after_splitting": 0,
        "failed_documents": 1,
        "unknown_documents": 1,
        "identical_outputs": 3,
        "images_not_matching": 0,
    }


@pytest.mark.parametrize("system", ["Kestrel", "Plover"])
def test_the_paragraphs_of_the_news_are_aligned_as_expected(system: str) -> None:
    imported()
    own = Translation.objects.filter(system__name=system, segment__document__name="gull.001")
    texts = list(own.order_by("segment__position").values_list("text", flat=True))
    assert [(text or "").strip() for text in texts] == expected_test_set()[f"{system.lower()}_news"]


def test_the_stored_texts_joined_are_those_of_the_files() -> None:
    imported()
    folder = real_case("genmt-wmt26-sample")
    for name in SYSTEMS:
        of_file = {}
        for text in (folder / "systems" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            values = json.loads(text)
            of_file[values["doc_id"].split("_###_")[-1]] = values["hypothesis"]
        for document in TestSet.objects.get().documents.all():
            own = Translation.objects.filter(system__name=name, segment__document=document).order_by(
                "segment__position"
            )
            joined = "".join(text or "" for text in own.values_list("text", flat=True))
            assert joined in ("", of_file.get(document.name, ""))
    assert not Translation.objects.filter(text__contains="reasoning").exists()
    assert Segment.objects.filter(source__contains="Translate the text from").count() == 0


def test_realigned_documents_are_listed_and_refused_on_request() -> None:
    told = run("--target-language", "de")[1]
    assert "Kestrel, gull.001: 3 paragraphs were split into 4." in told
    TestSet.objects.all().delete()
    with pytest.raises(CommandError, match=r"Plover, gull\.001: 5 paragraphs were merged into 4\."):
        run("--target-language", "de", "--refuse-realigned")
    assert not TestSet.objects.exists()


def test_the_other_pair_and_the_other_set_are_read_on_request() -> None:
    folder = real_case("genmt-wmt26-sample")
    with pytest.raises(CommandError, match="has no output for a document of eng_Latn-jpn_Jpan, WMT26"):
        run("--target-language", "ja")
    with pytest.raises(CommandError, match="has no output for a document of eng_Latn-deu_Latn, SUITE"):
        run("--target-language", "de", "--set", "SUITE")
    with pytest.raises(CommandError, match=r"no document from en to fr\. It has: eng_Latn-deu_Latn WMT26"):
        run("--target-language", "fr")
    with pytest.raises(CommandError, match=f"{folder}/none is not a folder"):
        run("--target-language", "de", "--assets", f"{folder}/none")


def test_the_pictures_lie_beside_their_segments(tmp_path: Path, settings: Settings) -> None:
    settings.MEDIA_DIR = tmp_path
    imported()
    rows = Medium.objects.order_by("segment__position").values_list("segment__position", "name", "width", "height")
    folder = "social/500001-anon/500001-anon"
    assert list(rows) == [(place, f"{folder}_{place + 1}.png", 320, 120) for place in range(3)]


def test_a_trial_says_the_same_and_stores_nothing() -> None:
    assert imported("--dry-run") | {"created": True} == imported()


def test_the_same_files_again_change_nothing() -> None:
    assert [imported()["created"], imported()["created"]] == [True, False]
    assert TestSet.objects.get().report["genmt"]["realigned_by_system"] == {"Kestrel": 1, "Plover": 1}


def test_each_document_has_the_instruction_of_its_line() -> None:
    imported()
    told = dict(TextGuidance.objects.values_list("document__name", "instruction"))
    assert len(told) == 5
    assert told["1-basket-strings"].startswith("Translate the values only: keys and placeholders such as {{count}}")
    assert set(TextGuidance.objects.values_list("document__domain", flat=True)) == {
        "news",
        "social",
        "speech",
        "software",
        "edu",
    }


def test_the_realigned_documents_are_written_mended_and_read(tmp_path: Path) -> None:
    file = tmp_path / "realigned.json"
    with pytest.raises(CommandError, match="cannot be written"):
        imported("--dry-run", "--write-realigned", str(tmp_path / "none" / "r.json"))
    imported("--dry-run", "--write-realigned", str(file))
    listed = json.loads(file.read_text(encoding="utf-8"))
    first = listed[0]
    assert len(first["sources"]) == len(first["parts"]) == first["segments"]
    first["parts"] = ["".join(first["parts"]), *[""] * (first["segments"] - 1)]
    listed[1]["parts"][0] += " Neu"
    file.write_text(json.dumps([first, {**listed[1], "parts": listed[1]["parts"][:-1]}, {}]), encoding="utf-8")
    with pytest.raises(CommandError, match="Object 3"):
        imported("--mended", str(file))
    file.write_text(json.dumps(listed), encoding="utf-8")
    with pytest.raises(CommandError, match="Added: “Neu”"):
        imported("--mended", str(file))
    assert not TestSet.objects.exists()
    file.write_text(json.dumps([first]), encoding="utf-8")
    hows = [each["how"] for each in imported("--mended", str(file))["realigned"]]
    assert sorted(hows, key=lambda how: how != "mended")[0] == "mended"
    report = TestSet.objects.get().report["genmt"]["realigned"]
    assert [each["how"] for each in report].count("mended") == 1
