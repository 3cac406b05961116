"""An invitation's page: opening the link changes nothing, only the button signs in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
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
        response = _accepted(request, secret) if request.method == "POST" else _invitation_page(request, secret)
    except InvitationEnded as ended:
        response = _ended_page(request, ended.ending)
    # the address is the key: neither another host nor our own log may read it in a Referer
    response["Referrer-Policy"] = "strict-origin"
    return response


def _invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    return render(request, "people/invitation.html", _shown(open_invitation(secret)))


def _accepted(request: HttpRequest, secret: str) -> HttpResponse:
    invitation = accept_invitation(secret=secret)
    sign_in_by_link(request, invitation)
    return redirect(*_first_page(invitation))


def _shown(invitation: Invitation) -> dict[str, object]:
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
    if ending == Ending.UNKNOWN:
        title = _("Unknown invitation")
        text = _("Check that the whole link was copied. If it was, ask your organiser for a new one.")
    else:
        title = _("This invitation has ended")
        text = {
            Ending.REVOKED: _("Your organiser has withdrawn it."),
            Ending.EXPIRED: _("The link has expired. Ask your organiser for a new one."),
            Ending.CLOSED: _("The campaign has closed."),
        }[ending]
    status = 404 if ending == Ending.UNKNOWN else 410
    return render(
        request,
        "people/invitation_ended.html",
        {"title": title, "text": text, "ended": ending != Ending.UNKNOWN},
        status=status,
    )
