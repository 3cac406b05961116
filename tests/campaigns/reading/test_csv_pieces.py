"""A CSV file by the piece: the same rows on the same lines as row by row, or none."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.reading import csv_pieces as module
from campaigns.reading.csv_pieces import BEGINNING, Place, csv_pieces, place_near
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import LONGEST_ROW, csv_rows

Numbered = list[tuple[int, list[str]]]
CONTENT = st.lists(st.sampled_from(["a", "é", ",", '"', '""', "\n", "\r\n", "\r", "\n\n", 'b,"c\nd"\n', "e,f\r\n"]))


def row_by_row(path: Path, place: Place = BEGINNING) -> tuple[Numbered, bool]:
    """And whether no row is broken."""
    rows: Numbered = []
    with path.open(encoding="utf-8", newline="") as stream:
        stream.seek(place.offset)
        try:
            for each in csv_rows(stream, "", Problems(), lines_before=place.lines, strict=True):
                rows.append(each)
        except UnreadableFileError:
            return rows, False
    return rows, True


def by_the_piece(path: Path, place: Place = BEGINNING, end: int | None = None) -> tuple[Numbered, Place]:
    rows: Numbered = []
    for piece in csv_pieces(path, place, end):
        rows += zip(piece.numbers, piece.rows, strict=True)
        place = piece.end
    return rows, place


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pieces") / "table.csv"


@given(content=CONTENT, size=st.integers(1, 12))
def test_pieces_have_the_rows_and_lines_that_the_file_has(path: Path, content: list[str], size: int) -> None:
    path.write_bytes("".join(content).encode())
    rows, is_sound = row_by_row(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", size)
        read, place = by_the_piece(path)
    assert read == rows[: len(read)]
    assert is_sound or place.offset < path.stat().st_size
    assert read + row_by_row(path, place)[0] == rows


@given(
    rows=st.lists(st.lists(st.text('aé",\n\r'), min_size=2), min_size=1),
    size=st.integers(1, 12),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_all_that_a_program_wrote_is_read_by_the_piece(path: Path, rows: list[list[str]], size: int, end: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", size)
        read, place = by_the_piece(path)
    assert [row for _number, row in read] == rows
    assert place.offset == path.stat().st_size


@given(content=CONTENT, offset=st.integers(0, 40), size=st.integers(1, 12))
def test_where_the_end_may_begin_lines_are_counted_as_they_are_read(
    path: Path, content: list[str], offset: int, size: int
) -> None:
    data = "".join(content).encode()
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", size)
        place = place_near(path, offset)
    if place is None:
        return
    assert place.offset >= offset
    assert data[: place.offset].endswith(b"\n")
    assert place.lines == len(data[: place.offset].decode().splitlines())
    read, end = by_the_piece(path, end=place.offset)
    if end == place:  # a row begins there: what is read from both sides is the file
        assert read + row_by_row(path, place)[0] == row_by_row(path)[0]
    else:
        assert end.offset < place.offset


def test_an_end_inside_of_a_row_is_not_reached(path: Path) -> None:
    path.write_bytes(b'a,b\n5" wide,"c\nd"\n')
    assert place_near(path, 5) == Place(15, 2)  # as if the mark of inches began a cell
    assert by_the_piece(path, end=15) == ([], BEGINNING)
    assert row_by_row(path)[0] == [(1, ["a", "b"]), (2, ['5" wide', "c\nd"])]


def test_a_mark_at_the_beginning_of_the_file_is_left_out(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf"a\nb",c\nd,e\n')
    assert by_the_piece(path)[0] == [(1, ["a\nb", "c"]), (3, ["d", "e"])]


def test_a_row_that_is_too_long_is_not_read(path: Path) -> None:
    path.write_bytes(b"a,b\n%b,%b\n" % (b"c" * (LONGEST_ROW // 2), b"d" * (LONGEST_ROW // 2)))
    assert row_by_row(path) == ([(1, ["a", "b"])], False)
    assert by_the_piece(path)[1].offset < path.stat().st_size
