import csv
from pathlib import Path

from benchmarks._judging.invented_texts import SYSTEM, texts, write_test_set


def test_the_texts_are_the_same_every_time_and_no_two_of_them_alike() -> None:
    assert texts(50) == texts(50)
    assert len({text for pair in texts(200) for text in pair}) == 400


def test_documents_have_the_segments_that_were_asked_for(tmp_path: Path) -> None:
    write_test_set(tmp_path / "set.csv", count=10, segments=5)
    with (tmp_path / "set.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["document"], row["segment"]) for row in rows[4:6]] == [("d000000", "5"), ("d000001", "1")]
    assert [(row["source"], row[f"system:{SYSTEM}"]) for row in rows] == texts(10)
