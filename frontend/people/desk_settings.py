"""Where the judging desk stores how its person set it."""

import json

from django.http import HttpResponse, JsonResponse

from campaigns.actions.desk_settings import set_desk
from campaigns.invalid_input import InvalidInput
from frontend.access import SignedInRequest
from frontend.campaign_pages import POST, signed_in


@signed_in(POST)
def desk_settings(request: SignedInRequest) -> HttpResponse:
    try:
        entered = json.loads(request.body)
        if not isinstance(entered, dict):
            raise ValueError
        set_desk(account=request.user, entered=entered)
    except InvalidInput as error:
        return JsonResponse({"errors": error.errors}, status=422)
    except ValueError:
        return JsonResponse({"errors": {"body": ["Not a JSON object."]}}, status=400)
    return HttpResponse(status=204)
