"""An invitation's page: opening the link changes nothing, only the button signs in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.protocols import protocol_for
from annotation.queries.progress import usual_task_size
from campaigns.actions.links import accept_invitation
from campaigns.models import Invitation, Role
from campaigns.queries import Ending, InvitationEnded, has_consented, open_invitation
from frontend.sessions import sign_in_by_link


@require_http_methods(["GET", "HEAD", "POST"])
def show_invitation(request: HttpRequest, secret: str) -> HttpResponse:
    try:
        if request.method == "POST":
            invitation = accept_invitation(secret=secret)
            first = resolve_url(*_first_page(invitation))
            response: HttpResponse = redirect(sign_in_by_link(request, invitation, first))
        else:
            response = render(request, "people/invitation.html", _context(open_invitation(secret)))
    except InvitationEnded as ended:
        response = _ended_page(request, ended.ending)
    # the address is the key: neither another host nor our own log may read it in a Referer
    response["Referrer-Policy"] = "strict-origin"
    return response


def _context(invitation: Invitation) -> dict[str, object]:
    campaign = invitation.campaign
    protocol = protocol_for(campaign.protocol, campaign.options)
    size = usual_task_size(campaign)
    return {
        "invitation": invitation,
        "campaign": campaign,
        "protocol": protocol,
        "judges": invitation.role == Role.ANNOTATOR,
        "size": size,
        "seconds": protocol.seconds_per_item * size,
    }


def _first_page(invitation: Invitation) -> tuple[str, ...]:
    """Annotators read the guidelines (and agree) first; they are sent on from there when they have."""
    if invitation.role == Role.ANNOTATOR and not has_consented(invitation.account, invitation.campaign):
        return ("annotator-guidelines", invitation.campaign.slug)
    return ("home",)


def _ended_page(request: HttpRequest, ending: Ending) -> HttpResponse:
    text = {
        Ending.UNKNOWN: _("Check that the whole link was copied. If it was, ask your organiser for a new one."),
        Ending.REVOKED: _("Your organiser has withdrawn it."),
        Ending.EXPIRED: _("The link has expired. Ask your organiser for a new one."),
        Ending.CLOSED: _("The campaign has closed."),
    }[ending]
    is_known = ending != Ending.UNKNOWN
    title = _("This invitation has ended") if is_known else _("Unknown invitation")
    context = {"title": title, "text": text, "ended": is_known}
    return render(request, "people/invitation_ended.html", context, status=410 if is_known else 404)
