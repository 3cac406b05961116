"""What browsers and proxies may keep of what is answered here: nothing, but for what is the same for everybody."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# By the names of their addresses. Style sheets, scripts and pictures do not come this far: WhiteNoise answers them.
THE_SAME_FOR_EVERYBODY = frozenset({"api-schema", "organiser-sample"})

NextLayer = Callable[[HttpRequest], HttpResponse]


def keep_nothing(get_response: NextLayer) -> NextLayer:
    """Nearly every page names somebody, or shows results; one that is added is not kept unless it is named above."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        if match is None or match.url_name not in THE_SAME_FOR_EVERYBODY:
            response["Cache-Control"] = "no-store"
        return response

    return answer
