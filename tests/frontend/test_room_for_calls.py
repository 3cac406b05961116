"""No call of a request asks the system for memory of its own, however deep it is."""

import resource
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from frontend.room_for_calls import room_for_calls

CALLS, DEEPEST = 300, 250
FEW = 100  # pages of memory that other work may need meanwhile


def pages_taken(depth: int) -> int:
    """By calls that go no deeper than one step, from so many calls below."""
    if depth:
        return pages_taken(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _call in range(CALLS):
        inner()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def inner() -> None:
    one = two = three = four = None
    del one, two, three, four


def test_calls_at_any_depth_of_a_request_take_no_memory() -> None:
    taken: list[int] = []

    def view(_request: HttpRequest) -> HttpResponse:
        taken.extend(pages_taken(depth) for depth in range(DEEPEST))
        return HttpResponse()

    answer: Callable[[HttpRequest], HttpResponse] = room_for_calls(view)
    assert answer(HttpRequest()).status_code == 200
    assert max(taken) < FEW
