"""Alignments of words in a file: stored with their translation, written again, or refused with their line."""

import json
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Translation
from exchange.converting import Conversion, converted_test_set
from exchange.formats.parallel_text import ImportFiles
from exchange.formats.test_set_lines import MOST_PAIRS
from exchange.staging.test_set import open_spool
from exchange.test_set_files import import_test_set, inspect


def line(alignments: object, **more: Any) -> str:
    segment = {
        "document": "d",
        "segment": 1,
        "source": "All is\u00a0well.",
        "translations": {"Heron": "Alles gut.", "Rook": ""},
        "alignments": alignments,
    }
    return json.dumps({**segment, **more}, ensure_ascii=False) + "\n"


def written(tmp_path: Path, *lines: str) -> ImportFiles:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return ImportFiles(path=path)


def refused(tmp_path: Path, alignments: object, **more: Any) -> list[str]:
    problems = inspect(written(tmp_path, line(alignments, **more)), format="jsonl").problems
    assert all(problem.line == 1 for problem in problems.listed)
    return [f"{each.column}: {each.message} ({each.value})" for each in problems.listed]


@pytest.mark.django_db
def test_they_are_stored_each_pair_once(tmp_path: Path) -> None:
    files = written(tmp_path, line({"Heron": " 0-0  2-1 0-0", "Rook": ""}), line({"Heron": None}, segment=2))
    import_test_set(files, name="Set", source_language="en", target_language="de", format="jsonl")
    stored = Translation.objects.order_by("segment__position", "system__name").values_list("alignment", flat=True)
    assert list(stored) == ["0-0 2-1", None, None, None]


def test_jsonl_keeps_them_and_tables_say_what_they_lose(tmp_path: Path) -> None:
    files = written(tmp_path, line({"Heron": "0-0 2-1"}, translations={"Heron": "Alles gut."}))
    assert files.path
    with open_spool() as spool:
        kept = converted_test_set(Conversion(files.path, "jsonl"), spool)
        assert json.loads(b"".join(kept.pieces))["alignments"] == {"Heron": "0-0 2-1"}
    with open_spool() as spool:
        lost = converted_test_set(Conversion(files.path, "csv"), spool).losses
    assert lost == ["Segments whose alignments are left out: 1."]


def test_every_error_is_told_with_its_place(tmp_path: Path) -> None:
    assert refused(tmp_path, {"Heron": "0-0 3-1 0:1 x 1-2", "Crow": "0-0"}) == [
        "alignments.Heron: Each pair must be two token numbers, from 0, and a hyphen between them: 0-0 1-2. (0:1 x)",
        "alignments.Heron: The source has no such token: it has 3, counted from 0. (3-1)",
        "alignments.Heron: The translation has no such token: it has 2, counted from 0. (1-2)",
        "alignments: This system has an alignment but no translation. (Crow)",
    ]


@pytest.mark.parametrize("wrong", ["0-0", ["0-0"], {"Heron": ["0-0"]}, {"Heron": 3}])
def test_what_is_no_object_of_texts_is_refused(tmp_path: Path, wrong: object) -> None:
    [problem] = refused(tmp_path, wrong)
    assert problem.startswith("alignments: This must be an object of texts by system.")


def test_there_are_at_most_so_many(tmp_path: Path) -> None:
    words = " ".join("a" for _ in range(MOST_PAIRS + 1))
    pairs = " ".join(f"0-{place}" for place in range(MOST_PAIRS + 1))
    assert refused(tmp_path, {"Heron": pairs}, translations={"Heron": words}) == [
        "alignments.Heron: 5001 pairs. Give at most 5000. ()"
    ]


def test_it_is_noted_where_only_some_outputs_have_one(tmp_path: Path) -> None:
    texts = {"Heron": "Alles gut.", "Rook": "Gut."}
    files = written(tmp_path, *(line({"Rook": "2-0"}, translations=texts, segment=number) for number in range(3)))
    [note] = inspect(files, format="jsonl").problems.notes
    assert "there, none are shown" in note
