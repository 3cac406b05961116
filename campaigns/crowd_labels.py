"""What a link of a crowd may say about a person, and the addresses to which people return.

Both come from strangers, or are read by them: labels are stored as texts and open nothing, and where somebody is sent
is written by the organiser alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput
from campaigns.models.crowds import ADDRESS_LIMIT, LABEL_LIMIT

PARTICIPANT = "participant"
STUDY = "study"
SESSION = "session"
CODE = "code"
# Names in the links of sites, and the label each fills. Sources: "Getting participants to your study" and "URL
# parameters" in Prolific's help (2025); "ExternalQuestion" in the API reference of Amazon Mechanical Turk (2017).
PARAMETERS: Mapping[str, str] = {
    PARTICIPANT: PARTICIPANT,
    STUDY: STUDY,
    SESSION: SESSION,
    "PROLIFIC_PID": PARTICIPANT,
    "STUDY_ID": STUDY,
    "SESSION_ID": SESSION,
    "workerId": PARTICIPANT,
    "hitId": STUDY,
    "assignmentId": SESSION,
}
MOST_PARAMETERS = 20
EXAMPLE = "https://app.prolific.com/submissions/complete?cc=ABCD1234"
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"  # Mechanical Turk shows a page to people who only look
_LABEL = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_NOT_FILLED = re.compile(r"\{\{|\}\}|\$\{|\{%|%\}")


@dataclass(frozen=True)
class Labels:
    """`others` by name, without the participant."""

    participant: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """One spelling of the participant's id: the same in capital letters is the same person."""
        return unicodedata.normalize("NFKC", self.participant).casefold()

    def value(self, label: str) -> str:
        return self.participant if label == PARTICIPANT else self.others.get(label, "")


def label_names(own: Mapping[str, str]) -> list[str]:
    """Of a crowd, the participant first."""
    return list(dict.fromkeys([*PARAMETERS.values(), *own.values()]))


def read_labels(query: Mapping[str, Sequence[str]], own: Mapping[str, str]) -> Labels:
    """From the values of each name in a link. Other names are not read. Raises InvalidInput, by label."""
    values: dict[str, set[str]] = {}
    errors: dict[str, list[str]] = {}
    for parameter, label in {**PARAMETERS, **own}.items():
        for value in map(str.strip, query.get(parameter, ())):
            if error := _value_error(label, value):
                errors.setdefault(label, []).append(error)
            elif value:
                values.setdefault(label, set()).add(value)
    for label, several in values.items():
        if len(several) > 1:
            errors.setdefault(label, []).append(_("The link has two values of “%(name)s”.") % {"name": label})
    if errors:
        raise InvalidInput(errors)
    labels = Labels(next(iter(values.pop(PARTICIPANT, {""}))), {name: next(iter(own)) for name, own in values.items()})
    if len(labels.key) > 2 * LABEL_LIMIT:
        raise InvalidInput.of(PARTICIPANT, _too_long(PARTICIPANT))
    return labels


def _value_error(label: str, value: str) -> str:
    if len(value) > LABEL_LIMIT:
        return _too_long(label)
    if any(unicodedata.category(character).startswith("C") for character in value):
        return _("“%(name)s” in the link contains characters that cannot be seen.") % {"name": label}
    if _NOT_FILLED.search(value):
        return _("The site that sent you did not fill in “%(name)s”.") % {"name": label}
    if value == NOT_ACCEPTED:
        return _("You are looking at a preview. Accept the task first on the site that sent you.")
    return ""


def _too_long(label: str) -> str:
    return _("“%(name)s” in the link is longer than %(most)d characters.") % {"name": label, "most": LABEL_LIMIT}


def parameter_errors(own: Mapping[str, str]) -> list[str]:
    """Of the organiser's own names in links."""
    errors = []
    if len(own) > MOST_PARAMETERS:
        errors.append(_("At most %(most)d names.") % {"most": MOST_PARAMETERS})
    for parameter, label in own.items():
        if not _PARAMETER.fullmatch(parameter):
            message = _("“%(name)s” cannot be a name in a link. Use up to 40 letters, digits, - and _.")
            errors.append(message % {"name": parameter[:80]})
        elif parameter in PARAMETERS:
            errors.append(_("“%(name)s” is known already, and cannot be changed.") % {"name": parameter})
        if not _LABEL.fullmatch(label) or label == CODE:
            message = _(
                "“%(name)s” cannot be a label. Use up to 40 small letters, digits and _, beginning with a letter."
            )
            errors.append(message % {"name": label[:80]})
    return errors


def address_errors(template: str, names: Sequence[str]) -> list[str]:
    """Of an address to which people return; `names` are what may stand in braces. Empty: there is no such link."""
    if not template:
        return []
    if len(template) > ADDRESS_LIMIT:
        return [_("At most %(most)d characters.") % {"most": ADDRESS_LIMIT}]
    if not template.isascii() or any(character <= " " or character in '<>"\\^`\x7f' for character in template):
        return [_("This is not an address: it contains blanks or characters that must be percent-encoded.")]
    try:
        used = [name for _text, name, form, convert in Formatter().parse(template) if name is not None]
        plain = all(not form and not convert for _text, _name, form, convert in Formatter().parse(template))
        parts = urlsplit(template)
        is_whole = parts.scheme == "https" and bool(parts.hostname) and not set("@{}") & set(parts.netloc)
        _port = parts.port  # raises for one that is not a number
    except ValueError:
        return [_("This is not an address. Example: %(example)s") % {"example": EXAMPLE}]
    errors = []
    if not is_whole:
        errors.append(_("Give a whole address that begins with https://, as in %(example)s") % {"example": EXAMPLE})
    if unknown := [name for name in used if name not in names] or ([] if plain else used):
        shown = {"name": unknown[0], "known": ", ".join(f"{{{name}}}" for name in names)}
        errors.append(_("Unknown “{%(name)s}”. Allowed: %(known)s.") % shown)
    return errors


def filled_address(template: str, labels: Labels, code: str = "") -> str:
    """With each value written so that it stays one part of the address. Unknown ones are empty."""
    values = {**labels.others, PARTICIPANT: labels.participant, CODE: code}
    names = {name for _text, name, _form, _convert in Formatter().parse(template) if name}
    return template.format(**{name: quote(values.get(name, ""), safe="") for name in names})
