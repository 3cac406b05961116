"""What lets one member in, and its end: signed out, removed from the campaign, the account closed."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.actions import remove_from_campaign, retire_account
from campaigns.actions import AccountError, may_end_access, sign_out_everywhere
from campaigns.models import Membership
from campaigns.queries import standing_sessions, standing_tokens
from frontend.access import RUNS_IT, SignedInRequest, get_campaign_for, get_member_of


@login_required
@require_safe
def member(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *RUNS_IT)
    shown = get_member_of(campaign, pk)
    sessions, tokens = standing_sessions(shown.account), standing_tokens(shown.account)
    context = {
        "campaign": campaign,
        "tab": "people",
        "organises": True,
        "member": shown,
        "links": campaign.invitations.filter(
            account=shown.account, role=shown.role, revoked_at=None, expires_at__gt=timezone.now()
        ).count(),
        "sessions": sessions.count(),
        "tokens": tokens.count(),
        "last_used_at": max(
            filter(None, (each.aggregate(last=Max("last_used_at"))["last"] for each in (sessions, tokens))),
            default=None,
        ),
        "may_end": may_end_access(shown.account, request.user),
        "is_self": shown.account == request.user,
    }
    return render(request, "organiser/member.html", context)


@login_required
@require_POST
def sign_out_member(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        ended = sign_out_everywhere(account=shown.account, by=request.user, campaign=shown.campaign)
        message = ngettext(
            "%(name)s is signed out: %(count)d session or token has ended.",
            "%(name)s is signed out: %(count)d sessions and tokens have ended.",
            ended.sessions + ended.tokens,
        )
        return message % {"name": shown.account, "count": ended.sessions + ended.tokens}

    return _ended(request, slug, pk, end)


@login_required
@require_POST
def remove(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        remove_from_campaign(membership=shown, by=request.user)
        message = _(
            "%(name)s is no longer part of this campaign. Their unfinished tasks go to the next annotators who ask."
        )
        return message % {"name": shown.account}

    return _ended(request, slug, pk, end)


@login_required
@require_POST
def close(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        retire_account(account=shown.account, by=request.user, campaign=shown.campaign)
        return _("The account of %(name)s is closed.") % {"name": shown.account}

    return _ended(request, slug, pk, end)


def _ended(request: SignedInRequest, slug: str, pk: int, end: Callable[[Membership], str]) -> HttpResponse:
    """`end` says what it did; back to the list, or to where it says why not."""
    shown = get_member_of(get_campaign_for(request.user, slug, *RUNS_IT), pk)
    try:
        messages.success(request, end(shown))
    except AccountError as error:
        messages.error(request, str(error))
        return redirect("organiser-member", slug=slug, pk=pk)
    if shown.account == request.user:  # who signed out or removed themselves may no longer read the list
        return redirect("home")
    return redirect("organiser-people", slug=slug)
