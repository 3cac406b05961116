"""What a sound file of judgments becomes."""

from pathlib import Path
from uuid import UUID

from django.db import connection

import pytest

from annotation.actions.summaries import wrong_counts
from annotation.models import Assignment, AssignmentStatus, Item, Judgment, Score, Slot, WorkCount
from campaigns.models import Account, Campaign, CampaignStatus, Document, Segment, System, TestSet, Translation
from exchange import judgment_files as load_module
from exchange.judgment_files import CampaignOutcome, import_judgments
from exchange.reading import ImportFileError
from tests.exchange.conftest import WriteFile

pytestmark = pytest.mark.django_db


def load(path: Path, name: str = "Harbour", **options: str) -> CampaignOutcome:
    return import_judgments(path, format="assay-csv", name=name, **options)  # type: ignore[arg-type]


def test_a_campaign_is_made_with_all_that_the_file_names(judgments_file: WriteFile) -> None:
    path = judgments_file(
        {
            "judgment": "a",
            "source": "Good morning.",
            "translation": "Guten Morgen.",
            "reference": "Morgen!",
            "domain": "x",
        },
        {"judgment": "b", "segment": "2", "annotator": "ben", "value": "64.5"},
        {"judgment": "c", "system": "Rook", "value": "-0"},
    )
    outcome = load(path, source_language="en", target_language="de")
    campaign = Campaign.objects.select_related("test_set").get()
    assert (campaign.name, campaign.slug, campaign.status) == ("Harbour", "harbour", CampaignStatus.CLOSED)
    assert (campaign.test_set.name, campaign.test_set.source_language, campaign.test_set.target_language) == (
        "Harbour",
        "en",
        "de",
    )
    assert sorted(campaign.systems.values_list("name", flat=True)) == ["Heron", "Rook"]
    segment = Segment.objects.get(name="1")
    assert (segment.source, segment.domain, segment.references.get().text) == ("Good morning.", "x", "Morgen!")
    assert Translation.objects.get(segment=segment, system__name="Heron").text == "Guten Morgen."
    assert sorted(Score.objects.values_list("judgment__annotator__username", "measure", "value")) == [
        ("anna", "score", 0.0),
        ("anna", "score", 70.0),
        ("ben", "score", 64.5),
    ]
    assert outcome.report == {
        "judgments": 3,
        "annotators": 2,
        "systems": 2,
        "documents": 1,
        "segments": 2,
        "rows": 3,
        "notes": [],
    }


def test_texts_and_languages_may_be_absent(judgments_file: WriteFile) -> None:
    load(judgments_file({}))
    assert (Segment.objects.get().source, Translation.objects.get().text) == (None, None)
    assert (TestSet.objects.get().source_language, TestSet.objects.get().target_language) == ("und", "und")


def test_columns_may_come_in_any_order_after_a_byte_order_mark(judgments_file: WriteFile) -> None:
    path = judgments_file({"judgment": "a"})
    header, row = (line.split(",") for line in path.read_text().splitlines())
    path.write_text("\ufeff" + ",".join(header[::-1]) + "\n" + ",".join(row[::-1]) + "\n", encoding="utf-8")
    load(path)
    assert Score.objects.get().value == 70


def test_annotators_are_done_with_their_assignments(judgments_file: WriteFile) -> None:
    load(judgments_file({"judgment": "a"}, {"judgment": "b", "segment": "2"}, {"judgment": "c", "annotator": "ben"}))
    done = Assignment.objects.order_by("position").values_list("annotator__username", "status", "total", "done")
    assert list(done) == [("anna", AssignmentStatus.DONE, 2, 2), ("ben", AssignmentStatus.DONE, 1, 1)]
    assert not Account.objects.get(username="anna").has_usable_password()
    assert WorkCount.objects.exists()
    assert wrong_counts(Campaign.objects.get().pk) == 0


def test_an_annotator_known_by_name_is_the_same_person(judgments_file: WriteFile) -> None:
    known = Account.objects.create_user(username="anna", password="seven quiet herons")
    load(judgments_file({}))
    assert Judgment.objects.get().annotator == known
    known.refresh_from_db()
    assert known.has_usable_password()


def test_one_assignment_name_of_two_annotators_makes_two_assignments(judgments_file: WriteFile) -> None:
    load(judgments_file({"assignment": "H1"}, {"judgment": "b", "assignment": "H1", "annotator": "ben"}))
    assert list(Assignment.objects.values_list("name", "annotator__username")) == [("H1", "anna"), ("H1", "ben")]


def test_different_judgments_of_the_same_output_are_different_items(judgments_file: WriteFile) -> None:
    load(judgments_file({"judgment": "a"}, {"judgment": "b", "value": "75"}))
    assert list(Judgment.objects.values_list("revision", "is_current")) == [(1, True), (1, True)]
    assert Item.objects.count() == 2


def test_revisions_of_one_item_are_ordered_by_their_number(judgments_file: WriteFile) -> None:
    load(
        judgments_file(
            {"judgment": "a", "revision": 1},
            {"judgment": "b", "revision": 1, "segment": "2"},
            {"judgment": "c", "revision": 2, "value": "80"},
        )
    )
    assert list(Judgment.objects.order_by("pk").values_list("item__segment__name", "revision", "is_current")) == [
        ("1", 1, False),
        ("2", 1, True),
        ("1", 2, True),
    ]


def test_judgments_at_one_position_are_revisions_in_their_order(judgments_file: WriteFile) -> None:
    load(judgments_file({"judgment": "a", "position": 4}, {"judgment": "b", "position": 4, "value": "80"}))
    item = Item.objects.get()
    assert (item.position, item.revision) == (4, 2)
    assert list(item.judgments.order_by("pk").values_list("revision", "is_current")) == [(1, False), (2, True)]


def test_rows_of_one_judgment_make_one_screen_with_slots_by_order(judgments_file: WriteFile) -> None:
    load(judgments_file({"system": "Rook"}, {"system": "Heron", "value": "90"}))
    assert list(Slot.objects.order_by("label").values_list("label", "system__name")) == [("A", "Rook"), ("B", "Heron")]
    answer = Judgment.objects.get().answer
    assert answer == {"slots": {"A": {"score": 70}, "B": {"score": 90}}, "comment": "", "cannot_judge": None}


def test_systems_that_share_a_slot_share_the_output(judgments_file: WriteFile) -> None:
    load(judgments_file({"slot": "A"}, {"slot": "A", "system": "Rook"}))
    slot = Slot.objects.get()
    assert (slot.system.name, [credit.system.name for credit in slot.credits.all()]) == ("Heron", ["Rook"])
    assert Score.objects.count() == 2


def test_controls_pair_with_the_genuine_item_of_their_assignment(judgments_file: WriteFile) -> None:
    load(
        judgments_file(
            {"judgment": "a", "assignment": "H1", "translation": "whole"},
            {"judgment": "b", "assignment": "H1", "kind": "degraded", "translation": "broken"},
            {"judgment": "c", "assignment": "H1", "kind": "repeat", "translation": "whole"},
            {"judgment": "d", "assignment": "H2", "kind": "repeat", "translation": "whole"},
        )
    )
    genuine = Item.objects.get(kind="regular")
    controls = Item.objects.exclude(kind="regular").order_by("assignment__name", "position")
    assert list(controls.values_list("kind", "original")) == [
        ("degraded", genuine.pk),
        ("repeat", genuine.pk),
        ("repeat", None),
    ]
    assert Translation.objects.get().text == "whole"
    assert list(Slot.objects.exclude(damaged=None).values_list("item__kind", "damaged")) == [("degraded", "broken")]


def test_a_row_without_a_segment_is_of_the_whole_document(judgments_file: WriteFile) -> None:
    load(judgments_file({"segment": "", "measure": "document_score"}))
    score = Score.objects.select_related("document", "system").get()
    assert score.document is not None
    assert score.system is not None
    assert (score.translation, score.document.name, score.system.name) == (None, "harbour", "Heron")
    assert Item.objects.get().level == "document"
    assert Campaign.objects.get().options == {"document_scores": True}


def test_a_judgment_without_a_number_is_stored_with_its_reason(judgments_file: WriteFile) -> None:
    answer = '{"slots": {}, "comment": "all Greek", "cannot_judge": "wrong_language"}'
    load(judgments_file({"measure": "", "value": "", "answer": answer, "comment": "all Greek"}))
    judgment = Judgment.objects.get()
    assert (judgment.cannot_judge, judgment.answer["comment"], judgment.scores.count()) == (
        "wrong_language",
        "all Greek",
        0,
    )


def test_times_are_utc_and_seconds_are_stored_to_the_millisecond(judgments_file: WriteFile) -> None:
    load(
        judgments_file(
            {
                "started": "2026-11-03T10:00:00+01:00",
                "submitted": "2026-11-03T09:00:40.5Z",
                "seconds": "40.5",
                "active_seconds": "31.25",
            }
        )
    )
    judgment = Judgment.objects.get()
    assert judgment.started_at is not None
    assert judgment.started_at.isoformat() == "2026-11-03T09:00:00+00:00"
    assert judgment.submitted_at.isoformat() == "2026-11-03T09:00:40.500000+00:00"
    assert (judgment.elapsed_ms, judgment.active_ms) == (40_500, 31_250)


def test_our_own_identifiers_stay_and_others_get_a_lasting_one(judgments_file: WriteFile) -> None:
    own = "3f2b8c1e-51d0-4f0a-9d5e-0b1c2d3e4f50"
    load(judgments_file({"judgment": own}, {"judgment": "17", "segment": "2"}))
    ours, made = Judgment.objects.order_by("pk").values_list("client_id", flat=True)
    assert ours == UUID(own)
    load(judgments_file({"judgment": "17", "segment": "2"}, name="other.csv"), "Other")
    assert Judgment.objects.filter(item__assignment__campaign__name="Other").get().client_id != made


def test_documents_keep_the_order_of_their_first_row(judgments_file: WriteFile) -> None:
    load(
        judgments_file(
            {"judgment": "a", "document": "zoo", "segment": "9"},
            {"judgment": "b", "document": "ark", "segment": "1"},
            {"judgment": "c", "document": "zoo", "segment": "2"},
        )
    )
    assert list(Document.objects.order_by("position").values_list("name", flat=True)) == ["zoo", "ark"]
    assert list(Segment.objects.filter(document__name="zoo").order_by("position").values_list("name", flat=True)) == [
        "9",
        "2",
    ]
    assert list(Item.objects.order_by("position").values_list("document__name", "block")) == [
        ("zoo", 1),
        ("ark", 2),
        ("zoo", 3),
    ]


def test_systems_named_as_people_are_human(judgments_file: WriteFile) -> None:
    load(judgments_file({}, {"judgment": "b", "system": "refA"}))
    assert list(System.objects.filter(is_human=True).values_list("name", flat=True)) == ["refA"]


def test_derived_measures_are_left_to_be_computed_where_they_can_be(judgments_file: WriteFile) -> None:
    with_spans = '{"slots": {"A": {"spans": []}}, "comment": "", "cannot_judge": null}'
    load(
        judgments_file(
            {"judgment": "a", "measure": "penalty", "value": "5", "answer": with_spans},
            {"judgment": "b", "measure": "penalty", "value": "6", "segment": "2", "answer": ""},
        )
    )
    assert list(Score.objects.values_list("measure", "value")) == [("penalty", 6.0)]


def test_unknown_columns_and_foreign_measures_are_named(judgments_file: WriteFile) -> None:
    outcome = load(judgments_file({"mood": "fine", "measure": "delight"}))
    assert outcome.report["notes"] == [
        "Unknown columns, ignored: mood.",
        "“delight” is not a measure of direct_assessment. Its values are stored, or computed again.",
    ]


def test_a_requested_protocol_replaces_that_of_the_file(judgments_file: WriteFile) -> None:
    load(judgments_file({"protocol": "something else"}), protocol="direct_assessment")
    assert Campaign.objects.get().protocol == "direct_assessment"


def test_the_same_file_again_changes_nothing_and_is_noted(judgments_file: WriteFile) -> None:
    path = judgments_file({})
    first, again = load(path), load(path)
    assert (first.created, again.created, again.campaign) == (True, False, first.campaign)
    assert again.report == first.report
    assert Judgment.objects.count() == 1


def test_another_file_under_a_taken_name_is_refused(judgments_file: WriteFile) -> None:
    load(judgments_file({}))
    with pytest.raises(ImportFileError, match="A campaign has the name “Harbour” already"):
        load(judgments_file({"value": "71"}, name="other.csv"))


def test_the_name_of_a_test_set_is_not_taken_from_it(judgments_file: WriteFile, test_set: TestSet) -> None:
    with pytest.raises(ImportFileError, match="A test set has the name"):
        load(judgments_file({}), test_set.name)


def test_an_address_that_is_taken_gets_a_number(judgments_file: WriteFile) -> None:
    load(judgments_file({}), "News 1")
    outcome = load(judgments_file({}, name="other.csv"), "News-1")
    assert outcome.campaign.slug == "news-1-2"


def test_an_import_that_breaks_off_leaves_nothing_behind(judgments_file: WriteFile) -> None:
    def break_off(*args: object) -> None:
        if Judgment.objects.count() == 2:
            raise KeyboardInterrupt

    path = judgments_file({"judgment": "a"}, {"judgment": "b", "annotator": "ben"})
    with pytest.raises(KeyboardInterrupt):
        import_judgments(path, format="assay-csv", name="Harbour", on_progress=break_off)
    for model in (Campaign, TestSet, Judgment, Item, Assignment, Account, Translation):
        assert not model._default_manager.exists()
    assert load(path).created


def die(*args: object) -> None:
    raise MemoryError


def test_what_a_killed_import_left_is_cleared_by_the_next(
    judgments_file: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = judgments_file({})
    with monkeypatch.context() as killed:
        killed.setattr(load_module, "_finish", die)
        killed.setattr(load_module, "_withdraw", die)
        with pytest.raises(MemoryError):
            load(path)
    assert TestSet.objects.get().status == "loading"
    assert load(path).created
    assert (Campaign.objects.count(), Judgment.objects.count()) == (1, 1)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite sorts in as much memory as its pages may take")
def test_counts_are_sorted_on_disk(judgments_file: WriteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def pages() -> int:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size")
            return int(cursor.fetchone()[0])

    before, meanwhile = pages(), []
    monkeypatch.setattr("exchange.staging.loading.recount", lambda _campaign: meanwhile.append(pages()))
    load(judgments_file({}))
    assert (meanwhile, pages()) == ([-2000], before)
    assert before != meanwhile[0]
