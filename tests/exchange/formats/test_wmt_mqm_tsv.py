"""Small MQM ratings in WMT's format: invented sentences, systems and raters."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ErrorSpan, Judgment
from annotation.taxonomies.typology import written_category
from campaigns.models import Campaign, Segment, Translation
from campaigns.reading.problems import Problems
from exchange.formats.wmt_mqm_tsv import category_path, read_mqm_tsv
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from exchange.staging.judgments import JudgmentRow, Reading, TextRow

HEADER = "system doc doc_id seg_id rater source target category severity".replace(" ", "\t")
PLAIN = {
    "system": "Heron",
    "doc": "quay",
    "doc_id": "1",
    "seg_id": "11",
    "rater": "anna",
    "source": "The tide is out.",
    "target": "Die <v>Tiede</v> ist weg.",
    "category": "Fluency/Spelling",
    "severity": "Minor",
}
Write = Callable[..., Path]


def line(**changes: str) -> str:
    return "\t".join({**PLAIN, **changes}.values())


@pytest.fixture
def ratings(tmp_path: Path) -> Write:
    def write(*lines: str, header: str = HEADER) -> Path:
        path = tmp_path / "ratings.tsv"
        path.write_text("".join(f"{each}\n" for each in [*([header] if header else []), *lines]), encoding="utf-8")
        return path

    return write


def read(path: Path, **options: str) -> tuple[list[JudgmentRow], Reading]:
    reading = Reading(path, path.name, Problems(), **options)
    return [row for row in read_mqm_tsv(reading) if isinstance(row, JudgmentRow)], reading


def spans(row: JudgmentRow) -> list[dict[str, Any]]:
    marked: list[dict[str, Any]] = json.loads(row.answer)["slots"]["A"]["spans"]
    return marked


def marked(start: int, end: int, category: str, severity: str) -> dict[str, Any]:
    where = {"side": "target", "start": start, "end": end}
    return {**where, "category": category, "severity": severity, "note": ""}


def test_lines_of_one_rater_on_one_output_are_one_judgment_in_any_order(ratings: Write) -> None:
    first, second = read(
        ratings(
            line(),
            line(rater="ben"),
            line(target="Die Tiede ist <v>weg</v>.", category="Accuracy/Mistranslation", severity="major"),
        )
    )[0]
    assert (first.annotator, first.system, first.document, first.segment, first.protocol) == (
        "anna",
        "Heron",
        "quay",
        "1",
        "mqm",
    )
    assert (first.source, first.translation, first.line) == ("The tide is out.", "Die Tiede ist weg.", 2)
    assert spans(first) == [
        {"side": "target", "start": 4, "end": 9, "category": "fluency/spelling", "severity": "minor", "note": ""},
        {
            "side": "target",
            "start": 14,
            "end": 17,
            "category": "accuracy/mistranslation",
            "severity": "major",
            "note": "",
        },
    ]
    assert (second.annotator, len(spans(second))) == ("ben", 1)


def test_no_error_is_a_judgment_without_spans(ratings: Write) -> None:
    (row,), _ = read(ratings(line(target="Alles gut.", category="No-error", severity="No-error")))
    assert spans(row) == []


def test_an_error_may_be_in_the_source(ratings: Write) -> None:
    (row,), _ = read(ratings(line(source="The <v>tide</v> is out.", target="Weg.", category="Accuracy/Omission")))
    assert (row.source, spans(row)[0]["side"], spans(row)[0]["start"], spans(row)[0]["end"]) == (
        "The tide is out.",
        "source",
        4,
        8,
    )


def test_an_error_without_a_mark_is_stored_without_extent_and_noted(ratings: Write) -> None:
    (row,), reading = read(ratings(line(target="Die Tiede.", category="Style/Awkward")))
    assert (spans(row)[0]["start"], spans(row)[0]["end"]) == (0, 0)
    assert (
        "Errors without a marked place, put at the start of the translation: 1, in lines 2." in reading.problems.notes
    )


def test_a_non_translation_covers_the_whole_text(ratings: Write) -> None:
    (row,), reading = read(ratings(line(target="Die Tiede.", category="Non-translation!", severity="Major")))
    assert (spans(row)[0]["category"], spans(row)[0]["end"]) == ("non-translation", 10)
    assert reading.problems.notes == []


def test_an_unclosed_mark_is_read_and_noted(ratings: Write) -> None:
    (row,), reading = read(ratings(line(target="Die <v>Tiede.")))
    assert (spans(row)[0]["start"], spans(row)[0]["end"]) == (4, 10)
    assert reading.problems.notes == [
        "Errors without exactly one <v> and one </v>, read as well as possible: 1, in lines 2."
    ]


def test_quotation_marks_are_signs_like_others(ratings: Write) -> None:
    (row,), _ = read(ratings(line(source='"Out', target='<v>"Weg</v> ""')))
    assert (row.source, row.translation) == ('"Out', '"Weg ""')


def test_texts_are_compared_and_spans_moved_into_the_usual_one(ratings: Write) -> None:
    rows, reading = read(
        ratings(line(target="Die  <v>Tiede</v> ist weg."), line(rater="ben"), line(rater="cleo"), line(rater="dora"))
    )
    assert {row.translation for row in rows} == {"Die Tiede ist weg."}
    assert {(spans(row)[0]["start"], spans(row)[0]["end"]) for row in rows} == {(4, 9)}
    assert reading.problems.notes == [
        "Texts that differ from the same output in other lines: 1, in lines 2. "
        "Their spans were moved to the text of most lines."
    ]


def test_of_texts_that_differ_in_trailing_blanks_the_longest_is_stored(ratings: Write) -> None:
    cut = line(rater="ben", target="Die Tiede ist <v>weg.</v>")
    rows, reading = read(ratings(line(target="Die Tiede ist <v>weg. </v>"), cut, line(rater="cleo")))
    assert {row.translation for row in rows} == {"Die Tiede ist weg. "}
    assert [(spans(row)[0]["start"], spans(row)[0]["end"]) for row in rows] == [(14, 19), (14, 18), (4, 9)]
    assert reading.problems.notes[0].endswith("1, in lines 2. Their spans were moved to the text of most lines.")


def test_attention_checks_are_no_judgments(ratings: Write) -> None:
    rows, reading = read(ratings(line(), line(rater="ben", category="Missed", severity="HOTW-test")))
    assert len(rows) == 1
    assert reading.problems.notes == ["Attention checks (HOTW-test), left out because they are not judgments: 1."]


def test_categories_nobody_knows_are_imported_and_named(ratings: Write) -> None:
    (row,), reading = read(ratings(line(category="Seaworthiness/Leaks & drips")))
    assert spans(row)[0]["category"] == "seaworthiness/leaks-drips"
    assert reading.problems.notes == [
        "Categories that no typology of Assay has, weighted by severity alone: seaworthiness/leaks-drips (1)."
    ]


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("Accuracy/Mistranslation", "accuracy/mistranslation"),
        ("Locale convention/Date format", "locale-convention/date-format"),
        ("Other", "other"),
        ("Ошибка", "ошибка"),
    ],
)
def test_categories_become_paths(written: str, path: str) -> None:
    assert category_path(written) == path


@pytest.mark.parametrize(
    "header",
    [
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# see elsewhere",
        "#System\tDoc\tdoc_id\tseg_id\tRater\tSource\tTarget\tCategory\tSeverity\tcomment",
        "",
    ],
)
def test_headers_of_all_years_are_known(ratings: Write, header: str) -> None:
    (row,), reading = read(ratings(line(), header=header))
    assert (row.document, row.segment, row.annotator, reading.problems.count) == ("quay", "1", "anna", 0)
    assert reading.problems.notes == []


def test_columns_may_come_in_any_order_and_unknown_ones_are_named(ratings: Write) -> None:
    path = ratings(
        "minor\tfine\tOther\tanna\tDie Tide.\tquay\t7\tHeron",
        header="severity\tmood\tcategory\trater\ttarget\tdoc\tseg_id\tsystem",
    )
    (row,), reading = read(path)
    assert (row.segment, row.source, row.translation) == ("7", None, "Die Tide.")
    assert reading.problems.notes[0] == "Unknown columns, ignored: mood."


def test_comments_and_times_are_stored(ratings: Write) -> None:
    header = f"{HEADER}\tcomment\tmetadata"
    meta = '{"timestamp":1725456558197,"timing":{}}'
    (row,), _ = read(ratings(f"{line()}\ta typing slip\t{meta}", f"{line()}\t\t", header=header))
    assert [span["note"] for span in spans(row)] == ["a typing slip", ""]
    assert isinstance(row.submitted, datetime)
    assert row.submitted.isoformat() == "2024-09-04T13:29:18.197000+00:00"


def test_segments_are_read_in_their_order(ratings: Write) -> None:
    path = ratings(line(doc_id="10"), line(doc_id="9"), line(doc="bay"))
    texts = [row for row in read_mqm_tsv(Reading(path, path.name, Problems())) if isinstance(row, TextRow)]
    assert [(row.document, row.segment) for row in texts] == [("quay", "9"), ("quay", "10"), ("bay", "1")]


@pytest.mark.django_db
def test_every_bad_line_is_reported(ratings: Write) -> None:
    path = ratings(
        line(), line(severity="Dreadful"), line() + "\tmore", line(rater=" ", system=""), line(doc=""), "one"
    )
    with pytest.raises(ImportFileError) as refused:
        import_judgments(path, format="wmt-mqm-tsv", name="Quay")
    assert [problem.split(": ")[0] for problem in str(refused.value).splitlines()] == [
        "ratings.tsv, line 3, severity",
        "ratings.tsv, line 4",
        "ratings.tsv, line 5, system",
        "ratings.tsv, line 5, rater",
        "ratings.tsv, line 6, document",
        "ratings.tsv, line 7",
    ]
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    "title", ["Style/Unnatural or awkward", "Terminology/Inconsistent use of terminology", "Fluency/Display", "Other"]
)
def test_categories_are_written_again_in_the_words_of_the_file(title: str) -> None:
    """Though the campaign that was made of it has another typology, or none has them."""
    path = category_path(title)
    assert written_category(path, {}) == title
    assert written_category(path, {path: "As here"}) == "As here"


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["system\tdoc\tseverity", "one\ttwo\tthree", f"{HEADER}\tsystem"])
def test_a_file_of_another_shape_is_refused(ratings: Write, header: str) -> None:
    with pytest.raises(ImportFileError, match=r"has no column|not MQM ratings|occurs twice"):
        import_judgments(ratings(line(), header=header), format="wmt-mqm-tsv", name="Quay")


@pytest.mark.django_db
def test_what_was_read_is_stored(ratings: Write) -> None:
    no_error = line(segment="2", rater="anna", target="Gut.", category="No-error", severity="No-error", doc_id="2")
    outcome = import_judgments(
        ratings(line(), no_error.removesuffix("\t2")), format="wmt-mqm-tsv", name="Quay", target_language="de"
    )
    assert (outcome.campaign.protocol, outcome.report["judgments"], outcome.report["segments"]) == ("mqm", 2, 2)
    span = ErrorSpan.objects.get()
    assert (span.side, span.start, span.end, span.category, span.severity) == (
        "target",
        4,
        9,
        "fluency/spelling",
        "minor",
    )
    assert Judgment.objects.filter(error_spans=None).get().answer["slots"] == {"A": {"spans": []}}
    assert Segment.objects.get(name="1").source == "The tide is out."
    assert {each.text for each in Translation.objects.all()} == {"Die Tiede ist weg.", "Gut."}
