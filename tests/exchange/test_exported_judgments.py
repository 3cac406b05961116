from exchange.exported_judgments import Follower


def test_rows_are_handed_out_by_their_key() -> None:
    follower = Follower([(1, "a"), (1, "b"), (4, "c")])
    assert [follower.rows_of(key) for key in (1, 2, 4, 5)] == [[("a",), ("b",)], [], [("c",)], []]


def test_rows_of_other_keys_are_skipped() -> None:
    follower = Follower([(1, "a"), (2, "b"), (3, "c")])
    assert follower.rows_of(3) == [("c",)]


def test_no_more_than_one_row_is_read_ahead() -> None:
    read: list[int] = []

    def rows() -> object:
        for key in range(5):
            read.append(key)
            yield (key,)

    follower = Follower(rows())  # type: ignore[arg-type]
    follower.rows_of(1)
    assert read == [0, 1, 2]
