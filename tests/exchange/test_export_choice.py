"""Files of some judgments, with codes, as JSON lines; and the size of a file before it is written."""

import csv
import io
import json

from django.utils import timezone

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.models import Judgment
from campaigns.models import Campaign, CrowdPlace
from exchange import export_sizes, exported_judgments
from exchange.export_formats import ExportRefusedError, choice_of
from exchange.export_sizes import measured
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.exports import FORMATS, export_rows
from exchange.tables.csv_and_json import json_lines
from tests.cast import Cast
from tests.exchange.judged_campaign import make_judged
from tests.rows_made_once import made_once
from tests.sample_crowd import make_crowd

stored, cast, test_set, judged = made_once(make_judged)


def table_of(campaign: Campaign, format: str, choice: ExportChoice = EVERYTHING) -> list[dict[str, str]]:
    text = b"".join(export_rows(campaign, format, choice)).decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_codes_replace_names_the_same_way_in_each_file_and_each_time(judged: Campaign, cast: Cast) -> None:
    choice = choice_of(judged, codes=True)
    names = {cast.annotator.username, cast.second_annotator.username}
    plain, coded = table_of(judged, "csv"), table_of(judged, "csv", choice)
    codes = {each["annotator"] for each in coded}
    assert not codes & names
    assert len(codes) == len({each["annotator"] for each in plain})
    assert {each["annotator"] for each in table_of(judged, "spans-csv", choice_of(judged, codes=True))} <= codes
    assert len(coded) == len(plain)


def test_labels_of_a_crowd_are_columns_for_who_asks_for_them(judged: Campaign, cast: Cast) -> None:
    crowd = make_crowd(judged, parameters={"land": "country"})
    place = judged.memberships.get(account=cast.annotator)
    labels = {"study": "S,1", "country": "=DE"}
    CrowdPlace.objects.create(crowd=crowd, membership=place, participant="P1", labels=labels, joined_at=timezone.now())
    assert not any(column.startswith("label") for column in table_of(judged, "csv")[0])
    rows = table_of(judged, "csv", choice_of(judged, labels=True))
    of_first = {row["annotator"] == cast.annotator.username: row for row in rows}
    assert list(of_first[True])[-3:] == ["label.participant", "label.study", "label.country"]
    assert list(of_first[True].values())[-3:] == ["P1", "S,1", "'=DE"]
    assert list(of_first[False].values())[-3:] == ["", "", ""]
    (first, *_others) = export_rows(judged, "jsonl", choice_of(judged, labels=True))
    assert "label.country" in first.decode()
    with pytest.raises(ExportRefusedError):
        choice_of(judged, labels=True, codes=True)


def test_who_was_left_out_is_left_out_of_every_file(judged: Campaign, cast: Cast) -> None:
    exclude_annotator(campaign=judged, annotator=cast.annotator, reason="A test.", by=cast.organiser)
    choice = choice_of(judged, only_included=True)
    left, everybody = table_of(judged, "csv", choice), table_of(judged, "csv")
    assert [each for each in everybody if each["annotator"] != cast.annotator.username] == left
    assert left != everybody
    judged.protocol = "mqm"
    assert cast.annotator.username not in b"".join(export_rows(judged, "wmt-mqm-tsv", choice)).decode().split("\t")


def test_a_sample_of_several_pieces_is_exported_like_one(judged: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [*Judgment.objects.filter(item__assignment__campaign=judged).order_by("pk").values_list("pk", flat=True)]
    assert len(keys) > 4
    sample = ExportChoice(sample=frozenset(keys[1:4]))
    whole = [table_of(judged, format, sample) for format in ("csv", "spans-csv")]
    assert whole[0]
    monkeypatch.setattr(exported_judgments, "NAMED_AT_ONCE", 2)
    assert [table_of(judged, format, sample) for format in ("csv", "spans-csv")] == whole
    assert table_of(judged, "csv", ExportChoice(sample=frozenset())) == []


def test_json_lines_and_the_table_have_the_same_content(judged: Campaign) -> None:
    lines = [json.loads(line) for line in b"".join(export_rows(judged, "jsonl")).decode().splitlines()]
    table = table_of(judged, "csv")
    assert len(lines) == len(table)
    for line, row in zip(lines, table, strict=True):
        assert list(line) == list(row)
        assert line["value"] == (float(row["value"]) if row["value"] else None)
        assert json.dumps(line["answer"], sort_keys=True) == json.dumps(json.loads(row["answer"]), sort_keys=True)


def test_json_lines_hold_texts_as_they_are() -> None:
    (line,) = b"".join(json_lines(("translation", "value", "seconds"), [["'=1+1", "1e-05", ""]])).splitlines()
    assert json.loads(line) == {"translation": "=1+1", "value": 1e-05, "seconds": None}


@pytest.mark.parametrize(
    "format", [name for name, made in FORMATS.items() if not made.same_as and made.protocols is None]
)
def test_the_size_of_a_small_file_is_exact(judged: Campaign, format: str) -> None:
    measurement = measured(judged, format, EVERYTHING)
    content = b"".join(export_rows(judged, format))
    assert measurement is not None
    if format == "xlsx":
        assert abs(measurement.size - len(content)) < 50
        assert not measurement.is_exact
    else:
        assert (measurement.size, measurement.is_exact) == (len(content), True)
    if format.endswith("csv"):
        assert measurement.rows == len(table_of(judged, format))


def test_the_size_of_a_large_file_is_estimated(judged: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_sizes, "SAMPLED", Judgment.objects.count() - 1)
    measurement = measured(judged, "csv", EVERYTHING)
    assert measurement is not None
    assert not measurement.is_exact
    assert measurement.rows == pytest.approx(len(table_of(judged, "csv")), rel=0.3)


@pytest.mark.parametrize("format", ["wmt-mqm-tsv", "wmt-mqm-tsv-guarded", "marot"])
def test_no_output_is_called_free_of_errors_where_nobody_marks_errors(judged: Campaign, format: str) -> None:
    with pytest.raises(ExportRefusedError, match="It takes: cesa, esa, mqm"):
        export_rows(judged, format)


FOREIGN = [name for name, made in FORMATS.items() if made.protocols is not None or name.startswith("wmt-")]


@pytest.mark.parametrize("format", FOREIGN)
def test_every_format_of_another_program_says_what_is_lost_in_it(judged: Campaign, format: str) -> None:
    assert FORMATS[format].losses(judged, EVERYTHING)


def test_judgments_without_an_equal_in_wmts_form_are_named(judged: Campaign) -> None:
    judged.protocol = "likert"
    assert "Judgments of this protocol" in FORMATS["wmt-genmt"].losses(judged, EVERYTHING)[0]
