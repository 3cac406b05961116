"""`wmt-genmt`: one pair of a file of many, joined with the systems' files; every problem with its place."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from exchange.formats.genmt_report import GenmtChoices, GenmtReport
from exchange.formats.parallel_text import ImportFiles
from exchange.test_set_files import Inspection, inspect
from tests import sample_media as sample
from tests.genmt_files import document, lines, output, write_lines

Look = Callable[..., Inspection]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """Reads documents and the outputs of Heron, or of the systems named."""

    def looked(documents: list[Mapping[str, Any]], *outputs: Mapping[str, Any], **choices: Any) -> Inspection:
        systems = choices.pop("systems", None) or {"Heron": list(outputs)}
        path = write_lines(tmp_path / "genmt.jsonl", *documents)
        files = {name: write_lines(tmp_path / f"{name}.jsonl", *own) for name, own in systems.items()}
        chosen = GenmtChoices(**{"source_language": "en", "target_language": "de"} | choices)
        return inspect(ImportFiles(path=path, systems=files, genmt=chosen))

    return looked


def report_of(inspection: Inspection) -> GenmtReport:
    assert inspection.genmt is not None
    return inspection.genmt


def problems(inspection: Inspection) -> list[str]:
    return [str(problem) for problem in inspection.problems.in_order]


def test_a_document_becomes_segments_with_their_outputs(look: Look) -> None:
    refs = {"refA": {"ref": "<p>1.</p>\n<p>2.</p>"}, "refB": "<p>I.</p>\n<p>II.</p>", "refC": None}
    inspection = look([document("d", refs=refs, title="ignored")], output("d"))
    assert problems(inspection) == []
    first, second = inspection.preview
    assert (first.document, first.segment, first.source, first.domain) == ("d", "1", "<p>One.</p>\n", "news")
    assert first.translations == {"Heron": "<p>Eins.</p>\n"}
    assert second.references == {"refA": "<p>2.</p>", "refB": "<p>II.</p>"}
    assert inspection.languages == {"source": "en", "target": "de"}


def test_files_are_joined_by_name_whatever_their_order(look: Look) -> None:
    inspection = look([document("a"), document("b")], output("b", "<p>B</p><p>b</p>"), output("a"))
    assert [record.translations["Heron"] for record in inspection.preview[::2]] == ["<p>Eins.</p>\n", "<p>B</p>"]


def test_a_name_in_two_domains_gets_its_domain(look: Look) -> None:
    own = [document("1"), document("1", domain="social"), document("2")]
    inspection = look(own, output("1"), output("2"), output("1", domain="social"))
    assert problems(inspection) == []
    assert [record.document for record in inspection.preview] == ["news/1", "news/1", "social/1"]


@pytest.mark.parametrize("missing", ["FAILED", "", "  \n", None])
def test_a_failed_or_empty_output_is_a_gap_of_its_system(look: Look, missing: str | None) -> None:
    inspection = look([document("a"), document("b")], output("a"), output("b") | {"hypothesis": missing})
    assert problems(inspection) == []
    assert report_of(inspection).failed_documents == {"Heron": ["b"]}
    assert inspection.missing_outputs == {"Heron": 2}
    assert inspection.empty_outputs == {}


def test_what_splitting_leaves_empty_is_an_empty_output(look: Look) -> None:
    inspection = look([document("d")], output("d", "Nur ein Satz ohne Absatz"))
    assert report_of(inspection).as_json()["kept_and_reported"]["empty_after_splitting"] == 1
    assert inspection.empty_outputs == {"Heron": 1}
    assert inspection.missing_outputs == {}


def test_json_is_aligned_by_whole_values(look: Look) -> None:
    source = '```json\n{"a": "One. Two.", "b": "Three", "c": "Four"}\n```'
    inspection = look([document("d", source)], output("d", '```json\n{"a": "Eins. Zwei.", "c": "Vier"}\n```'))
    parts = [record.translations["Heron"] for record in inspection.preview]
    assert "".join(parts) == '```json\n{"a": "Eins. Zwei.", "c": "Vier"}\n```'
    assert sum(not part for part in parts) == 1
    assert '```json\n{"a": "Eins. Zwei.",' in parts


def test_a_reference_is_aligned_too(look: Look) -> None:
    inspection = look([document("d", refs={"refA": "Eins. Zwei."})], output("d"))
    assert [record.references for record in inspection.preview] == [{"refA": "Eins. "}, {"refA": "Zwei."}]
    assert report_of(inspection).realigned_counts == {"refA": 1}


def test_each_way_to_split_is_followed(look: Look) -> None:
    old = {
        "doc_id": "en-de_DE_#_news_#_d",
        "src_lang": "en",
        "tgt_lang": "de_DE",
        "src_text": "One.\n\nTwo.",
        "refs": {},
    }
    own = {"doc_id": old["doc_id"], "hypothesis": "Eins.\n\nZwei."}
    assert look([old], own).segments == 2
    assert look([old], own, split="none").segments == 1
    assert look([document("d", "One.\n\nTwo.")], output("d", "Eins."), split="blank-lines").segments == 2


def test_every_wrong_line_is_reported_at_once_with_its_place(look: Look, tmp_path: Path) -> None:
    own = [
        document("a"),
        document("a"),
        document("b") | {"doc_id": "b"},
        document("c", "  "),
        document("d") | {"src_text": ["x"]},
        document("e") | {"tgt_lang": "ces_Latn"},
        document("f", refs={"refA": 1}),
        document("g", refs=["x"]),
        document("h", screenshot={"id": "x", "path": "../secret"}),
        document("i", "<p>a\u0007</p>"),
        {"src_text": "no name"},
    ]
    outputs = [
        output("a"),
        output("a"),
        {"doc_id": "WMT26_###_news_###_eng_Latn_###_deu_Latn_###_c"},
        output("d") | {"hypothesis": 3},
        output("i", "\u0007"),
    ]
    inspection = look(own, *outputs)
    assert [line.split(": ")[0] for line in problems(inspection)] == [
        "Heron.jsonl, line 2, doc_id",
        "Heron.jsonl, line 3",
        "Heron.jsonl, line 4, hypothesis",
        "Heron.jsonl, line 5, hypothesis",
        "genmt.jsonl, line 2, doc_id",
        "genmt.jsonl, line 3, doc_id",
        "genmt.jsonl, line 4, src_text",
        "genmt.jsonl, line 5, src_text",
        "genmt.jsonl, line 6, tgt_lang",
        "genmt.jsonl, line 7, refs.refA",
        "genmt.jsonl, line 8, refs",
        "genmt.jsonl, line 9, screenshot.path",
        "genmt.jsonl, line 10, src_text",
        "genmt.jsonl, line 11, doc_id",
    ]
    assert "first in line 1" in problems(inspection)[0]
    assert report_of(inspection).as_json()["refused"] == {"doubled_documents": 2, "unsafe_paths": 1}
    assert inspection.can_skip


def test_a_truncated_file_and_a_wrong_encoding_are_reported_by_line(tmp_path: Path) -> None:
    whole = lines(document("a"), document("b", "<p>Müde</p>"))
    cut = tmp_path / "cut.jsonl"
    cut.write_text(whole[:-40], encoding="utf-8")
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(lines(output("a"), output("b", "<p>Müde</p>")).encode("latin-1"))
    inspection = inspect(ImportFiles(path=cut, systems={"Heron": latin}, genmt=GenmtChoices("en", "de")))
    places = [(problem.file, problem.line) for problem in inspection.problems.in_order]
    assert places == [("cut.jsonl", 2), ("latin.jsonl", 2)]
    assert "Not UTF-8" in problems(inspection)[1]


def test_texts_of_other_pairs_are_not_checked(look: Look) -> None:
    other = document("x", target="jpn_Jpan") | {"src_text": None, "refs": 7}
    assert problems(look([document("a"), other], output("a"))) == []


def test_several_scripts_must_be_told_apart(look: Look) -> None:
    both = [document("a", target=code) for code in ("zho_Hans_CN", "zho_Hant_TW")]
    own = [output("a", target=code) for code in ("zho_Hans_CN", "zho_Hant_TW")]
    (problem,) = problems(look(both, *own, target_language="zh"))
    assert "zho_Hans_CN WMT26 (1), eng_Latn-zho_Hant_TW WMT26 (1)" in problem
    assert "zh-Hant" in problem
    inspection = look(both, *own, target_language="zh-Hant")
    assert problems(inspection) == []
    assert report_of(inspection).pair == "eng_Latn-zho_Hant_TW"
    assert report_of(inspection).other_pair == 1


def test_a_pair_that_is_not_chosen_is_a_question(look: Look) -> None:
    both = [document("a"), document("a", target="jpn_Jpan")]
    undecided = look(both, output("a"), source_language="", target_language="")
    assert report_of(undecided).is_undecided
    decided = look(both, output("a"), source_language="", target_language="", pair="eng_Latn-deu_Latn")
    assert problems(decided) == []
    against = look(both, output("a"), target_language="ja", pair="eng_Latn-deu_Latn")
    assert "eng_Latn-deu_Latn is not in the file, or is not en to ja" in problems(against)[0]


def test_other_sets_are_read_by_their_name_alone(look: Look) -> None:
    sets = [document("a"), document("b", set_name="SUITE"), document("c", set_name="OTHER")]
    assert report_of(look(sets, output("a"))).other_set == 2
    assert report_of(look(sets, output("b", set_name="SUITE"), set_name="SUITE")).set_name == "SUITE"
    assert "Choose a set" in problems(look(sets[1:], output("b", set_name="SUITE")))[0]
    assert "Choose a set" in problems(look(sets, output("a"), set_name="WMT27"))[0]


def test_outputs_of_unknown_documents_are_counted_and_left_out(look: Look) -> None:
    inspection = look([document("a")], output("a"), output("zz"), output("zz"))
    assert problems(inspection) == []
    assert report_of(inspection).unknown_documents == {"Heron": 2}


def test_files_that_do_not_belong_together_are_refused(look: Look, tmp_path: Path) -> None:
    alone = write_lines(tmp_path / "alone.jsonl", document("a"))
    assert "No file belongs to a system" in problems(inspect(ImportFiles(path=alone)))[0]
    assert "has no output for a document" in problems(look([document("a")], output("b")))[0]
    table = tmp_path / "set.csv"
    table.write_text("document,segment,source,Rook\nd,1,One,Eins\n", encoding="utf-8")
    heron = write_lines(tmp_path / "Heron.jsonl", output("a"))
    (problem,) = problems(inspect(ImportFiles(path=table, systems={"Heron": heron})))
    assert "Only wmt-genmt has a file for each system" in problem


def test_a_text_with_too_many_paragraphs_to_compare_is_refused_alone(look: Look) -> None:
    long = "<p>a</p>" * 1_500
    inspection = look([document("a"), document("long", long)], output("a"), output("long", long + "<p>b</p>"))
    (problem,) = problems(inspection)
    assert "Heron.jsonl, line 2, hypothesis: 1501 paragraphs for 1500 of the source" in problem
    assert inspection.missing_outputs == {"Heron": 1_500}


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    folder = tmp_path / "assets"
    (folder / "many").mkdir(parents=True)
    for number in (1, 2, 9, 10):
        (folder / "many" / f"many_{number}-anon.png").write_bytes(sample.png())
    (folder / "many" / "many_all-anon.png").touch()
    (folder / "talk.mp4").write_bytes(sample.mp4())
    (folder / "link.mp4").symlink_to("/etc/hostname")
    return folder


def test_pictures_are_counted_by_segment(look: Look, assets: Path) -> None:
    many = {"id": "many", "path": "many"}
    four = document("four", "<p>a</p><p>b</p><p>c</p><p>d</p>", screenshot=many, video={"id": "t", "path": "talk.mp4"})
    inspection = look([four, document("two", screenshot=many)], output("four"), output("two"), assets=assets)
    report = report_of(inspection).assets
    assert (report.images, report.missing, report.unequal) == (4, [], ["many"])
    assert report.unused == ["link.mp4", "many/many_all-anon.png"]
    assert "Not one picture for each segment, so none is used (1): many." in inspection.problems.notes
    assert [(file.document, file.segment, file.name) for file in report.files] == [
        ("four", "", "talk.mp4"),
        *(("four", str(place), f"many/many_{number}-anon.png") for place, number in enumerate((1, 2, 9, 10), start=1)),
    ]


def test_a_file_that_is_no_medium_is_a_problem_of_its_line(look: Look, assets: Path) -> None:
    (assets / "talk.mp4").write_bytes(b"<html>")
    inspection = look([document("a", video={"id": "t", "path": "talk.mp4"})], output("a"), assets=assets)
    (problem,) = problems(inspection)
    assert "line 1, video.path: This is not a PNG" in problem
    assert report_of(inspection).unsafe_paths == 0


@pytest.mark.parametrize(
    "path",
    ["../talk.mp4", "/etc/passwd", "many/../talk.mp4", "", "C:\\talk.mp4", "https://host/talk.mp4", "link.mp4", 7],
)
def test_a_path_that_leads_elsewhere_is_refused(look: Look, assets: Path, path: object) -> None:
    inspection = look([document("a", video={"id": "t", "path": path})], output("a"), assets=assets)
    assert {problem.column.split(".")[0] for problem in inspection.problems.listed} == {"video"}
    assert report_of(inspection).unsafe_paths == 1
    assert inspection.segments == 0


def test_media_without_a_folder_are_noted(look: Look) -> None:
    inspection = look([document("a", video={"id": "t", "path": "talk.mp4"}, evaluation_instruction="x")], output("a"))
    assert problems(inspection) == []
    assert any("by add_media" in note for note in inspection.problems.notes)
    assert any(
        "with an instruction, which annotators read above their text: 1." in note for note in inspection.problems.notes
    )
