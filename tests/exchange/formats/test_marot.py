"""MQM ratings with JSON metadata: Marot's own columns, side by side, and marked again after an earlier rater."""

import gzip
import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from annotation.models import ErrorSpan
from campaigns.models import Campaign, Reference, Segment
from campaigns.reading.problems import Problems
from exchange.exports import export_rows
from exchange.formats.marot import COLUMNS, Mark, place_of, read_marot, read_side_by_side
from exchange.judgment_files import import_judgments
from exchange.reading import ImportFileError
from exchange.staging.judgments import JudgmentRow, Reading, TextRow
from metrics.statistics.mqm import Errors, penalties
from tests.metrics.real_campaigns import expected_of, real_case

CASE = "mqm-wmt23-ende-three-raters"
PLAIN = [
    "Heron",
    "quay",
    "1",
    "11",
    "anna",
    "The tide is out.",
    "Die <v>Tiede</v> ist weg.",
    "Fluency/Spelling",
    "Minor",
]
TOKENS = ["Die", " ", "Tiede", " ", "ist", " ", "weg", "."]


def line(metadata: object = None, **changes: str) -> str:
    cells = dict(zip(COLUMNS, PLAIN, strict=False)) | changes
    return "\t".join([*cells.values(), metadata if isinstance(metadata, str) else json.dumps(metadata or {})])


def written(folder: Path, *lines: str) -> Path:
    path = folder / "marot.tsv"
    path.write_text("".join(f"{each}\n" for each in ["\t".join(COLUMNS), *lines]), encoding="utf-8")
    return path


def read(path: Path, read: Any = read_marot) -> tuple[list[JudgmentRow], list[TextRow], Reading]:
    reading = Reading(path, path.name, Problems())
    rows = list(read(reading))
    judged = [row for row in rows if isinstance(row, JudgmentRow)]
    return judged, [row for row in rows if isinstance(row, TextRow)], reading


def test_metadata_give_note_time_languages_and_references(tmp_path: Path) -> None:
    segment = {"references": {"ref_B": "Es ist Ebbe."}, "metrics": {"MQM": 1, "BLEURT": 0.5}}
    about = {"timestamp": 1_780_000_000_000, "note": "a\tb", "segment": segment}
    about["evaluation"] = {"source_language": "en", "target_language": "de"}
    judged, texts, reading = read(written(tmp_path, line(about), line("an old note", rater="ben")))
    spans = [json.loads(row.answer)["slots"]["A"]["spans"][0]["note"] for row in judged]
    assert spans == ["a\tb", "an old note"]
    assert isinstance(judged[0].submitted, datetime)
    assert judged[0].submitted.timestamp() == 1_780_000_000
    assert (reading.source_language, reading.target_language) == ("en", "de")
    assert [(row.reference_name, row.reference) for row in texts if row.reference] == [("B", "Es ist Ebbe.")]
    assert any("BLEURT (1)" in note and "MQM" not in note for note in reading.problems.notes)


def test_a_line_without_a_rater_has_an_output_and_no_judgment(tmp_path: Path) -> None:
    nobody = {"system": "Kestrel", "rater": "", "category": "", "severity": "", "target": "Ebbe."}
    judged, texts, _reading = read(written(tmp_path, line(), line({"segment": {"metrics": {"x": 1}}}, **nobody)))
    assert [row.system for row in judged] == ["Heron"]
    assert ("Kestrel", "Ebbe.") in [(row.system, row.translation) for row in texts]


def test_all_that_is_wrong_is_reported_with_its_line_and_nothing_is_stored(tmp_path: Path, db: None) -> None:
    wrong = [
        line('{"a": 1'),
        line({"timestamp": "x"}),
        line('{"timestamp": NaN}'),
        line({"segment": {"references": ["x"]}}),
        line({"segment": {"references": {"A": 7}}}),
        line('{"note": "\\ud800"}'),
        line(severity="Awful"),
    ]
    with pytest.raises(ImportFileError) as refused:
        import_judgments(written(tmp_path, *wrong), format="marot", name="x")
    assert [str(refused.value).count(f"line {number}, ") for number in range(2, 9)] == [1] * 7
    assert not Campaign.objects.exists()


def test_outputs_side_by_side_are_slots_of_one_judgment(tmp_path: Path) -> None:
    lines = [
        line(system="Heron_with_Rook"),
        line(system="Rook", target="Weg.", category="No-error", severity="No-error"),
        line(system="Heron_with_Wren"),
        line(system="Heron_with_Rook", severity="Major"),
    ]
    judged, _texts, _reading = read(written(tmp_path, *lines), read_side_by_side)
    assert [(row.judgment, row.system, row.slot) for row in judged] == [
        ("2", "Heron", "A"),
        ("2", "Rook", "B"),
        ("4", "Heron_with_Wren", ""),
    ], "there is no Wren"
    assert [len(slot["spans"]) for slot in json.loads(judged[0].answer)["slots"].values()] == [2, 0]


def test_marks_of_an_earlier_rater_stay_beside_what_became_of_them(tmp_path: Path) -> None:
    mark = {"location": "translation", "start": 4, "end": 6, "type": "style", "subtype": "bad_sentence_structure"}
    mark |= {"severity": "major", "selected": "ist weg", "prefix": "Die Tiede "}
    about = {"prior_rater": "ben", "prior_error": mark, "segment": {"target_tokens": TOKENS}}
    deleted = [{**mark, "start": 0, "end": 0, "selected": "Die", "metadata": {"prior_rater": "ben"}}]
    rows, _texts, reading = read(written(tmp_path, line(about), line({"deleted_errors": deleted})), read_side_by_side)
    slot = json.loads(rows[0].answer)["slots"]["A"]
    category, severity = "style/bad-sentence-structure", "major"
    shared = {"side": "target", "category": category, "severity": severity, "rater": "ben"}
    assert [span.get("prior") for span in slot["spans"]] == [{**shared, "start": 10, "end": 17}, None]
    assert slot["deleted"] == [{**shared, "start": 0, "end": 3}]
    assert reading.counts["lines_with_earlier_marks"] == 2


def test_a_place_is_that_of_the_tokens_or_of_the_words() -> None:
    mark = Mark("", "target", 2, 2, "", "minor", "a")
    assert place_of(mark, "ba a", ["ba", " ", "a"]) == (3, 4)
    assert place_of(mark._replace(words="ba"), "ba a", ["b", "x", "a"]) == (0, 2), "tokens of another text"
    assert place_of(mark, "ba a", []) is None, "twice"


def test_the_published_file_gives_the_published_penalties_of_each_screen(tmp_path: Path) -> None:
    name = "sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv"
    (tmp_path / name).write_bytes(gzip.decompress((real_case(CASE) / f"{name}.gz").read_bytes()))
    rows, _texts, _reading = read(tmp_path / name, read_side_by_side)
    shown: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        shown[row.judgment].append(row.system)
    assert {len(systems) for systems in shown.values()} == {1, 2}
    marked = [json.loads(row.answer)["slots"][row.slot or "A"]["spans"] for row in rows]
    errors = [(number, span) for number, spans in enumerate(marked) for span in spans]
    categories, severities = ([span[name] for _number, span in errors] for name in ("category", "severity"))
    places = [number for number, _span in errors]
    values = penalties(Errors(categories, severities, places, len(rows)), weights="mt-metrics-eval")
    means: dict[str, list[float]] = defaultdict(list)
    for row, value in zip(rows, values.tolist(), strict=True):
        [other] = {*shown[row.judgment]} - {row.system} if row.system == "GPT4-5shot" else [""]
        means[f"{row.system}_with_{other}" if other else row.system].append(value)
    published = expected_of(CASE)["system_penalty"]
    assert {system: len(values) for system, values in means.items()} == dict.fromkeys(published, 312)
    assert {system: sum(values) / 312 for system, values in means.items()} == pytest.approx(published, abs=1e-6)


PLACES = ("judgment__annotator__username", "translation__segment__name", "translation__system__name", "side", "start")
MARKS = (*PLACES, "end", "category", "severity", "note", "judgment__submitted_at")


@pytest.mark.django_db
def test_a_published_file_comes_back_with_the_same_marks_texts_and_metrics(tmp_path: Path) -> None:
    path = tmp_path / "first.tsv"
    path.write_bytes(gzip.decompress((real_case(CASE) / "with_metadata.tsv.gz").read_bytes()))
    before = import_judgments(path, format="marot", name="First", source_language="en", target_language="de").campaign
    segment = Segment.objects.filter(document__test_set=before.test_set).earliest("document__position", "position")
    Reference.objects.create(segment=segment, name="B", text="Ein\tText")
    call_command("score_test_set", "First", "--metric", "chrf", verbosity=0)
    content = b"".join(export_rows(before, "marot"))
    (tmp_path / "second.tsv").write_bytes(content)
    outcome = import_judgments(tmp_path / "second.tsv", format="marot", name="Second")
    marks = [
        sorted(ErrorSpan.objects.filter(judgment__item__assignment__campaign=each).values_list(*MARKS))
        for each in (before, outcome.campaign)
    ]
    assert marks[0] == marks[1]
    assert len(marks[0]) > 500
    assert (outcome.campaign.test_set.source_language, outcome.campaign.test_set.target_language) == ("en", "de")
    texts = [Campaign.objects.get(name=name).test_set for name in ("First", "Second")]
    outputs = [
        sorted(each.systems.values_list("name", "translations__segment__source", "translations__text"))
        for each in texts
    ]
    assert outputs[0] == outputs[1]
    assert Reference.objects.get(segment__document__test_set=texts[1]).text == "Ein Text"
    assert any("chrf (10)" in note for note in outcome.report["notes"])
    rows = [line.split("\t") for line in content.decode().splitlines()]
    assert {len(row) for row in rows} == {10}
    values = [json.loads(row[9])["segment"]["metrics"]["chrf"] for row in rows[1:] if not row[4]]
    assert len(values) == 10
