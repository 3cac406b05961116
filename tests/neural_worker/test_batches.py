"""Batches by length, halved where memory does not suffice."""

from collections.abc import Callable, Sequence

import pytest

from neural_worker.batches import scored_in_batches
from neural_worker.conversation import Item, RequestError, Scored

ITEMS = [Item(number, "", "x" * length, ()) for number, length in enumerate([3, 9, 1, 7, 5, 8, 2, 6])]


def _scored(items: Sequence[Item]) -> list[Scored]:
    return [Scored(item.number, float(len(item.translation))) for item in items]


def _with_room_for(most: int, error: Callable[[], Exception]) -> Callable[[Sequence[Item]], list[Scored]]:
    def score(items: Sequence[Item]) -> list[Scored]:
        if sum(len(item.translation) for item in items) > most:
            raise error()
        return _scored(items)

    return score


def test_batches_are_of_similar_length_and_the_longest_come_first() -> None:
    batches = list(scored_in_batches(ITEMS, _scored, 3))
    assert [[each.score for each in batch] for batch in batches] == [[9, 8, 7], [6, 5, 3], [2, 1]]


class OutOfMemoryError(RuntimeError):
    """As torch calls it on a GPU."""


@pytest.mark.parametrize(
    "error",
    [
        MemoryError,
        lambda: OutOfMemoryError("CUDA"),
        lambda: RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_a_batch_is_halved_until_it_fits(error: Callable[[], Exception]) -> None:
    batches = list(scored_in_batches(ITEMS, _with_room_for(17, error), 8))
    assert [len(batch) for batch in batches] == [2, 2, 2, 2]
    assert sorted(each.number for batch in batches for each in batch) == list(range(8))


def test_one_segment_that_does_not_fit_is_an_error_for_the_operator() -> None:
    with pytest.raises(RequestError, match="not suffice for one segment of 9 characters") as caught:
        list(scored_in_batches(ITEMS, _with_room_for(8, MemoryError), 8))
    assert caught.value.code == "memory"


def test_another_error_is_not_tried_again() -> None:
    tried = []

    def score(items: Sequence[Item]) -> list[Scored]:
        tried.append(len(items))
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        list(scored_in_batches(ITEMS, score, 8))
    assert tried == [8]


def test_nothing_is_scored_where_there_is_nothing() -> None:
    assert list(scored_in_batches([], _scored, 8)) == []
