"""Texts of mail: the usual ones, placeholders that organisers may use, and how these are filled."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from campaigns.invalid_input import InvalidInput
from campaigns.models import MailKind, MailText

SUBJECT_LIMIT = 200
BODY_LIMIT = 10_000
LINK = "link"  # filled in the moment a message leaves
_PLACEHOLDER = re.compile(r"\{([^{}\n]*)\}")


class NoMail(models.TextChoices):
    """Why somebody gets no message."""

    NO_ADDRESS = "no_address", gettext_lazy("no e-mail address")
    STOPPED = "stopped", gettext_lazy("wants no more mail")
    HAS_ONE = "has_one", gettext_lazy("has one already: see what was sent")
    NOT_ALLOWED = "not_allowed", gettext_lazy("you may not open this account")


@dataclass(frozen=True)
class Template:
    subject: str
    body: str

    def filled(self, values: Mapping[str, str]) -> "Template":
        """Each placeholder once: a value that looks like a placeholder stays as it is."""
        return Template(one_line(_fill(self.subject, values))[:SUBJECT_LIMIT], _fill(self.body, values))


@dataclass(frozen=True)
class _Usual:
    subject: str | Promise
    paragraphs: tuple[str | Promise, ...]
    placeholders: tuple[str, ...]
    needed: str = ""  # a message without it would be of no use


_HELLO = gettext_lazy("Hello {name},")
_LINK_WORDS = gettext_lazy("Your link, for you alone: {link}")
_USUAL = {
    MailKind.INVITATION: _Usual(
        gettext_lazy("Invitation: {campaign}"),
        (
            _HELLO,
            gettext_lazy("please judge translations from {source} to {target} for us: {campaign}."),
            gettext_lazy(
                "It takes about {minutes} minutes in all. You can stop at any time; every answer is saved at once."
            ),
            _LINK_WORDS,
            gettext_lazy("It works until {until}."),
        ),
        ("name", "campaign", "source", "target", "minutes", LINK, "until", "sign_in"),
        LINK,
    ),
    MailKind.REMINDER: _Usual(
        gettext_lazy("Your work for {campaign} is not finished"),
        (
            _HELLO,
            gettext_lazy("your work for {campaign} is not finished. Items left: {left}."),
            gettext_lazy("Your answers are saved. You can go on where you stopped."),
            _LINK_WORDS,
            gettext_lazy("If you cannot go on, please tell me: somebody else then gets the rest."),
        ),
        ("name", "campaign", "source", "target", "done", "left", LINK, "until", "sign_in"),
    ),
    MailKind.THANKS: _Usual(
        gettext_lazy("Thank you: {campaign}"),
        (
            _HELLO,
            gettext_lazy("you are done with {campaign}. Items judged: {done}. Thank you!"),
            gettext_lazy("Your days and times are on your timesheet: {timesheet}"),
        ),
        ("name", "campaign", "source", "target", "done", "timesheet", "sign_in"),
    ),
    MailKind.DIGEST: _Usual(
        gettext_lazy("New alerts: {campaign}"),
        (
            _HELLO,
            gettext_lazy("there is something new to look at in {campaign}:"),
            "{alerts}",
            gettext_lazy("The overview shows what you can do: {overview}"),
        ),
        ("name", "campaign", "alerts", "overview"),
        "alerts",
    ),
}


def usual_template(kind: MailKind, language: str) -> Template:
    with override(language):
        usual = _USUAL[kind]
        return Template(str(usual.subject), "\n\n".join(str(each) for each in usual.paragraphs))


def template_of(kind: MailKind, language: str, own: Mapping[str, MailText]) -> Template:
    """The organiser's own text as it was written, else the usual one in the receiver's language."""
    text = own.get(kind)
    return Template(text.subject, text.body) if text else usual_template(kind, language)


def placeholders_of(kind: MailKind) -> tuple[str, ...]:
    return _USUAL[kind].placeholders


def check_template(kind: MailKind, subject: str, body: str) -> None:
    """Raises InvalidInput with all errors of both fields."""
    errors = {
        "subject": list(_errors_in(kind, subject, SUBJECT_LIMIT)),
        "body": list(_errors_in(kind, body, BODY_LIMIT)),
    }
    if any(character in subject for character in "\r\n"):
        errors["subject"].append(_("A subject has one line."))
    if f"{{{LINK}}}" in subject:
        errors["subject"].append(_("A personal link must not be in the subject. Put {link} into the text."))
    needed = _USUAL[kind].needed
    if needed and f"{{{needed}}}" not in body:
        errors["body"].append(_("The text needs %(needed)s.") % {"needed": f"{{{needed}}}"})
    if shown := {name: several for name, several in errors.items() if several}:
        raise InvalidInput(shown)


def _errors_in(kind: MailKind, text: str, limit: int) -> Iterator[str]:
    if not text.strip():
        yield _("Enter a text.")
    if len(text) > limit:
        yield _("At most %(limit)d characters.") % {"limit": limit}
    if any(unicodedata.category(each) == "Cc" and each not in "\r\n\t" for each in text):
        yield _("There is a control character in the text.")
    known = placeholders_of(kind)
    if unknown := sorted({name for name in _PLACEHOLDER.findall(text) if name not in known}):
        yield _("Unknown placeholder: %(unknown)s. Allowed: %(known)s.") % {
            "unknown": ", ".join(f"{{{name}}}" for name in unknown),
            "known": ", ".join(f"{{{name}}}" for name in known),
        }


def with_link(body: str, link: str) -> str:
    """
    >>> with_link("Come in: {link}", "https://example.org/")
    'Come in: https://example.org/'
    """
    return _fill(body, {LINK: link})


def one_line(text: str) -> str:
    r"""Fit for a header: without control characters and line ends.

    >>> one_line("Hello\r\nBcc: somebody@example.org")
    'Hello Bcc: somebody@example.org'
    """
    return " ".join("".join(" " if unicodedata.category(each) in {"Cc", "Zl", "Zp"} else each for each in text).split())


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)
