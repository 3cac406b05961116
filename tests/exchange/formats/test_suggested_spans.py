"""Errors suggested by a file: stored with their translation, or refused with their line."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import SuggestedSpan
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.test_set_files import import_test_set, inspect

TEXT = "Alles e\u0301 👩‍👩‍👧 gut."


def line(suggested: object, **more: Any) -> str:
    segment: Mapping[str, Any] = {
        "document": "d",
        "segment": 1,
        "source": "All is well.",
        "translations": {"Heron": TEXT, "Rook": "Gut."},
        "suggested": suggested,
    }
    return json.dumps({**segment, **more}, ensure_ascii=False) + "\n"


def written(tmp_path: Path, *lines: str) -> ImportFiles:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return ImportFiles(path=path)


def spans(*listed: Mapping[str, Any], system: str = "Heron") -> dict[str, list[Mapping[str, Any]]]:
    return {system: list(listed)}


@pytest.mark.django_db
def test_they_are_stored_in_code_points_of_the_text(tmp_path: Path) -> None:
    start = TEXT.index("👩")
    suggested = [
        {"start": start, "end": start + 5, "severity": "Minor", "category": "style/awkward"},
        {"start": len(TEXT), "end": len(TEXT), "severity": "major"},
        {"side": "source", "start": 0, "end": 3, "severity": "neutral"},
    ]
    files = written(tmp_path, line(spans(*suggested)))
    import_test_set(files, name="Set", source_language="en", target_language="de", format="jsonl")
    stored = list(SuggestedSpan.objects.order_by("pk").select_related("translation__system"))
    assert {span.translation.system.name for span in stored} == {"Heron"}
    assert [(span.side, span.start, span.end, span.severity, span.category) for span in stored] == [
        ("target", start, start + 5, "minor", "style/awkward"),
        ("target", len(TEXT), len(TEXT), "major", ""),
        ("source", 0, 3, "neutral", ""),
    ]
    text = stored[0].translation.text
    assert text is not None
    assert text[stored[0].start : stored[0].end] == "👩‍👩‍👧"


OK = {"start": 0, "end": 3, "severity": "minor"}


@pytest.mark.parametrize(
    ("suggested", "message"),
    [
        ([OK], "object of lists"),
        ({"Heron": OK}, "object of lists"),
        (spans(OK, system="Wren"), "but no translation"),
        ({"Heron": ["all"]}, "must be an object with start"),
        (spans({**OK, "end": len(TEXT) + 1}), "within the text"),
        (spans({**OK, "start": 4}), "within the text"),
        (spans({**OK, "start": -1}), "within the text"),
        (spans({**OK, "side": "source", "end": 13}), "within the text"),
        (spans({**OK, "start": 0.5}), "whole numbers"),
        (spans({**OK, "end": True}), "whole numbers"),
        (spans({**OK, "severity": "grave"}), "severity must be one of"),
        (spans({"start": 0, "end": 3}), "severity must be one of"),
        (spans({**OK, "side": "left"}), "target or source"),
        (spans({**OK, "category": 7}), "category must be a text"),
        (spans({**OK, "weight": 5}), "Unknown key"),
        (spans(*[OK] * 501), "at most 500"),
    ],
)
def test_errors_are_reported_with_their_lines(tmp_path: Path, suggested: object, message: str) -> None:
    inspection = inspect(written(tmp_path, line({}), line(suggested, segment=2)), format="jsonl")
    assert [(problem.line, message in problem.message) for problem in inspection.problems.listed] == [(2, True)]
    assert inspection.problems.listed[0].column.startswith("suggested")


@pytest.mark.django_db
def test_nothing_is_stored_by_halves(tmp_path: Path) -> None:
    files = written(tmp_path, line(spans(OK)), line(spans({**OK, "end": 99}), segment=2))
    with pytest.raises(ImportFileError, match="line 2"):
        import_test_set(files, name="Set", source_language="en", target_language="de", format="jsonl")
    assert not SuggestedSpan.objects.exists()
