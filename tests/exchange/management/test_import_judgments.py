import io
import json
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from exchange.management.commands.import_judgments import Command
from tests.exchange.judgments_file import write_file

pytestmark = pytest.mark.django_db


def run(path: Path, **options: object) -> tuple[str, str]:
    printed, notes = io.StringIO(), io.StringIO()
    call_command(
        "import_judgments", path, format="assay-csv", campaign="Harbour", stdout=printed, stderr=notes, **options
    )
    return printed.getvalue(), notes.getvalue()


def test_the_outcome_is_one_sentence(tmp_path: Path) -> None:
    printed, notes = run(write_file(tmp_path / "judgments.csv", [{"mood": "fine"}]))
    assert printed == "“Harbour”. Judgments: 1, annotators: 1, systems: 1, documents: 1, segments: 1.\n"
    assert "Unknown columns, ignored: mood." in notes


def test_json_is_one_object_and_the_only_thing_on_stdout(tmp_path: Path) -> None:
    printed, _notes = run(write_file(tmp_path / "judgments.csv", [{}]), json=True)
    assert json.loads(printed) == {
        "campaign": "harbour",
        "name": "Harbour",
        "created": True,
        "judgments": 1,
        "annotators": 1,
        "systems": 1,
        "documents": 1,
        "segments": 1,
        "rows": 1,
        "notes": [],
    }


def test_importing_the_same_file_again_is_noted(tmp_path: Path) -> None:
    path = write_file(tmp_path / "judgments.csv", [{}])
    run(path)
    assert "Nothing was changed" in run(path)[0]


def test_problems_are_printed_one_a_line(tmp_path: Path) -> None:
    path = write_file(tmp_path / "judgments.csv", [{"value": "x"}, {"kind": "y"}])
    with pytest.raises(CommandError) as refused:
        run(path)
    assert len(str(refused.value).splitlines()) == 2


def test_a_share_of_the_work_is_printed_when_it_has_grown() -> None:
    notes = io.StringIO()
    command = Command(stderr=notes)
    for share in (0.001, 0.002, 0.1, 0.101, 1.0, 1.0):
        command.report_progress(share)
    assert notes.getvalue().split() == ["0%", "10%", "100%"]
