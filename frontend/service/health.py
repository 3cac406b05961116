"""Whether this process can do its work, and whether there is room to write; no other details."""

import time

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from campaigns.disk_space import is_disk_full, try_to_write

TRIED_EVERY = 5.0  # seconds: anybody may ask, and a trial costs some milliseconds
_tried = {"at": -TRIED_EVERY}


@require_safe
def health(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view is handed one
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
        if time.monotonic() - _tried["at"] >= TRIED_EVERY:
            try_to_write()
            _tried["at"] = time.monotonic()
    except (DatabaseError, OSError) as error:
        return JsonResponse({"status": "disk full" if is_disk_full(error) else "unavailable"}, status=503)
    return JsonResponse({"status": "ok"})
