"""Annotations of Pearmut: a published campaign and an invented one with every trap, and small files by hand."""

import csv
import gzip
import io
import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from django.core.management import call_command
from django.db.models import Sum

import pytest

from annotation.models import ActionLog, ErrorSpan, Judgment, Score, Slot
from campaigns.models import Campaign, Segment
from exchange.exports import export_rows
from exchange.formats.pearmut_info import PROTOCOLS_HERE
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from metrics.screen_places import read_places
from tests.exchange.formats.pearmut_records import cell, load, record, segment, write
from tests.metrics.analyses.as_json import analyse
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.django_db
TAGS = [{"name": "missing", "title": "Content is missing"}]


@pytest.fixture
def unpacked(tmp_path: Path) -> tuple[Path, Path]:
    """The published files: annotations, campaign."""
    for name in ("annotations", "campaign"):
        packed = (real_case("cesa-enja") / f"{name}.json.gz").read_bytes()
        (tmp_path / f"{name}.json").write_bytes(gzip.decompress(packed))
    return tmp_path / "annotations.json", tmp_path / "campaign.json"


def means_of(**kinds: Any) -> dict[str, tuple[float, int, int]]:
    """By system: the mean over segments of the means of their current scores; scores; segments."""
    scores: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    current = Score.objects.filter(judgment__is_current=True, measure="score", **kinds)
    rows = current.values_list("translation__system__name", "translation__segment", "value")
    for system, judged, value in rows:
        scores[system][judged].append(value)
    return {
        system: (fmean(map(fmean, by_segment.values())), sum(map(len, by_segment.values())), len(by_segment))
        for system, by_segment in scores.items()
    }


def test_a_published_campaign_is_read_as_its_authors_counted(unpacked: tuple[Path, Path]) -> None:
    expected = expected_of("cesa-enja")
    counts = expected["import"]
    outcome = load(*unpacked)
    campaign, report = outcome.campaign, outcome.report
    assert (campaign.protocol, campaign.options) == ("cesa", {"systems_per_screen": 4, "tags": TAGS})
    assert (campaign.test_set.source_language, campaign.test_set.target_language) == ("en", "ja")
    for name in ("records", "screens", "annotators", "documents", "segments", "systems", "scores", "regular", "repeat"):
        assert report[name] == counts[name], name
    assert report["practice"] == counts["practice_screens"]
    assert report["screens_by_width"] == counts["screens_by_width"]
    assert (report["spans"], report["tags"]) == (counts["spans"], {"missing": counts["tag_missing"]})
    assert report["zero_scores"] == report["kept_and_reported"]["below_85_without_mark"] == 0
    assert set(report["refused"].values()) == {0}
    means = {name: pytest.approx(tuple(each), abs=1e-6) for name, each in expected["system_mean"].items()}
    assert means_of() == means
    regular = {name: each[0] for name, each in means_of(judgment__item__kind="regular").items()}
    assert regular == pytest.approx(expected["system_mean_regular_only"], abs=1e-6)
    assert dict(Segment.objects.values_list("document__name", "document__domain"))["vid_BrC0v6K3H4I"] == "speech"
    assert not Segment.objects.filter(source__startswith="<").exists()


def test_each_published_score_is_where_it_was_with_its_marks(unpacked: tuple[Path, Path]) -> None:
    load(*unpacked)
    lines = (real_case("cesa-enja") / "scores.tsv").read_text().splitlines()
    published = sorted(_published(row) for row in csv.DictReader(lines, delimiter="\t"))
    assert (
        sorted(_stored(score) for score in Score.objects.select_related("judgment__item", "translation")) == published
    )


def _published(row: dict[str, str]) -> tuple[Any, ...]:
    marks = sorted(row["spans"].split() + ["tag"] * int(row["missing"]))
    place = (row["annotator"], row["document"], f"s{row['segment']}", row["system"], bool(int(row["repeat"])))
    return *place, int(row["position"]), float(row["score"]), tuple(marks)


def _stored(score: Score) -> tuple[Any, ...]:
    item, translation = score.judgment.item, score.translation
    assert translation is not None
    spans = ErrorSpan.objects.filter(judgment=score.judgment, translation=translation)
    marks = ["tag" if span.category else f"{span.start}-{span.end}:{span.severity}" for span in spans]
    segment = translation.segment
    place = (score.judgment.annotator.username, segment.document.name, segment.name, translation.system.name)
    return *place, item.kind == "repeat", ord(score.slot) - ord("A") + 1, score.value, tuple(sorted(marks))


@pytest.mark.parametrize("name", ["pearmut-annotations.json", "pearmut-annotations.jsonl"])
def test_every_trap_is_refused_or_reported(name: str) -> None:
    folder, everything = real_case("genmt-wmt26-sample"), expected_of("genmt-wmt26-sample")
    outcome = load(folder / name, folder / "pearmut-campaign.json", source_language="en", target_language="de")
    expected, report = everything["annotations"], outcome.report
    assert {key: report[key] for key in expected} == expected
    for key in ("documents", "segments", "annotators"):
        assert report[key] == everything["campaign"][key]
    assert sum(any(part in note for part in ("left out", "kept", "widened")) for note in report["notes"]) == 7
    means = {system: pytest.approx(tuple(each), abs=1e-6) for system, each in everything["system_mean_all"].items()}
    assert means_of() == means
    of_rest = Judgment.objects.filter(is_current=True).exclude(annotator__username="fir")
    assert of_rest.aggregate(sum=Sum("active_ms"))["sum"] == 1000 * everything["wmt26"]["seconds"]


def test_offsets_are_those_of_the_text_as_it_was_shown() -> None:
    folder, offsets = real_case("genmt-wmt26-sample"), expected_of("genmt-wmt26-sample")["offsets"]
    load(folder / "pearmut-annotations.json", folder / "pearmut-campaign.json")
    spans = ErrorSpan.objects.filter(
        judgment__annotator__username=offsets["annotator"],
        translation__system__name=offsets["system"],
        translation__segment__document__name=offsets["document"],
        translation__segment__name=str(offsets["segment"]),
    ).select_related("translation")
    texts = {len(span.translation.text or "") for span in spans}
    assert texts == {offsets["length_code_points"]}
    shown = sorted((span.start, span.end, span.category, span.severity) for span in spans)
    expected = [
        (one.get("start", 0), one.get("end", 0), one.get("tag", ""), one["severity"]) for one in offsets["spans"]
    ]
    assert shown == sorted(expected)


def test_what_was_read_comes_back_from_our_own_file(unpacked: tuple[Path, Path], tmp_path: Path) -> None:
    """With other identifiers: the first import is still there."""
    first = load(*unpacked).campaign
    path = tmp_path / "judgments.csv"
    path.write_bytes(b"".join(export_rows(first, "csv")))
    again = import_judgments(path, format="assay-csv", name="Again").campaign
    assert again.protocol == "cesa"
    assert spans_of(again) == spans_of(first)


def spans_of(campaign: Campaign) -> list[list[str]]:
    text = b"".join(export_rows(campaign, "spans-csv")).decode()
    return [row[1:] for row in csv.reader(io.StringIO(text))]


def test_key_order_is_the_order_of_columns_and_a_screen_done_twice_is_revised(tmp_path: Path) -> None:
    texts = segment(Heron="Eins.", Rook="Zwei.")
    first = record((texts, {"Heron": cell(90), "Rook": cell(85)}))
    last = record((texts, {"Rook": cell(95), "Heron": cell(100)}))
    outcome = load(write(tmp_path / "a.json", first, last))
    assert outcome.report["revisions_superseded"] == 1
    assert list(Judgment.objects.order_by("revision").values_list("revision", "is_current")) == [(1, False), (2, True)]
    assert list(Slot.objects.values_list("label", "system__name")) == [("A", "Rook"), ("B", "Heron")]
    assert {name: mean for name, (mean, *_n) in means_of().items()} == {"Rook": 95, "Heron": 100}


def test_times_of_a_screen_are_shared_by_its_segments(tmp_path: Path) -> None:
    actions = [{"time": 1_780_000_000.0 + after, "action": "score"} for after in (0, 10, 100.5)]
    rows = [(segment(number, Heron=f"{number}."), {"Heron": cell(90)}) for number in range(3)]
    load(write(tmp_path / "a.json", record(*rows, actions=actions)))
    sums = Judgment.objects.aggregate(elapsed=Sum("elapsed_ms"), active=Sum("active_ms"))
    assert sums == {"elapsed": 100_500, "active": 70_000}
    assert {moment.timestamp() for moment in Judgment.objects.values_list("submitted_at", flat=True)} == {1780000100.5}


def test_the_log_of_each_screen_is_stored_and_gives_the_time_of_a_score() -> None:
    folder, expected = real_case("genmt-wmt26-sample"), expected_of("genmt-wmt26-sample")
    campaign = load(folder / "pearmut-annotations.json", folder / "pearmut-campaign.json").campaign
    analyses = analyse(campaign, recipe="wmt26", analyses=["ranking", "campaign_table"])["analyses"]
    row, ranking = analyses["campaign_table"], analyses["ranking"]
    for name in ("annotations", "seconds_per_annotation"):
        assert row[name] == pytest.approx(expected["wmt26"][name], abs=1e-6), name
    means = {
        one["system"]: (one["mean"], one["judgments"], one["segments"])
        for one in ranking["systems"]
        if one["measure"] == "score"
    }
    assert means == {
        system: pytest.approx(tuple(each), abs=1e-6) for system, each in expected["wmt26"]["system_mean"].items()
    }
    assert ranking["filter"]["threshold"] == expected["rater_filter"]["threshold"]
    for one in ranking["filter"]["annotators"]:
        own = expected["rater_filter"]["annotators"][one["annotator"]]
        assert {name: one[name] for name in own} == pytest.approx(own, abs=1e-6)
    logs = ActionLog.objects.count()
    counts = expected["annotations"]
    assert logs == counts["screens"] + counts["revisions_superseded"]


def test_without_a_log_no_time_of_a_score_is_known(unpacked: tuple[Path, Path]) -> None:
    campaign = load(*unpacked).campaign
    for filtered, of_case in (({}, "campaign_table_filtered"), ({"lowest_fit": "0"}, "campaign_table")):
        result = analyse(campaign, recipe="wmt26", analyses=["campaign_table"], options=filtered)
        row = result["analyses"]["campaign_table"]
        assert row["seconds_per_annotation"] is None
        for name, value in expected_of("cesa-enja")[of_case].items():
            assert value is None or row[name] == pytest.approx(value, abs=1e-6), name


def test_means_by_place_and_width_are_the_published_ones(
    unpacked: tuple[Path, Path], django_assert_num_queries: Any
) -> None:
    campaign = load(*unpacked).campaign
    with django_assert_num_queries(2):
        read_places(campaign)
    everybody = {"lowest_fit": "0"}
    result = analyse(campaign, recipe="wmt26", analyses=["places"], options=everybody)["analyses"]["places"]
    means = {f"{row['width']}:{row['place']}": (row["mean"], row["scores"]) for row in result["rows"]}
    expected = expected_of("cesa-enja")["mean_by_width_and_position"]
    assert means == {place: pytest.approx(tuple(each), abs=1e-6) for place, each in expected.items()}


def test_an_action_is_stored_with_its_row_and_slot_and_exported(tmp_path: Path) -> None:
    actions = [
        {"time": 1_780_000_000.5, "action": "load"},
        {"time": 1_780_000_002.0, "action": "score", "index": 1, "model": "Rook", "value": 90},
        {"time": 1_780_000_003.0, "action": "create_span", "index": 0, "model": "Gull", "start_i": 0, "end_i": 2},
        {"time": 1_780_000_004.0, "action": {}, "index": True},
        {"action": "submit"},
        7,
    ]
    rows = [(segment(place, Heron="Eins.", Rook="=Zwei."), {"Heron": cell(90), "Rook": cell(90)}) for place in (0, 1)]
    campaign = load(write(tmp_path / "a.json", record(*rows, actions=actions))).campaign
    assert ActionLog.objects.get().actions == [
        [1780000000500, "load"],
        [1780000002000, "score", 1, "B", 90],
        [1780000003000, "create_span", 0],
        [1780000004000, "other"],
    ]
    lines = list(csv.DictReader(io.StringIO(b"".join(export_rows(campaign, "actions-csv")).decode())))
    assert [(line["time"], line["action"], line["segment"], line["system"], line["value"]) for line in lines[:2]] == [
        ("2026-05-28T20:26:40.500000Z", "load", "", "", ""),
        ("2026-05-28T20:26:42Z", "score", "1", "Rook", "90"),
    ]
    [first, *_rest] = b"".join(export_rows(campaign, "actions-jsonl")).decode().splitlines()
    assert json.loads(first) | {"judgment": ""} == {
        "judgment": "", "annotator": "ash", "document": "quay", "segment": None, "system": None, "slot": None,
        "time": "2026-05-28T20:26:40.500000Z", "action": "load", "value": None, "detail": None,
    }  # fmt: skip


def test_screens_of_one_document_stay_apart_with_their_columns_in_our_own_file(tmp_path: Path) -> None:
    one = record((segment(Heron="Eins.", Rook="Zwei."), {"Rook": cell(90), "Heron": cell(85)}))
    two = record((segment(Owl="Drei."), {"Owl": cell(90)}))
    first = load(write(tmp_path / "a.json", one, two)).campaign
    written = b"".join(export_rows(first, "csv"))
    screens = {
        (line["screen"], line["column"], line["system"]) for line in csv.DictReader(written.decode().split("\r\n"))
    }
    assert screens == {("1", "1", "Rook"), ("1", "2", "Heron"), ("2", "1", "Owl")}
    shown = list(Slot.objects.order_by("pk").values_list("item__block", "columns"))
    path = tmp_path / "judgments.csv"
    path.write_bytes(written)
    again = import_judgments(path, format="assay-csv", name="Again").campaign
    own = Slot.objects.filter(item__assignment__campaign=again).order_by("pk")
    assert list(own.values_list("item__block", "columns")) == shown


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (7, "A record must be a JSON object"),
        ({"user_id": 7}, "name of its annotator"),
        (record((segment(Heron="a"), {}), annotation=[]), "one annotation for each segment"),
        (record(({"item_id": "x", "tgt": "a"}, {})), "needs `item_id`, `tgt`"),
        (record((segment(Heron="a"), [])), "needs `item_id`, `tgt`"),  # type: ignore[arg-type]
        (record((segment(Heron=7), {})), "must be texts"),
        (record((segment(0, Heron="a"), {}), (segment(1, Rook="b"), {})), "the same systems"),
        (record((segment(Heron="Eins.", Rook="2"), {"Heron": cell(120)})), "from 0 to 100"),
        (
            record(({**segment(Heron="Eins."), "src": "Another."}, {"Heron": cell(90)}), user_id="b"),
            "differs from line 1",
        ),
        (record((segment(Heron="Other."), {"Heron": cell(90)}), user_id="b"), "another translation"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_record(tmp_path: Path, wrong: object, message: str) -> None:
    good = record((segment(Heron="Eins."), {"Heron": cell(90)}))
    with pytest.raises(ImportFileError, match=message) as refused:
        load(write(tmp_path / "a.json", good, wrong))
    assert "line 2" in str(refused.value)
    assert not Campaign.objects.exists()


def marked(score: int | None, *marks: tuple[int, int, str | None]) -> dict[str, Any]:
    spans = [{"start_i": start, "end_i": end, "severity": "Major", "category": name} for start, end, name in marks]
    return {"score": score, "error_spans": spans, "textfield": "Odd."}


@pytest.mark.parametrize(
    ("protocol", "kept", "value"),
    [
        ("ESA", {"spans": [(0, 2, None), (5, 5, None)], "score": 40}, 40.0),
        ("MQM", {"spans": [(0, 2, "accuracy/wrong-meaning"), (5, 5, "accuracy")]}, None),
        ("DA", {"score": 40}, 40.0),
    ],
)
def test_answers_of_other_protocols_are_stored_as_these_store_them(
    tmp_path: Path, protocol: str, kept: dict[str, Any], value: float | None
) -> None:
    info = {"protocol": protocol, "special_tokens": ["[missing]"], "mqm_categories": {"Accuracy": ["Wrong meaning"]}}
    (tmp_path / "campaign.json").write_text(json.dumps({"campaign_id": "c", "info": info}))
    answer = marked(None if value is None else 40, (0, 1, "Accuracy/Wrong meaning"), (5, 5, "Accuracy"))
    path = write(tmp_path / "a.json", record((segment(Heron="Eins."), {"Heron": answer})))
    outcome = load(path, tmp_path / "campaign.json")
    judgment = Judgment.objects.get()
    slot = judgment.answer["slots"]["A"]
    spans = [(each["start"], each["end"], each.get("category")) for each in slot.get("spans", ())]
    assert ({**slot, "spans": spans} if spans else slot) == kept
    assert judgment.answer["comment"] == "Odd."
    assert outcome.campaign.protocol == PROTOCOLS_HERE[protocol.lower()]
    assert list(Score.objects.filter(measure="score").values_list("value", flat=True)) == (
        [] if value is None else [value]
    )
    note = "Marks, left out because direct assessment has none: 2, in records 1."
    assert (note in outcome.report["notes"]) == (protocol == "DA")


def test_without_the_campaign_annotations_without_scores_are_mqm(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", record((segment(Heron="Eins."), {"Heron": marked(None, (0, 1, "Style"))})))
    assert load(path).campaign.protocol == "mqm"


def test_one_of_several_campaigns_is_chosen_by_its_id(tmp_path: Path) -> None:
    records = [record((segment(Heron="Eins."), {"Heron": cell(90)}))]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"one": records, "two": records}))
    campaigns = tmp_path / "c.json"
    campaigns.write_text(json.dumps([{"campaign_id": name, "info": {"special_tokens": []}} for name in ("one", "two")]))
    for campaign_id, message in (("", "--campaign-id. It has: one, two"), ("three", "no campaign “three”")):
        with pytest.raises(ImportFileError, match=message):
            load(path, campaigns, campaign_id=campaign_id)
    assert load(path, campaigns, campaign_id="two").created
    assert not load(path, campaigns, campaign_id="two").created


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "JSON"),
        ('{"campaign_id": "c", "info": {"protocol": "Likert"}}', "info.protocol"),
        ('{"campaign_id": "c", "info": {"special_tokens": "[missing]"}}', "special_tokens"),
    ],
)
def test_a_campaign_that_does_not_fit_is_refused_by_its_name(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "campaign.json").write_text(content)
    path = write(tmp_path / "a.json", record((segment(Heron="Eins."), {"Heron": cell(90)})))
    with pytest.raises(ImportFileError, match=message) as refused:
        load(path, tmp_path / "campaign.json")
    assert "campaign.json" in str(refused.value)


def test_the_command_reads_the_campaign_beside_the_annotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "campaign.json").write_text(
        json.dumps({"campaign_id": "c", "info": {"special_tokens": ["[missing]", "[wrong tone]", "[漏訳]"]}})
    )
    path = write(tmp_path / "a.json", record((segment(Heron="Eins."), {"Heron": cell(40, (6, 6), (7, 7))})))
    call_command(
        "import_judgments",
        str(path),
        *("--format", "pearmut", "--campaign", "Study", "--campaign-file", str(tmp_path / "campaign.json"), "--json"),
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["scores"], told["tags"]) == (1, {"wrong_tone": {"minor": 1}, "tag_3": {"minor": 1}})
    tags = Campaign.objects.get().options["tags"]
    assert [tag["name"] for tag in tags] == ["missing", "wrong_tone", "tag_3"]
    assert tags[2]["title"] == "漏訳"
