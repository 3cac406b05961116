"""A Pearmut campaign becomes a test set, a campaign with its screens, people, practice and checks; or nothing does."""

import gzip
import json
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, AttentionCheck, Item, PracticeItem, Slot
from annotation.protocols import protocol_for
from campaigns.models import Campaign, Document, Medium, Segment, SuggestedSpan, TestSet, TextGuidance
from campaigns.queries import questions_of
from exchange.exports import export_rows
from exchange.judgment_files import CampaignOutcome, FromCampaign, import_judgments
from exchange.reading import ImportFileError
from tests.exchange.pearmut_files import document, load, write
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.django_db
SAMPLE = "genmt-wmt26-sample"


def load_sample(**options: Any) -> CampaignOutcome:
    return load(real_case(SAMPLE) / "pearmut-campaign.json", **options)


def test_everything_in_the_sample_is_counted_as_expected() -> None:
    expected, outcome = expected_of(SAMPLE)["campaign"], load_sample()
    report = outcome.report
    assert {key: report[key] for key in expected} == expected
    assert report["kept_and_reported"]["missing_media"] == 4
    campaign = outcome.campaign
    assert (campaign.protocol, campaign.planning, campaign.status) == ("cesa", "pool", "draft")
    assert campaign.options["systems_per_screen"] == 2
    assert [tag["name"] for tag in campaign.options["tags"]] == expected["tags"]
    assert Document.objects.filter(test_set=campaign.test_set).count() == expected["documents"]
    assert Segment.objects.filter(document__test_set=campaign.test_set).count() == expected["segments"]
    members = campaign.memberships.filter(role="annotator").values_list("account__username", flat=True)
    assert sorted(members) == ["ash", "birch", "cedar", "elm", "fir", "oak"]
    notes = " ".join(report["notes"])
    for left_out in ("shuffle", "docs_per_user", "show_progress", "dynamic_coldstart"):
        assert f"`{left_out}` has no equal here and is left out." in report["notes"]
    assert "`word_level`" not in notes
    assert "Questions of forms, asked in questionnaires now: 2. Look at them first." in report["notes"]
    questions = questions_of(campaign.questionnaires.get())
    assert [(each.kind, each.name) for each in questions] == [
        ("text", "which-languages-do-you-speak-at-home"),
        ("single", "how-long-have-you-translated-for-a-livin"),
    ]
    assert [each.label for each in questions[1].choices] == ["never", "up to five years", "longer"]


def test_scripts_and_styles_never_get_in_and_instructions_are_read_as_text() -> None:
    campaign = load_sample().campaign
    assert "Read everything first." in campaign.guidelines
    assert "width" not in campaign.guidelines
    instructions = set(TextGuidance.objects.filter(test_set=campaign.test_set).values_list("instruction", flat=True))
    assert len(instructions) == 4
    assert any(text.startswith("Keep the sober tone") for text in instructions)
    stored = [campaign.guidelines, *instructions, *PracticeItem.objects.values_list("feedback", flat=True)]
    stored += PracticeItem.objects.values_list("instruction", flat=True)
    assert not any("<" in text or "document.title" in text for text in stored)


def test_practice_and_checks_have_the_rules_of_the_file() -> None:
    campaign = load_sample().campaign
    practice = PracticeItem.objects.get(campaign=campaign)
    assert (practice.slots, practice.expected) == ({"A": "Der Laden öffnet um acht."}, {"A": {"score": [0, 40]}})
    assert practice.feedback == "Mark “acht” as major and give at most 40."
    assert practice.mark_words == [("A", "“acht”, major")]
    check = AttentionCheck.objects.get(campaign=campaign)
    assert (check.name, check.is_loud, check.is_imported) == ("attention_check_0", True, True)
    assert check.rules == [
        {"row": 0, "system": "1st translation", "above": "2nd translation"},
        {"row": 0, "system": "3rd translation", "above": "2nd translation"},
    ]
    assert "2nd translation" not in campaign.systems.values_list("name", flat=True)


def test_media_are_stored_beside_their_segments_and_missing_ones_are_named() -> None:
    outcome = load_sample(assets=real_case(SAMPLE) / "assets")
    stored = Medium.objects.filter(document__test_set=outcome.campaign.test_set)
    assert sorted(stored.values_list("document__name", "segment__name", "kind")) == [
        ("500001", "0", "picture"),
        ("500001", "1", "picture"),
        ("500001", "2", "picture"),
    ]
    assert outcome.report["kept_and_reported"]["missing_media"] == 1
    assert "Missing media, left out (1): assets/speech/harbour_12.5-31.0.mp4." in outcome.report["notes"]
    segment = Segment.objects.get(document__name="500001", name="0")
    assert (segment.source or "").startswith("<p>finally FOUND the bakery")


@pytest.fixture
def published(tmp_path: Path) -> Path:
    packed = (real_case("cesa-enja") / "campaign.json.gz").read_bytes()
    (tmp_path / "campaign.json").write_bytes(gzip.decompress(packed))
    return tmp_path / "campaign.json"


def screens_of(campaign: Campaign) -> list[tuple[Any, ...]]:
    slots = Slot.objects.filter(item__assignment__campaign=campaign)
    fields = ("item__assignment__annotator__username", "item__block", "item__position", "label", "system__name")
    return sorted(slots.values_list(*fields, "item__document__name", "item__segment__name", "columns"))


def test_users_of_a_published_campaign_have_its_screens_in_order_and_columns(published: Path) -> None:
    expected, outcome = expected_of("cesa-enja")["import"], load(published, target="ja")
    report, campaign = outcome.report, outcome.campaign
    assert (report["documents"], report["segments"], report["annotators"]) == (
        expected["documents"],
        expected["segments"],
        expected["annotators"],
    )
    assert (len(report["systems"]), report["screens"]) == (expected["systems"], expected["screens"])
    assert report["practice"] == 6, "both people have the same six tutorials"
    assert (
        report["refused"]["media_of_other_hosts"] == expected["segments_with_video"] + expected["segments_with_image"]
    )
    assert report["kept_and_reported"]["outputs_shown_again"] > 0
    assert set(campaign.assignments.values_list("annotator__username", "status")) == {
        ("rater-1", "open"),
        ("rater-2", "open"),
    }
    columns = [screen["tgt"] for screen in _published_screens(published, "rater-1")]
    blocks = Item.objects.filter(assignment__annotator__username="rater-1").order_by("block").values_list("block")
    assert len(set(blocks)) == len(columns) == 33
    first = Slot.objects.filter(item__assignment__annotator__username="rater-1", item__block=1).order_by("columns")
    assert list(first.values_list("system__name", flat=True).distinct()) == [
        each.removesuffix("'") for each in columns[0]
    ]


def _published_screens(path: Path, user: str) -> list[dict[str, Any]]:
    campaign = json.loads(path.read_text())
    documents = campaign["data"][campaign["info"]["users"].index(user)]
    return [document[0] for document in documents if "_#_tutorial_#_" not in document[0]["item_id"]]


def test_an_exported_plan_comes_back_as_the_same_campaign(published: Path, tmp_path: Path) -> None:
    first = load(published, target="ja").campaign
    path = tmp_path / "again.json"
    path.write_bytes(b"".join(export_rows(first, "pearmut-campaign")))
    screens = screens_of(first)
    second = load(path, name="Again", target="ja").campaign
    assert [row[1:] for row in screens_of(second)] == [row[1:] for row in screens]
    texts = Segment.objects.filter(document__test_set=second.test_set).values_list("document__name", "name", "source")
    assert sorted(texts) == sorted(
        Segment.objects.filter(document__test_set=first.test_set).values_list("document__name", "name", "source")
    )
    assert second.guidelines.split() == first.guidelines.split()


def test_instructions_and_media_are_written_for_pearmut_and_come_back(tmp_path: Path) -> None:
    first = load_sample(assets=real_case(SAMPLE) / "assets").campaign
    content = json.loads(b"".join(export_rows(first, "pearmut-campaign")))
    items = {item["item_id"]: item for document in content["data"] for item in document}
    social = items["social_###_500001_###_0"]
    assert social["src"] == "<img src='assets/social/500001-anon/500001-anon_1.png'>"
    assert social["src_text"].startswith("<p>finally FOUND")
    assert social["instructions"].startswith("<p>Close friends are talking")
    path = tmp_path / "again.json"
    path.write_text(json.dumps(content))
    second = load(path, name="Again", assets=real_case(SAMPLE) / "assets").campaign
    for model, fields in ((TextGuidance, ("document__name", "instruction")), (Medium, ("segment__name", "file_hash"))):
        rows = [
            set(model.objects.filter(document__test_set=each.test_set).values_list(*fields)) for each in (first, second)
        ]
        assert rows[0] == rows[1]
        assert len(rows[0]) > 2


def test_annotations_of_the_campaign_have_its_texts(published: Path, tmp_path: Path) -> None:
    """The test set of the campaign, and the one that its annotations make, are the same but for what nobody judged."""
    annotations = tmp_path / "annotations.json"
    annotations.write_bytes(gzip.decompress((real_case("cesa-enja") / "annotations.json.gz").read_bytes()))
    of = FromCampaign(published, "")
    judged = import_judgments(annotations, format="pearmut", name="Judged", of=of).campaign
    planned = load(published, target="ja").campaign
    fields = ("document__name", "document__domain", "name", "source")
    both = [
        set(Segment.objects.filter(document__test_set=campaign.test_set).values_list(*fields))
        for campaign in (judged, planned)
    ]
    assert both[0] == both[1]


FORM = {"text": "Your languages?", "form": "string"}


def test_everything_wrong_is_told_at_once_with_its_place_and_nothing_is_stored(tmp_path: Path) -> None:
    data = [
        document("Heron", "Rook"),
        [{"item_id": "a_###_b_###_0", "src": "x"}],
        [{"item_id": "a_###_c_###_0", "tgt": "a text"}],
        [*document("Heron", name="a_###_d_###_0"), *document("Rook", name="a_###_d_###_1")],
        [*document("Heron", name="a_###_e_###_0"), FORM],
        document("Heron", src="Another source."),
        [],
        [{"item_id": "a_###_f_###_0", "tgt": {"Heron": 7}}],
        document("A", "B", "C", "D", "E", "F", name="a_###_g_###_0"),
    ]
    path = write(tmp_path / "c.json", data, assignment="single-stream", protocol="rank", users=["ash", "ash", ""])
    with pytest.raises(ImportFileError) as refused:
        load(path)
    told = str(refused.value)
    for place, words in (
        ("info.protocol", "Unknown value"),
        ("info.users[1]", "occurs twice"),
        ("info.users[2]", "needs a name"),
        ("data[1][0].tgt", "needs `tgt`"),
        ("data[2][0].tgt", "an object with a text for each system"),
        ("data[3]", "the same systems"),
        ("data[4]", "not both"),
        ("data[5][0].src", "another source"),
        ("data[6]", "a list of segments"),
        ("data[7][0].tgt.Heron", "must be a text"),
        ("data[8]", "at most 5 systems"),
    ):
        assert any(place in line and words in line for line in told.splitlines()), (place, words, told)
    assert not Campaign.objects.exists()
    assert not TestSet.objects.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "JSON"),
        ("[]", "Choose one campaign"),
        ('{"campaign_id": "c"}', "list of documents"),
        ('{"campaign_id": "c", "data": []}', "no documents"),
        ('{"campaign_id": "c", "info": 7, "data": []}', "JSON object"),
        ('{"campaign_id": "c", "info": {"assignment": "task-based"}, "data": 7}', "users' documents"),
    ],
)
def test_a_file_that_is_no_campaign_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(ImportFileError, match=message):
        load(tmp_path / "c.json")


def test_systems_of_a_dynamic_campaign_are_the_same_everywhere(tmp_path: Path) -> None:
    data = [document("Heron", "Rook"), document("Heron", name="a_###_b_###_0")]
    with pytest.raises(ImportFileError, match=r"data\[1\]: In a dynamic campaign"):
        load(write(tmp_path / "c.json", data, assignment="dynamic"))


def test_frames_other_hosts_and_ways_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    frame = document("Heron", src="<iframe src='https://x.example/a'></iframe>", src_text="One.")
    host = document("Heron", name="a_###_b_###_0", src='<video src="//x.example/a.mp4">', src_text="Two.")
    refused = load(write(tmp_path / "c.json", [frame, host])).report["refused"]
    assert (refused["media_of_other_hosts"], refused["media_in_frames"]) == (1, 1)
    out = document("Heron", src="<img src='../secret.png'>", src_text="One.")
    with pytest.raises(ImportFileError, match=r"without “..”"):
        load(write(tmp_path / "out.json", [out]), name="Out")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.png").symlink_to(tmp_path / "c.json")
    linked = document("Heron", src="<img src='assets/a.png'>", src_text="One.")
    with pytest.raises(ImportFileError, match="over a link"):
        load(write(tmp_path / "linked.json", [linked]), name="Linked", assets=tmp_path)


def test_a_medium_that_is_something_else_takes_everything_back(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("<html>")
    path = write(tmp_path / "c.json", [document("Heron", src="<img src='a.png'>", src_text="One.")])
    with pytest.raises(ImportFileError, match=r"a\.png"):
        load(path, assets=tmp_path)
    assert not TestSet.objects.exists()


def test_equal_outputs_are_one_cell_and_a_pool_goes_out_in_small_parts(tmp_path: Path) -> None:
    same = [
        {"item_id": f"news_###_quay_###_{n}", "src": f"{n}", "tgt": {"A": " x", "B": "x ", "C": "y"}} for n in (0, 1)
    ]
    many = [document("A", "C", name=f"news_###_d{n}_###_0") for n in range(25)]
    campaign = load(write(tmp_path / "c.json", [same, *many], users=3, data_random_prob=0.5)).campaign
    assert CampaignSpec.of(campaign).check_share == 0.5
    first = Slot.objects.filter(item__block=1, item__assignment__position=1, item__position=1).order_by("columns")
    assert list(first.values_list("label", "columns")) == [("A", "12"), ("C", "3")]
    assert Assignment.objects.filter(campaign=campaign, status="planned").count() == 2
    assert campaign.memberships.filter(role="annotator").count() == 3


def test_the_same_file_again_changes_nothing_and_another_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [document("Heron")])
    assert load(path).created
    assert not load(path).created
    with pytest.raises(ImportFileError, match="Choose another name"):
        load(write(tmp_path / "d.json", [document("Rook")]))


def test_other_protocols_have_the_screens_of_the_file_too(tmp_path: Path) -> None:
    data = [document("Heron", "Rook")]
    esa = load(write(tmp_path / "e.json", data, protocol="ESA", special_tokens=[]), name="E").campaign
    assert (esa.protocol, esa.options["missing_content"], esa.planning) == ("esa", False, "pool")
    da = load(write(tmp_path / "d.json", data, protocol="DA"), name="D").campaign
    shown = Slot.objects.filter(item__assignment__campaign=da).values_list("label", "system__name", "columns")
    assert (da.protocol, sorted(shown)) == ("direct_assessment", [("A", "Heron", ""), ("B", "Rook", "")])
    wide = load(write(tmp_path / "w.json", [document("A", "B", "C", "D", "E")], protocol="ESA"), name="W")
    assert wide.report["notes"] == [
        "Screens are planned by Assay, with one system each: this protocol shows at most 4."
    ]
    assert set(Item.objects.filter(assignment__campaign=wide.campaign).values_list("slots__label")) == {("A",)}


def test_categories_and_severities_of_mqm_become_its_typology(tmp_path: Path) -> None:
    info = {
        "mqm_categories": {"": [], "Accuracy": ["", "Wrong meaning"], "文体": []},
        "mqm_severities": ["Minor", "Critical"],
    }
    outcome = load(write(tmp_path / "m.json", [document("Heron")], protocol="MQM", **info))
    typology = protocol_for("mqm", outcome.campaign.options).options.typology
    assert typology.titles() == {
        "accuracy": "Accuracy",
        "accuracy/wrong-meaning": "Accuracy/Wrong meaning",
        "category-3": "文体",
    }
    assert (typology.severities, outcome.report["notes"]) == (("minor", "critical"), [])
    wrong = {"mqm_categories": {"Accuracy": "all"}, "mqm_severities": ["awful"]}
    with pytest.raises(ImportFileError) as refused:
        load(write(tmp_path / "n.json", [document("Heron")], protocol="MQM", **wrong), name="N")
    assert "info.mqm_categories" in str(refused.value)
    assert "info.mqm_severities" in str(refused.value)


def test_users_of_an_error_span_campaign_keep_their_documents_and_systems() -> None:
    campaign = load(real_case("import-samples") / "pearmut-json" / "task-based-esa.json").campaign
    rows = Item.objects.filter(assignment__campaign=campaign).order_by("assignment__position", "position")
    shown = rows.values_list("assignment__annotator__username", "document__name", "slots__system__name", "block")
    assert list(shown) == [
        *[("anna", "bridge_0", "blue", 1)] * 2,
        *[("anna", "library_2", "green", 2)] * 2,
        *[("ben", "bridge_0", "green", 1)] * 2,
        *[("ben", "library_2", "blue", 2)] * 2,
    ]


@pytest.mark.parametrize("name", ["task-based-esa", "single-stream-two-systems"])
def test_other_published_forms_come_in(name: str) -> None:
    path = real_case("import-samples") / "pearmut-json" / f"{name}.json"
    outcome, content = load(path), json.loads(path.read_text())
    documents = content["data"] if name.startswith("single") else [each for user in content["data"] for each in user]
    items = {item["item_id"] for document in documents for item in document}
    assert set(Segment.objects.values_list("name", flat=True)) == {item.rpartition("_###_")[2] for item in items}
    spans = [
        span for each in documents for item in each for spans in item.get("error_spans", {}).values() for span in spans
    ]
    assert SuggestedSpan.objects.count() == len(spans)
    assert outcome.campaign.options.get("suggestions", False) == bool(spans)
    for span in SuggestedSpan.objects.all():
        assert any((span.start, span.end) == (each["start_i"], each["end_i"] + 1) for each in spans)


def test_the_command_prints_counts_and_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    languages = ("--source-language", "en", "--target-language", "de")
    file = str(real_case(SAMPLE) / "pearmut-campaign.json")
    call_command("import_campaign", file, *("--format", "pearmut", "--name", "Study"), *languages, "--json")
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert (told["campaign"], told["created"], told["annotators"]) == ("study", True, 6)
    assert "`shuffle` has no equal here" in printed.err
    with pytest.raises(CommandError, match="not a folder"):
        call_command(
            "import_campaign",
            file,
            *("--format", "pearmut", "--name", "B", "--assets", str(tmp_path / "x")),
            *languages,
        )
