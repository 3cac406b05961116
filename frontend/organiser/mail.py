"""The page of a campaign's mail: who gets what, its texts with a preview, what is sent by itself, and the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from campaigns.actions.mail import (
    change_mail_settings,
    change_mail_text,
    is_mail_on,
    mail_settings_of,
    restore_mail_text,
    send_again,
)
from campaigns.invalid_input import InvalidInput
from campaigns.mail_texts import BODY_LIMIT, SUBJECT_LIMIT, Template, check_template, placeholders_of, usual_template
from campaigns.models import Campaign, Mail, MailKind
from exchange.tables.csv_and_json import csv_pieces, csv_text
from frontend.access import RUNS_IT, SignedInRequest, get_mail_in
from frontend.campaign_pages import FORM, ErrorsShown, campaign_page, campaign_view, show_by_field
from frontend.downloads import CSV_TYPE, attachment, csv_file
from frontend.sorting import Sorted, SortKey, changed, unknown_order
from metrics.actions.mailing import DAYS, SENT_BY_HAND, TextToCopy, send_letters, texts_to_copy
from metrics.progress.letters import Letters
from metrics.progress.overview import STUCK_DAYS

TAB = "people"
ON_A_PAGE = 50
RECEIVER_COLUMNS = ("account", "name", "address", "done", "left", "days_idle", "last_message", "reason")
LOG_COLUMNS = (
    "message", "kind", "account", "name", "address", "subject", "stored_at", "attempts", "last_attempt_at", "status",
    "problem", "server_said",
)  # fmt: skip
_ORDERS = {"time": "pk", "kind": "kind", "name": "account__username", "status": "status"}


class TextForm(forms.Form):
    subject = forms.CharField(label=gettext_lazy("Subject"), max_length=SUBJECT_LIMIT)
    body = forms.CharField(
        label=gettext_lazy("Text"), max_length=BODY_LIMIT, widget=forms.Textarea({"rows": 12, "dir": "auto"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class MailSettingsForm(forms.Form):
    reply_to = forms.EmailField(
        label=gettext_lazy("Answers go to"),
        help_text=gettext_lazy("Without an address, to the address in your settings."),
        required=False,
        widget=forms.EmailInput({"dir": "ltr"}),
    )
    thanks = forms.BooleanField(label=gettext_lazy("Thank annotators when they are done"), required=False)
    digest = forms.BooleanField(label=gettext_lazy("Send organisers new alerts, at most once a day"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


@dataclass(frozen=True)
class MailPage:
    """What the page shows: one kind of message; forms with errors and a text that is looked at before it is stored."""

    request: SignedInRequest
    campaign: Campaign
    form: TextForm | None = None
    settings_form: MailSettingsForm | None = None
    draft: Template | None = None
    copied: Sequence[TextToCopy] = ()

    @cached_property
    def kind(self) -> MailKind:
        kind = self._query.get("kind", "")
        return MailKind(kind) if kind in MailKind.values else MailKind.INVITATION

    @cached_property
    def _query(self) -> QueryDict:
        return self.request.POST if self.request.method == "POST" else self.request.GET

    @cached_property
    def letters(self) -> Letters:
        days = self._query.get("days", "")
        number = int(days[:4]) if days.isdecimal() else STUCK_DAYS
        language = get_language() or settings.LANGUAGE_CODE
        return Letters(
            self.campaign, self.kind, language, self.request.user, min(max(number, DAYS[0]), DAYS[1]), draft=self.draft
        )

    @property
    def chosen(self) -> list[str]:
        return self.request.POST.getlist("to")

    @property
    def address(self) -> str:
        query = f"?kind={self.kind.value}" + (f"&days={self.letters.days}" if self.kind == MailKind.REMINDER else "")
        return f"{resolve_url('organiser-mail', self.campaign.slug)}{query}"

    def answer(self) -> HttpResponse:
        own = self.letters.own_texts.get(self.kind)
        text = Template(own.subject, own.body) if own else usual_template(self.kind, self.letters.language)
        stored = mail_settings_of(self.campaign)
        values = {"reply_to": stored.reply_to, "thanks": stored.thanks_since, "digest": stored.sends_digest}
        form = self.form or TextForm(initial={"subject": text.subject, "body": text.body})
        settings_form = self.settings_form or MailSettingsForm(initial=values)
        context = {
            "kind": self.kind,
            "kinds": MailKind,
            "is_on": is_mail_on(),
            "sender": settings.DEFAULT_FROM_EMAIL,
            "by_hand": self.kind in SENT_BY_HAND,
            "days": self.letters.days,
            "days_limits": DAYS,
            "receivers": self.letters.receivers,
            "has_own_text": own is not None,
            "placeholders": [f"{{{name}}}" for name in placeholders_of(self.kind)],
            "preview": self._preview,
            "texts": self.copied,
            "texts_csv": _texts_csv(self.copied),
            "text_form": form,
            "settings_form": settings_form,
            "form": settings_form if self.settings_form else form,
        }
        return campaign_page(self.request, self.campaign, "organiser/mail.html", TAB, context)

    @property
    def _preview(self) -> Any:
        """To the named receiver, else to the first; None where there is nobody."""
        receivers, name = self.letters.receivers, self._query.get("preview", "")
        named = (each.letter for each in receivers if each.account.username == name)
        return next(named, receivers[0].letter if receivers else None)


@campaign_view(RUNS_IT, FORM)
def mail(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """`act` says which of the page's forms was sent."""
    page = MailPage(request, campaign)
    acts = {
        "send": _send,
        "copy": _copy,
        "save": _save,
        "preview": _look,
        "restore": _restore,
        "settings": _change_settings,
    }
    act = acts.get(request.POST.get("act", ""))
    return act(page) if act else page.answer()


def _send(page: MailPage) -> HttpResponse:
    with ErrorsShown(page.request):
        stored = send_letters(page.letters, page.chosen)
        sentence = ngettext(
            "%(count)d message waits to be sent.", "%(count)d messages wait to be sent.", stored.messages
        )
        messages.success(page.request, sentence % {"count": stored.messages})
        for account, reason in stored.left_out:
            messages.warning(page.request, f"{account}: {reason.label}")
    return redirect(page.address)


def _copy(page: MailPage) -> HttpResponse:
    """With new links, which are on the page that answers and on no other."""
    with ErrorsShown(page.request):
        return replace(page, copied=texts_to_copy(page.letters, page.chosen)).answer()
    return redirect(page.address)


def _save(page: MailPage) -> HttpResponse:
    form = TextForm(page.request.POST)
    if form.is_valid():
        try:
            change_mail_text(campaign=page.campaign, kind=page.kind, by=page.request.user, **form.cleaned_data)
        except InvalidInput as error:
            show_by_field(form, error)
        else:
            messages.success(page.request, _("The text is saved."))
            return redirect(f"{page.address}#text")
    return replace(page, form=form).answer()


def _look(page: MailPage) -> HttpResponse:
    """What is typed, as the receiver would read it; nothing is stored."""
    form = TextForm(page.request.POST)
    if form.is_valid():
        subject, body = form.cleaned_data["subject"], form.cleaned_data["body"]
        try:
            check_template(page.kind, subject, body)
        except InvalidInput as error:
            show_by_field(form, error)
        else:
            return replace(page, form=form, draft=Template(subject, body)).answer()
    return replace(page, form=form).answer()


def _restore(page: MailPage) -> HttpResponse:
    restore_mail_text(campaign=page.campaign, kind=page.kind, by=page.request.user)
    messages.success(page.request, _("The usual text is sent again."))
    return redirect(f"{page.address}#text")


def _change_settings(page: MailPage) -> HttpResponse:
    form = MailSettingsForm(page.request.POST)
    if form.is_valid():
        change_mail_settings(campaign=page.campaign, by=page.request.user, **form.cleaned_data)
        messages.success(page.request, _("Saved."))
        return redirect(page.address)
    return replace(page, settings_form=form).answer()


@campaign_view(RUNS_IT)
def receivers_csv(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    letters = MailPage(request, campaign).letters
    rows = (
        (
            each.account.username,
            each.account.name,
            each.account.email,
            each.done,
            each.left,
            each.days_idle,
            each.last_at.isoformat() if each.last_at else "",
            each.hindrance or "",
        )
        for each in letters.receivers
    )
    return csv_file(f"{campaign.slug}-{letters.kind.value}", RECEIVER_COLUMNS, rows)


def _texts_csv(texts: Sequence[TextToCopy]) -> str:
    rows = ((str(each.account), each.account.email, each.subject, each.body) for each in texts)
    return csv_text(("name", "address", "subject", "text"), rows)


# --- log --------------------------------------------------------------------------------------------------------------
@campaign_view(RUNS_IT)
def log(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    order = Sorted([], {name: SortKey(lambda row: row[0]) for name in _ORDERS}, request.GET, "log", usual="-time")
    page = Paginator(_log_rows(campaign, order), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "headings": order.headings,
        "unknown_order": unknown_order([order], request.GET),
        "page": page,
        "paged_query": changed(request.GET, page=""),
        "days": settings.MAIL_DAYS,
        "is_on": is_mail_on(),
    }
    return campaign_page(request, campaign, "organiser/mail_log.html", TAB, context)


@campaign_view(RUNS_IT, FORM)
def message(request: SignedInRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """One message as it is stored: without its personal link, and without how to have no more."""
    own = get_mail_in(campaign, pk)
    if request.method == "POST":
        with ErrorsShown(request):
            send_again(mail=own, by=request.user)
            messages.success(request, _("The message waits to be sent again. Reload this page in a moment."))
        return redirect("organiser-mail-log", campaign.slug)
    return campaign_page(request, campaign, "organiser/mail_message.html", TAB, {"mail": own, "is_on": is_mail_on()})


@campaign_view(RUNS_IT)
def log_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponseBase:
    """Written while it is read."""
    pieces = csv_pieces(LOG_COLUMNS, _log_lines(campaign))
    return StreamingHttpResponse(pieces, content_type=CSV_TYPE, headers=attachment(f"{campaign.slug}-mail.csv"))


def _log_rows(campaign: Campaign, order: Sorted) -> QuerySet[Mail]:
    field = _ORDERS[order.current.removeprefix("-")]
    first = f"-{field}" if order.current.startswith("-") else field
    return campaign.mails.select_related("account").defer("body").order_by(first, "-pk")


def _log_lines(campaign: Campaign) -> Iterator[list[str]]:
    for each in campaign.mails.select_related("account").defer("body").iterator(chunk_size=1_000):
        yield [
            str(each.public_id),
            each.kind,
            each.account.username,
            each.account.name,
            each.address,
            each.subject,
            each.created_at.isoformat(),
            str(each.attempts),
            each.last_attempt_at.isoformat() if each.last_attempt_at else "",
            each.status,
            each.problem,
            each.server_said,
        ]
