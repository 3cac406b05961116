"""Room for all calls of a request in one piece of memory.

Python keeps the frames of calls in pieces of 16 kB and gives the last one back as soon as it is empty. Where a template
is nested so deeply that a loop in it begins at the end of a piece, each call in the loop asks the system for another
one and returns it: tables of thousands of cells took twice their time. A call that itself needs much room gets a large
piece, and all calls within it use the rest.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_PLACES = 17_000  # of 8 bytes: the piece for them has 256 kB, and as much is left as a thousand frames need

Answer = Callable[[HttpRequest], HttpResponse]


def room_for_calls(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponse:
        return with_room(get_response, request)

    return answer


def with_room(call: Answer, request: HttpRequest) -> HttpResponse:
    return call(request)


with_room.__code__ = with_room.__code__.replace(co_stacksize=_PLACES)
