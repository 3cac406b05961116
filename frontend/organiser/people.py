"""Who is part of a campaign: invitations, members, and ending a member's access."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.contrib import messages
from django.db.models import Exists, Max, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters

from annotation.actions.returning import remove_from_campaign, retire_account
from annotation.protocols import PROTOCOLS
from annotation.queries.progress import planned_work
from campaigns.actions.accounts import rename_account
from campaigns.actions.endings import may_end_access, sign_out_everywhere
from campaigns.actions.enrolment import (
    Access,
    Admission,
    PeopleError,
    admit_waiting,
    invite_people,
    nameless,
    replace_password,
)
from campaigns.actions.links import renew_invitation, revoke_invitation
from campaigns.actions.mail import change_address
from campaigns.actions.memberships import allow_to_adjudicate
from campaigns.actions.questionnaires import let_in
from campaigns.languages import language_name
from campaigns.models import Campaign, Membership, Role
from campaigns.queries import open_sessions, people_waiting, screened_out_in, systems_of, valid_tokens
from campaigns.reading.people_list import list_in_file
from campaigns.reading.problems import Problems
from campaigns.site_address import site_address
from exchange.tables.csv_and_json import csv_text
from frontend.access import (
    RUNS_IT,
    SignedInRequest,
    get_annotator_of,
    get_invitation_in,
    get_member_of,
    get_researcher_of,
)
from frontend.campaign_pages import FORM, POST, ErrorsShown, campaign_page, campaign_view, signed_in
from frontend.organiser.people_form import ACCESS_CHOICES, PROBLEMS_SHOWN, InvitationForm
from frontend.templatetags.words import duration

LARGEST_LIST_FILE = 2_000_000  # bytes


@campaign_view(RUNS_IT)
def people(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    form = InvitationForm(campaign=campaign, initial={"access": request.GET.get("access", Access.LINK)})
    return _people_page(request, campaign, form)


@sensitive_post_parameters("people")
@campaign_view(RUNS_IT, POST)
def invite(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """New accounts with their links or passwords, shown once on the page, with the file to save beside it."""
    form = InvitationForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return _people_page(request, campaign, form)
    cleaned, role = form.cleaned_data, Role(form.cleaned_data["role"])
    people = form.people_listed or nameless(cleaned["count"])
    try:
        admitted = invite_people(
            campaign=campaign,
            people=people,
            by=request.user,
            role=role,
            access=cleaned["access"],
            are_programs=cleaned["are_programs"],
        )
    except PeopleError as error:  # somebody took a name in this very moment
        form.refuse_people(error.problems)
        return _people_page(request, campaign, form)
    return _shown_once(request, campaign, admitted)


@signed_in(POST)
def people_list(request: SignedInRequest) -> HttpResponse:
    """The list in a workbook as a text to be looked at; nothing is stored."""
    problems, text, file = Problems(), "", request.FILES.get("file")
    if file is None or (file.size or 0) > LARGEST_LIST_FILE:
        message = _("Choose a file of at most %(limit)d MB.") % {"limit": LARGEST_LIST_FILE // 1_000_000}
        problems.add("", None, "", message)
    else:
        with NamedTemporaryFile() as copy:
            copy.write(file.read())
            copy.flush()
            text = list_in_file(Path(copy.name), problems)
    if not problems.count:
        return HttpResponse(text, "text/plain; charset=utf-8")
    context = {"problems": problems.listed[:PROBLEMS_SHOWN], "total": problems.count, "is_of_list": True}
    return render(request, "organiser/problems_table.html", context, status=422)


@campaign_view(RUNS_IT, POST)
def admit(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """Links or passwords for those who were listed when the campaign was made."""
    access = request.POST.get("access", "")
    if access not in set(Access):
        return redirect("organiser-people", campaign.slug)
    return _shown_once(request, campaign, admit_waiting(campaign=campaign, access=Access(access), by=request.user))


@campaign_view(RUNS_IT, FORM)
def created(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The page of a new campaign: its people's links or passwords, made when it is first asked for, shown once."""
    access = request.POST.get("access", Access.LINK)
    admitted: list[Admission] = []
    if request.method == "POST" and access in set(Access):
        admitted = admit_waiting(campaign=campaign, access=Access(access), by=request.user)
    context = {
        **(_admitted_context(campaign, admitted) if admitted else {}),
        "protocol_title": PROTOCOLS[campaign.protocol].title,
        "work": planned_work(campaign),
        "system_count": systems_of(campaign).count(),
        "notes": campaign.test_set.report.get("notes", []),
    }
    return campaign_page(request, campaign, "organiser/created.html", "people", context)


@campaign_view(RUNS_IT, POST)
def new_password(request: SignedInRequest, campaign: Campaign, username: str) -> HttpResponse:
    annotator = get_annotator_of(campaign, username)
    with ErrorsShown(request):
        return _shown_once(request, campaign, [replace_password(campaign=campaign, account=annotator, by=request.user)])
    return redirect("organiser-people", campaign.slug)


@campaign_view(RUNS_IT, POST)
def renew(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """A lost link is replaced: the old one ends, the account and its work stay."""
    old = get_invitation_in(campaign, pk)
    with ErrorsShown(request):
        issued = renew_invitation(invitation=old, by=request.user)
        return _shown_once(request, campaign, [Admission(old.account, issued)])
    return redirect("organiser-people", campaign.slug)


@campaign_view(RUNS_IT, POST)
def revoke(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    invitation = get_invitation_in(campaign, pk)
    revoke_invitation(invitation=invitation, by=request.user)
    message = _("The link of %(name)s is revoked. Sessions, tokens and passwords created with it no longer work.")
    messages.success(request, message % {"name": invitation.account})
    return redirect("organiser-people", campaign.slug)


@campaign_view(RUNS_IT, POST)
def allow_adjudicating(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """`may` is yes or no; organisers always may."""
    researcher = get_researcher_of(campaign, pk)
    allow_to_adjudicate(membership=researcher, may=request.POST.get("may") == "yes", by=request.user)
    message = (
        _("%(name)s can now adjudicate.") if researcher.may_adjudicate else _("%(name)s can no longer adjudicate.")
    )
    messages.success(request, message % {"name": researcher.account})
    return redirect(f"{resolve_url('organiser-people', slug=campaign.slug)}#members")


def _shown_once(request: SignedInRequest, campaign: Campaign, admitted: list[Admission]) -> HttpResponse:
    shown = _admitted_context(campaign, admitted)
    return _people_page(request, campaign, InvitationForm(campaign=campaign), shown)


def _admitted_context(campaign: Campaign, admitted: list[Admission]) -> dict[str, Any]:
    """What is shown once of them, with a letter to each who has a link."""
    return {
        "admitted": admitted,
        "with_letters": list(zip(admitted, _letters(campaign, admitted), strict=True)),
        "with_links": any(each.link for each in admitted),
        "with_passwords": any(not each.link or each.password for each in admitted),
        "with_tokens": any(each.token for each in admitted),
        "sign_in": site_address(reverse("sign-in")),
        "admitted_csv": _admitted_csv(admitted),
    }


def _letters(campaign: Campaign, admitted: Sequence[Admission]) -> Iterator[str]:
    """The text of each invitation by link, in the organiser's language; empty for the others."""
    people = campaign.memberships.filter(role=Role.ANNOTATOR).count()
    test_set = campaign.test_set
    about = {
        "source": language_name(test_set.source_language),
        "target": language_name(test_set.target_language),
        "campaign": campaign.name,
        "time": duration(planned_work(campaign).seconds / max(1, people)),
    }
    for each in admitted:
        if each.issued is None:
            yield ""
            continue
        until = date_format(each.issued.invitation.expires_at, "DATE_FORMAT")
        paragraphs = [
            _("Hello %(name)s,") % {"name": each.account},
            _("please judge translations from %(source)s to %(target)s for us: %(campaign)s.") % about,
            _("It takes about %(time)s in all. You can stop at any time; every answer is saved at once.") % about,
            _("Your link, for you alone: %(link)s") % {"link": each.link},
            _("It works until %(date)s.") % {"date": until},
        ]
        yield "\n\n".join(paragraphs)


def _admitted_csv(admitted: list[Admission]) -> str:
    """Without columns that are empty in every row."""
    columns = {
        "annotator": [each.account.username for each in admitted],
        "name": [each.account.name for each in admitted],
        "email": [each.account.email for each in admitted],
        "link": [each.link for each in admitted],
        "password": [each.password for each in admitted],
        "token": [each.token for each in admitted],
    }
    filled = {column: cells for column, cells in columns.items() if any(cells)}
    return csv_text(list(filled), zip(*filled.values(), strict=True))


def _people_page(
    request: SignedInRequest, campaign: Campaign, form: InvitationForm, shown: Mapping[str, Any] | None = None
) -> HttpResponse:
    out = Exists(screened_out_in(OuterRef("account"), OuterRef("campaign")))
    members = campaign.memberships.select_related("account", "consented_by").order_by("role", "account__username")
    members = members.annotate(is_screened_out=out)
    invitations = campaign.invitations.select_related("account").order_by("account__username", "-created_at")
    context = {
        "form": form,
        "waiting": people_waiting(campaign),
        "access_choices": ACCESS_CHOICES,
        "invitations": invitations,
        "members": members,
        "removed": Membership.ever.filter(campaign=campaign, removed_at__isnull=False)
        .select_related("account")
        .order_by("role", "account__username"),
        "knows_more": any(member.account.email or member.account.languages for member in members),
        "now": timezone.now(),
        **(shown or {}),
    }
    return campaign_page(request, campaign, "organiser/people.html", "people", context)


@campaign_view(RUNS_IT)
def member(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    shown = get_member_of(campaign, pk)
    sessions, tokens = open_sessions(shown.account), valid_tokens(shown.account)
    context = {
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
        "may_rename": shown.account.made_for_id == campaign.pk,
        "may_end": may_end_access(shown.account, request.user),
        "is_self": shown.account == request.user,
        "is_screened_out": shown.role == Role.ANNOTATOR and screened_out_in(shown.account, campaign).exists(),
    }
    return campaign_page(request, campaign, "organiser/member.html", "people", context)


@campaign_view(RUNS_IT, POST)
def rename_member(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """A generated name, or a misspelt one, of an account that was made for this campaign."""
    shown = get_member_of(campaign, pk)
    with ErrorsShown(request):
        rename_account(account=shown.account, name=request.POST.get("name", ""), campaign=campaign, by=request.user)
        messages.success(request, _("The name is now %(name)s.") % {"name": shown.account})
    return redirect("organiser-member", campaign.slug, pk)


@campaign_view(RUNS_IT, POST)
def let_in_member(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Somebody who was screened out by an answer."""
    shown = get_member_of(campaign, pk)
    let_in(membership=shown, by=request.user)
    messages.success(request, _("%(name)s can judge now.") % {"name": shown.account})
    return redirect("organiser-member", campaign.slug, pk)


@campaign_view(RUNS_IT, POST)
def change_member_address(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    shown = get_member_of(campaign, pk)
    with ErrorsShown(request):
        address = request.POST.get("email", "")
        change_address(account=shown.account, address=address, campaign=campaign, by=request.user)
        messages.success(request, _("The address is saved."))
    return redirect("organiser-member", campaign.slug, pk)


@campaign_view(RUNS_IT, POST)
def sign_out_member(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        ended = sign_out_everywhere(account=shown.account, by=request.user, campaign=shown.campaign)
        message = ngettext(
            "%(name)s is signed out: %(count)d session or token has ended.",
            "%(name)s is signed out: %(count)d sessions and tokens have ended.",
            ended.sessions + ended.tokens,
        )
        return message % {"name": shown.account, "count": ended.sessions + ended.tokens}

    return _ended(request, campaign, pk, end)


@campaign_view(RUNS_IT, POST)
def remove(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        remove_from_campaign(membership=shown, by=request.user)
        message = _(
            "%(name)s is no longer part of this campaign. Their unfinished tasks go to the next annotators who ask."
        )
        return message % {"name": shown.account}

    return _ended(request, campaign, pk, end)


@campaign_view(RUNS_IT, POST)
def close(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    def end(shown: Membership) -> str:
        retire_account(account=shown.account, by=request.user, campaign=shown.campaign)
        return _("The account of %(name)s is closed.") % {"name": shown.account}

    return _ended(request, campaign, pk, end)


def _ended(request: SignedInRequest, campaign: Campaign, pk: int, end: Callable[[Membership], str]) -> HttpResponse:
    """`end` returns a message of its action; back to the list, with the message or with the error."""
    shown = get_member_of(campaign, pk)
    with ErrorsShown(request):
        messages.success(request, end(shown))
        if shown.account == request.user:  # who signed out or removed themselves may no longer read the list
            return redirect("home")
        return redirect("organiser-people", campaign.slug)
    return redirect("organiser-member", campaign.slug, pk)
