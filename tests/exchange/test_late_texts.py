"""Files of systems and documents for a campaign that runs: what they add, and every problem at once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import AuditEntry, Campaign, Document, Segment, System, TestSet, TextGuidance, Translation
from exchange.archive.rebuilding import import_archive
from exchange.archive.writing import write_archive
from exchange.formats.parallel_text import ImportFiles
from exchange.late_texts import add_late_texts, check_late_texts
from exchange.reading import ImportFileError
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign
from tests.sample_questions import ask_questions
from tests.sample_test_set import WOMBAT

pytestmark = pytest.mark.django_db
Write = Callable[[list[dict[str, Any]]], ImportFiles]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(records: list[dict[str, Any]]) -> ImportFiles:
        path = tmp_path / "late.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
        return ImportFiles(path=path)

    return written


@pytest.fixture
def running(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def record(segment: Segment, **translations: str) -> dict[str, Any]:
    place = {"document": segment.document.name, "segment": segment.name, "source": segment.source}
    return {**place, "translations": translations}


def whole(test_set: TestSet, **added: str) -> list[dict[str, Any]]:
    """The test set as a file, with further systems."""
    segments = Segment.objects.filter(document__test_set=test_set).select_related("document")
    return [
        record(
            segment,
            **{each.system.name: each.text or "" for each in segment.translations.select_related("system")},
            **added,
        )
        for segment in segments.order_by("document__position", "position")
    ]


def new_document(name: str = "annex", **translations: str) -> dict[str, Any]:
    return {"document": name, "segment": "1", "source": "A late page.", "translations": translations}


def problems(files: ImportFiles, campaign: Campaign) -> list[tuple[int | None, str]]:
    return [(each.line, each.column) for each in check_late_texts(files, campaign).problems.in_order]


def test_a_whole_test_set_with_a_further_system_adds_that_system_alone(running: Campaign, write: Write) -> None:
    before = Translation.objects.filter(system__name=WOMBAT).count()
    added = add_late_texts(write(whole(running.test_set, Late="Spät.")), running)
    assert (added.addition.systems, added.addition.documents) == (("Late",), ())
    assert Translation.objects.filter(system__name="Late", text="Spät.").count() == 6
    assert Translation.objects.filter(system__name=WOMBAT).count() == before
    assert running.systems.filter(name="Late").exists()


def test_further_documents_come_behind_the_others_and_keep_what_came_with_them(running: Campaign, write: Write) -> None:
    late = new_document(**{WOMBAT: "Eine späte Seite.", "Late": "Spät."}) | {"domain": "legal", "title": "Annex"}
    added = add_late_texts(write([late]), running)
    assert added.addition.documents == ("annex",)
    document = Document.objects.get(name="annex")
    assert (document.position, document.title, document.domain) == (3, "Annex", "legal")
    assert set(running.systems.values_list("name", flat=True)) > {"Late", WOMBAT}


def test_all_problems_are_found_at_once_and_nothing_is_stored(running: Campaign, write: Write) -> None:
    rows = whole(running.test_set, Late="Spät.")
    rows[0]["source"] = "Another source."
    rows[1]["translations"][WOMBAT] = "Etwas anderes."
    rows[2]["segment"] = "99"
    rows[4]["source"] = ""
    files = write(rows)
    assert problems(files, running) == [(1, "source"), (2, f"system:{WOMBAT}"), (3, "segment"), (5, "source")]
    with pytest.raises(ImportFileError) as error:
        add_late_texts(files, running)
    assert len(str(error.value).splitlines()) == 4
    assert not System.objects.filter(name="Late").exists()
    assert not AuditEntry.objects.filter(action="late_texts_added").exists()


def test_a_failure_while_planning_takes_the_texts_back(
    running: Campaign, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: Any, **_options: Any) -> None:
        message = "the disk is full"
        raise OSError(message)

    monkeypatch.setattr("annotation.actions.adding._store", broken)
    with pytest.raises(OSError, match="full"):
        add_late_texts(write(whole(running.test_set, Late="Spät.")), running)
    assert not System.objects.filter(name="Late").exists()


def test_a_system_with_gaps_is_not_filled_while_it_is_judged(test_set: TestSet, cast: Cast, write: Write) -> None:
    segment = Segment.objects.filter(document__test_set=test_set).select_related("document").first()
    assert segment is not None
    Translation.objects.filter(segment=segment, system__name=WOMBAT).delete()
    running = make_planned_campaign(test_set, cast)
    assert problems(write([record(segment, **{WOMBAT: "Neu."})]), running) == [(1, f"system:{WOMBAT}")]


def test_documents_are_refused_where_another_campaign_uses_the_test_set(
    running: Campaign, write: Write, cast: Cast
) -> None:
    make_planned_campaign(running.test_set, cast, name="Neighbour")
    files = write([new_document(**{WOMBAT: "Spät."})])
    assert problems(files, running) == [(1, "document")]
    assert "Neighbour" not in str(check_late_texts(files, running).problems.listed)  # it may be somebody else's


def test_a_further_system_changes_nothing_in_another_campaign_which_may_add_it_too(
    running: Campaign, write: Write, cast: Cast
) -> None:
    neighbour = make_planned_campaign(running.test_set, cast, name="Neighbour")
    names = set(neighbour.systems.values_list("name", flat=True))
    files = write(whole(running.test_set, Late="Spät."))
    add_late_texts(files, running)
    assert set(neighbour.systems.values_list("name", flat=True)) == names
    checked = check_late_texts(files, neighbour)
    assert (checked.new_systems, checked.known_systems, checked.chosen) == ([], ["Late"], ["Late"])
    add_late_texts(files, neighbour)
    assert neighbour.systems.filter(name="Late").exists()
    assert System.objects.filter(name="Late").count() == 1


def test_the_same_file_again_is_refused_and_so_is_a_system_it_does_not_have(running: Campaign, write: Write) -> None:
    files = write(whole(running.test_set, Late="Spät."))
    add_late_texts(files, running)
    running.refresh_from_db()
    with pytest.raises(ImportFileError, match="adds nothing"):
        add_late_texts(files, running)
    assert "no further system" in str(check_late_texts(files, running, systems=["Nobody"]).problems.listed[0])


def test_only_chosen_systems_are_stored(running: Campaign, write: Write) -> None:
    files = write(whole(running.test_set, Late="Spät.", Later="Später."))
    add_late_texts(files, running, systems=["Later"])
    assert System.objects.filter(name="Later").exists()
    assert not System.objects.filter(name="Late").exists()


def test_a_reference_is_needed_where_it_is_shown(test_set: TestSet, cast: Cast, write: Write) -> None:
    campaign = make_planned_campaign(test_set, cast, options={"judge_against": "reference"})
    assert problems(write([new_document(**{WOMBAT: "Spät."})]), campaign) == [(1, "reference")]


def test_questions_are_needed_where_they_are_asked(test_set: TestSet, cast: Cast, write: Write) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", items_per_assignment=2)
    files = write([new_document(**{WOMBAT: "Spät."})])
    assert "No questions on annex" in str(check_late_texts(files, campaign).problems.listed[0])


def test_an_archive_keeps_what_was_added(running: Campaign, write: Write, tmp_path: Path) -> None:
    add_late_texts(write(whole(running.test_set, Late="Spät.")), running)
    running.refresh_from_db()
    path = tmp_path / "campaign.zip"
    with path.open("wb") as file:
        file.writelines(write_archive(running))
    again = import_archive(path, name="Again")
    assert again.additions == running.additions
    assert again.systems.filter(name="Late").exists()
    assert again.assignments.count() == running.assignments.count()


def test_a_late_document_brings_its_instruction_and_others_keep_theirs(
    running: Campaign, write: Write, tmp_path: Path
) -> None:
    harbour = Document.objects.get(test_set=running.test_set, name="harbour")
    TextGuidance.objects.create(
        test_set=running.test_set,
        document=harbour,
        instruction="Keep the names.",
        glossary=[{"term": "ferry", "required": ["Fähre"], "forbidden": [], "note": ""}],
    )
    late = {**new_document(**{WOMBAT: "Eine späte Seite."}), "instruction": "Keep it short."}
    add_late_texts(campaign=running, files=write([late]), by=None)
    told = [("harbour", "Keep the names."), ("annex", "Keep it short.")]
    assert list(TextGuidance.objects.order_by("pk").values_list("document__name", "instruction")) == told
    path = tmp_path / "campaign.zip"
    path.write_bytes(b"".join(write_archive(running)))
    rebuilt = import_archive(path, name="Rebuilt").test_set
    own = TextGuidance.objects.filter(test_set=rebuilt).order_by("pk")
    assert list(own.values_list("document__name", "instruction")) == told
    assert [term["required"] for term in own[0].glossary] == [["Fähre"]]
