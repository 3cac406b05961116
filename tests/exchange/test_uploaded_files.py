import pytest

from exchange.uploaded_files import FileSide, guess_side, with_sides


@pytest.mark.parametrize(
    ("file_name", "side"),
    [
        ("source.uk.txt", FileSide("source")),
        ("src.txt", FileSide("source")),
        ("reference.A.en.txt", FileSide("reference", "A")),
        ("reference.en.txt", FileSide("reference", "A")),
        ("ref.txt", FileSide("reference", "A")),
        ("system.ARC-NKUA.en.txt", FileSide("system", "ARC-NKUA")),
        ("documents.txt", FileSide("documents")),
        ("Online-B.txt", FileSide("system", "Online-B")),
        ("Heron.v2.de.txt", FileSide("system", "Heron.v2")),
        ("questions.csv", FileSide("questions")),
        ("questions.de.jsonl", FileSide("questions")),
        ("news.en-de.csv", FileSide("whole")),
        ("newstest.XML", FileSide("whole")),
    ],
)
def test_a_files_name_tells_its_side(file_name: str, side: FileSide) -> None:
    assert guess_side(file_name) == side


def test_a_choice_wins_over_the_guess() -> None:
    files = [{"name": "source.txt"}, {"name": "Heron.txt"}]
    sided = with_sides(files, {1: FileSide("reference", " B ")})
    assert [(file["side"], file["side_name"]) for file in sided] == [("source", ""), ("reference", "B")]


def test_an_unknown_side_leaves_the_file_out() -> None:
    assert with_sides([{"name": "a.txt"}], {0: FileSide("../etc")})[0]["side"] == "none"
