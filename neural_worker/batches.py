"""Items in batches of similar length; where memory does not suffice for a batch, in smaller ones."""

from collections.abc import Callable, Iterator, Sequence

from neural_worker.conversation import MEMORY, Item, RequestError, Scored

ScoreBatch = Callable[[Sequence[Item]], list[Scored]]
_SIGNS = ("out of memory", "can't allocate memory", "cannot allocate memory", "not enough memory")


def scored_in_batches(items: Sequence[Item], score: ScoreBatch, size: int) -> Iterator[list[Scored]]:
    """The longest first, so that memory is wanting at once or never. RequestError where it does not suffice for one."""
    waiting = sorted(items, key=lambda item: item.length, reverse=True)
    while waiting:
        batch = waiting[:size]
        try:
            scored = score(batch)
        except Exception as error:
            if not is_want_of_memory(error):
                raise
            if len(batch) == 1:
                message = f"Memory does not suffice for one segment of {batch[0].length:,} characters."
                raise RequestError(MEMORY, message) from error
            size = max(1, len(batch) // 2)
            continue
        del waiting[: len(batch)]
        yield scored


def is_want_of_memory(error: BaseException) -> bool:
    """torch says it by its own class on a GPU, and by words on a CPU."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return isinstance(error, RuntimeError) and any(sign in str(error).lower() for sign in _SIGNS)
