"""A crowd's link: opening it changes nothing, its button makes an account and shows the personal link once."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.protocols import protocol_for
from annotation.queries.crowd import Outcome, return_link
from annotation.queries.progress import usual_task_size
from campaigns.actions.crowds import JoiningRefused, Refused, check_joining, join_crowd
from campaigns.crowd_labels import Labels, read_labels
from campaigns.invalid_input import InvalidInput
from campaigns.models import Crowd, CrowdPlace
from campaigns.queries import crowd_with_key
from frontend.sessions import sign_in_by_link


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, key: str) -> HttpResponse:
    crowd = crowd_with_key(key)
    if crowd is None:
        return _page(request, _("Unknown link"), [_("Check that the whole link was copied.")], status=404)
    labels = Labels()
    try:
        labels = read_labels({name: request.GET.getlist(name) for name in request.GET}, crowd.parameters)
        if _is_here(request, crowd, labels):
            return redirect("campaign", crowd.campaign.slug)
        if request.method == "POST":
            return _joined(request, crowd, labels)
        check_joining(crowd, labels)
    except InvalidInput as error:
        return _unusable(request, error)
    except JoiningRefused as refused:
        return _refused(request, crowd, labels, refused.reason)
    return _guarded(render(request, "people/join.html", _context(crowd)))


def _unusable(request: HttpRequest, error: InvalidInput) -> HttpResponse:
    messages = [each for several in error.errors.values() for each in several]
    advice = _("Open the link again on the site that sent you. If it does not help, tell its organiser.")
    return _page(request, _("This link cannot be used"), [*messages, advice], status=400)


def _is_here(request: HttpRequest, crowd: Crowd, labels: Labels) -> bool:
    """Whether the session is of the person whom the link names, or of anybody of the crowd where it names nobody."""
    if not request.user.is_authenticated:
        return False
    own = CrowdPlace.objects.filter(crowd=crowd, membership__account=request.user, membership__removed_at=None)
    return own.filter(participant_key=labels.key).exists() if labels.key else own.exists()


def _joined(request: HttpRequest, crowd: Crowd, labels: Labels) -> HttpResponse:
    issued = join_crowd(crowd=crowd, labels=labels)
    sign_in_by_link(request, issued.invitation, resolve_url("home"))
    return _guarded(render(request, "people/joined.html", {"campaign": crowd.campaign, "link": issued.link}))


def _context(crowd: Crowd) -> dict[str, object]:
    campaign = crowd.campaign
    protocol = protocol_for(campaign.protocol, campaign.options)
    size = usual_task_size(campaign)
    return {"campaign": campaign, "size": size, "seconds": protocol.seconds_per_item * size}


def _refused(request: HttpRequest, crowd: Crowd, labels: Labels, reason: Refused) -> HttpResponse:
    title, texts = {
        Refused.TWICE: (
            _("You have begun already"),
            [
                _("Somebody with your participant ID has joined, so you cannot join a second time."),
                _("Go on in the browser in which you began, or open the personal link that was shown to you there."),
                _("If you have neither, write to the organiser, who can give you a new link."),
            ],
        ),
        Refused.FULL: (_("No place is left"), [_("Enough people take part already. Thank you for coming.")]),
        Refused.NOT_OPEN: (_("Not open now"), [_("Nobody can join at the moment. Try again later.")]),
        Refused.NO_PARTICIPANT: (
            _("This link cannot be used"),
            [_("It does not contain your participant ID."), _("Open the link again on the site that sent you.")],
        ),
    }[reason]
    link = return_link(crowd, labels, Outcome.FULL) if reason == Refused.FULL else None
    return _page(request, title, texts, link=link, status=400 if reason == Refused.NO_PARTICIPANT else 409)


def _page(request: HttpRequest, title: str, texts: list[str], *, status: int, link: object = None) -> HttpResponse:
    context = {"title": title, "texts": texts, "link": link}
    return _guarded(render(request, "people/join_refused.html", context, status=status))


def _guarded(response: HttpResponse) -> HttpResponse:
    """The address names a person: no other site may read it in a Referer."""
    response["Referrer-Policy"] = "strict-origin"
    return response
