"""Which answers browsers and proxies may store: only those that are the same for everybody."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# By the names of their addresses. Style sheets, scripts and pictures do not come this far: WhiteNoise answers them.
THE_SAME_FOR_EVERYBODY = frozenset({"api-schema", "organiser-sample"})
# Pictures, sound and video: their own answers say for how long the browser of who may see them stores them.
STORED_BY_WHO_MAY_SEE = frozenset(
    {"annotator-medium", "researcher-medium", "api-medium", "annotator-captions", "researcher-captions"}
)

NextLayer = Callable[[HttpRequest], HttpResponse]


def keep_nothing(get_response: NextLayer) -> NextLayer:
    """Nearly every page contains names or results, so a new page is not stored unless it is listed above."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        name = match.url_name if match else None
        stores_itself = name in STORED_BY_WHO_MAY_SEE and response.has_header("Cache-Control")
        if name not in THE_SAME_FOR_EVERYBODY and not stores_itself:
            response["Cache-Control"] = "no-store"
        return response

    return answer
