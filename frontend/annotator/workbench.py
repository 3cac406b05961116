"""The page on which judging happens: everything the script needs to begin, and nothing it must not know."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from annotation.models import PROBLEM_REASONS
from annotation.protocols import protocol_for
from annotation.protocols.base import CANNOT_JUDGE_REASONS, Text
from campaigns.languages import language_direction, language_name
from campaigns.models import Account, Campaign
from campaigns.queries import has_consented
from frontend.access import SignedInRequest, get_assignment_for
from frontend.annotator.offline import KEEP_HEADER, permit_to_keep
from frontend.guideline_text import render_markdown
from frontend.words.catalogues import script_words

IDLE_SECONDS = 60  # without input for so long, time no longer counts as active: reading is work, a coffee is not


@login_required
@require_safe
def workbench(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment = get_assignment_for(request.user, pk)
    if not has_consented(request.user, assignment.campaign):
        return redirect("annotator-guidelines", assignment.campaign.slug)
    data = workbench_data(assignment.pk, assignment.campaign, request.user, review="review" in request.GET)
    permit = "" if data["review"] else permit_to_keep(request.user, assignment.campaign)
    context = {
        "campaign": assignment.campaign,
        "data": data | {"keeper": reverse("service-worker") if permit else None},
    }
    response = render(request, "annotator/workbench.html", context)
    if permit:
        response[KEEP_HEADER] = permit
    return response


def workbench_data(
    assignment: int | str, campaign: Campaign, account: Account, *, review: bool = False
) -> dict[str, Any]:
    """`assignment` is what the script asks the API for: a number, or the practice of a campaign."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    return {
        "assignment": assignment,
        "account": account.pk,
        "campaign": {
            "name": campaign.name,
            "slug": campaign.slug,
            "planning": campaign.planning,
            "protocol": protocol.name,
            "title": str(protocol.title),
            "options": asdict(protocol.options),
        },
        "source": _language(campaign.test_set.source_language),
        "target": _language(campaign.test_set.target_language),
        "guidelines": render_markdown(campaign.guidelines),
        "single_keys": account.single_keys,
        "idle_seconds": IDLE_SECONDS,
        "review": review,
        "urls": {
            "api": "/api/v1/",
            "home": reverse("home"),
            "sign_in": reverse("sign-in"),
            "settings": reverse("settings"),
            "guidelines": reverse("annotator-guidelines", args=[campaign.slug]),
        },
        "reasons": {"cannot_judge": _words(CANNOT_JUDGE_REASONS), "report": _words(PROBLEM_REASONS)},
        "catalogue": script_words(get_language() or ""),
    }


def _language(tag: str) -> dict[str, str]:
    return {"language": tag, "name": language_name(tag), "direction": language_direction(tag)}


def _words(texts: Mapping[str, Text]) -> dict[str, str]:
    return {key: str(text) for key, text in texts.items()}
