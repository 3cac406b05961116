"""Which answers browsers and proxies may store: only those that are the same for everybody."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# By the names of their addresses. Style sheets, scripts and pictures do not come this far: WhiteNoise answers them.
THE_SAME_FOR_EVERYBODY = frozenset({"api-schema", "organiser-sample"})

NextLayer = Callable[[HttpRequest], HttpResponse]


def keep_nothing(get_response: NextLayer) -> NextLayer:
    """Nearly every page contains names or results, so a new page is not stored unless it is listed above."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is None or match.url_name not in THE_SAME_FOR_EVERYBODY:
            response["Cache-Control"] = "no-store"
        return response

    return answer
