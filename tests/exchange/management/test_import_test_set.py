import io
import json
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import TestSet

pytestmark = pytest.mark.django_db

GOOD = "document,segment,source,Heron\nd,1,One,Eins\nd,2,Two,Zwei\n"
BAD = GOOD + "d,3,,Drei\nd,1,One,Eins\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "set.csv"
    path.write_text(GOOD, encoding="utf-8")
    return path


def run(*arguments: object) -> str:
    out = io.StringIO()
    languages = ["--source-language", "en", "--target-language", "de"]
    call_command("import_test_set", *map(str, arguments), "--name", "set", *languages, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_the_outcome_is_printed(file: Path) -> None:
    assert run(file) == "Imported “set”: 1 documents, 2 segments, 1 systems, 0 references (csv).\n"
    assert run(file) == "“set” was imported from these very files before; nothing changed.\n"


def test_json_is_all_there_is_on_stdout(file: Path) -> None:
    outcome = json.loads(run(file, "--json"))
    assert outcome == {
        "test_set": "set",
        "created": True,
        "format": "csv",
        "documents": 1,
        "segments": 2,
        "questions": 0,
        "systems": ["Heron"],
        "references": [],
        "words": 2,
        "empty_outputs": {},
        "missing_outputs": {},
        "left_out": 0,
        "columns": {"document": "document", "segment": "segment", "source": "source", "Heron": "system:Heron"},
        "problems": [],
    }


def test_a_dry_run_stores_nothing(file: Path) -> None:
    assert run(file, "--dry-run").startswith("This would be imported: 1 documents, 2 segments")
    assert not TestSet.objects.exists()


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_every_problem_is_reported_with_how_to_go_on(file: Path, more: list[str]) -> None:
    file.write_text(BAD, encoding="utf-8")
    with pytest.raises(CommandError) as raised:
        run(file, *more)
    assert str(raised.value).splitlines() == [
        "set.csv, line 4, source: Empty source. Fill it in, or leave the segment out.",
        "set.csv, line 5, segment: Segment 1 occurs twice in “d”, first in line 2.",
        "Nothing was stored. --skip-bad-rows stores the other 2 segments.",
    ]
    assert not TestSet.objects.exists()


def test_bad_rows_are_left_out_on_request(file: Path) -> None:
    file.write_text(BAD, encoding="utf-8")
    assert run(file, "--skip-bad-rows").endswith("2 rows were left out.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give one FILE"),
        (["a.csv", "--source", "b.txt"], "not both"),
        (["--source", "a.txt", "--system", "b.txt"], "Name the system of b.txt"),
        (["gone.csv"], "cannot be read"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run(*arguments)
