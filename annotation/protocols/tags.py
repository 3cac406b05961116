"""Tags: marks of errors that have no place in the text. As data, from JSON or from the lines an organiser writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotation.protocols.answer_checks import Envelope, check_fields
from annotation.protocols.base import MarkedSpan
from annotation.protocols.scales import NAME
from campaigns.invalid_input import InvalidInput

MOST_TAGS = 12
MOST_IN_AN_ANSWER = 50  # of one translation
TITLE_LIMIT = 60
TARGET = "target"


@dataclass(frozen=True)
class Tag:
    name: str
    title: str

    def __str__(self) -> str:
        """As an organiser writes it, see `tags_from`."""
        return f"{self.name}: {self.title}"


DEFAULT_TAGS = (
    Tag("missing", gettext_noop("Content is missing")),
    Tag("instructions_fault", gettext_noop("The instruction was not followed")),
)


def tags_from(value: object) -> tuple[Tag, ...]:
    """The tags from text (a line "name: title" for each), from the objects of JSON or from tags. Raises `InvalidInput`.

    A line without a colon is a title, whose words are the name.
    """
    if isinstance(value, str):
        value = [_written(line.strip()) for line in value.splitlines() if line.strip()]
    if not isinstance(value, (list, tuple)):
        raise InvalidInput.of("tags", _("Tags must be a list of objects with name and title."))
    problems: list[str] = []
    tags = [tag for place, one in enumerate(value, 1) if (tag := _tag(one, place, problems)) is not None]
    if len(value) > MOST_TAGS:
        problems.append(_("At most %(most)d tags are allowed.") % {"most": MOST_TAGS})
    names = [tag.name for tag in tags]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(_("Two tags have the name “%(name)s”.") % {"name": name})
    if problems:
        raise InvalidInput({"tags": problems})
    return tuple(tags)


def _written(line: str) -> dict[str, str]:
    name, colon, title = (part.strip() for part in line.partition(":"))
    return {"name": name, "title": title} if colon else {"name": slugify(name).replace("-", "_"), "title": name}


def _tag(entry: object, place: int, problems: list[str]) -> Tag | None:
    """One tag; None, with the reason among the problems, when it is not valid."""
    if isinstance(entry, Tag):
        return entry
    if not isinstance(entry, Mapping) or set(entry) - {"name", "title"}:
        problems.append(_("Tag %(place)d must be an object with name and title.") % {"place": place})
        return None
    name, title = entry.get("name"), entry.get("title")
    known = len(problems)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        message = _(
            "Tag %(place)d: the name may have lowercase Latin letters, digits and _, and must start with a letter."
        )
        problems.append(message % {"place": place})
    if not isinstance(title, str) or not title.strip() or len(title) > TITLE_LIMIT or "\x00" in title:
        message = _("Tag %(place)d: the title must be text of at most %(limit)d characters.")
        problems.append(message % {"place": place, "limit": TITLE_LIMIT})
    return Tag(str(name), str(title)) if len(problems) == known else None


def checked_tags(
    values: object, known: Sequence[Tag], severities: Sequence[str], at: str, envelope: Envelope
) -> list[dict[str, Any]]:
    """The tags of one slot as they are stored; every error is reported with its field."""
    if not isinstance(values, (list, tuple)):
        envelope.refuse(at, _("Tags must be a list."))
        return []
    if len(values) > MOST_IN_AN_ANSWER:
        message = _("Give at most %(most)d tags to a translation.")
        envelope.refuse(at, message % {"most": MOST_IN_AN_ANSWER})
        return []
    return [_checked(value, known, severities, f"{at}.{place}", envelope) for place, value in enumerate(values)]


def _checked(
    value: object, known: Sequence[Tag], severities: Sequence[str], at: str, envelope: Envelope
) -> dict[str, Any]:
    entry = check_fields(value, ("tag", "severity"), at, envelope)
    if not isinstance(value, Mapping):
        return {}
    names = [tag.name for tag in known]
    for field, allowed in (("tag", names), ("severity", severities)):
        given = entry.get(field)
        if given is None and field == "severity":
            envelope.refuse(f"{at}.{field}", _("Choose a severity."))
        elif not isinstance(given, str) or given not in allowed:
            message = _("Choose one of %(known)s.")
            envelope.refuse(f"{at}.{field}", message % {"known": ", ".join(allowed) or "-"})
    return {"tag": entry.get("tag"), "severity": entry.get("severity")}


def tagged_in(label: str, tags: Sequence[Mapping[str, Any]]) -> tuple[MarkedSpan, ...]:
    """Stored tags of one slot as an observation contains them: empty, at the start, of the category of their name.

    An omission is empty too. A protocol with tags has no omissions, and an omission has no tag for its category.
    """
    return tuple(MarkedSpan(label, TARGET, 0, 0, each["tag"], each["severity"]) for each in tags)
