"""What a campaign of Pearmut says about itself (`info`): protocol, people and options, and what has no equal here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from annotation.protocols.tags import MOST_TAGS
from exchange.formats.html_text import markdown_of_html
from exchange.formats.pearmut_campaign import DYNAMIC, MOST_SYSTEMS, SINGLE, TASKS
from exchange.formats.pearmut_records import tags_of
from exchange.reading import Line

PROTOCOLS_HERE = {"da": "direct_assessment", "esa": "esa", "cesa": "cesa", "mqm": "mqm"}
# read elsewhere, or the same as here
_USED = {"assignment", "protocol", "users", "special_tokens", "instructions", "dynamic_models", "textfield"}
_MOST_USERS = 500


@dataclass(frozen=True)
class Info:
    """`users` are names, or with `user_count` people without names. `tags` are names and titles."""

    assignment: str = SINGLE
    protocol: str = "cesa"
    users: Sequence[str] = ()
    user_count: int = 0
    tags: tuple[tuple[str, str], ...] = ()
    guidelines: str = ""
    systems_per_screen: int = 0
    removed: int = 0
    check_share: float | None = None
    notes: Sequence[str] = field(default_factory=list)

    @property
    def is_contrastive(self) -> bool:
        """Screens are whole documents, which only then are those of the file."""
        return PROTOCOLS[self.protocol].shows_whole_documents

    @property
    def option_names(self) -> set[str]:
        return set(PROTOCOLS[self.protocol].options_class.__dataclass_fields__)

    @property
    def people(self) -> int:
        return len(self.users) or self.user_count


def read_info(value: object, line: Line) -> Info:
    """Everything that cannot be is refused at its place."""
    info: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    if value is not None and not isinstance(value, Mapping):
        line.refuse("info", _("This must be a JSON object."))
    protocol = _choice(info, "protocol", "cESA", PROTOCOLS_HERE, line)
    assignment = _choice(info, "assignment", SINGLE, {name: name for name in (SINGLE, TASKS, DYNAMIC)}, line)
    tags = tags_of(info.get("special_tokens", ["[missing]"] if PROTOCOLS[protocol].derived_measures else []))
    if tags is None:
        message = _("`special_tokens` must be a list of at most %(most)d texts.")
        line.refuse("info.special_tokens", message % {"most": MOST_TAGS})
    users, count, with_codes = _users(info.get("users"), line)
    html = info.get("instructions")
    guidelines = markdown_of_html(html) if isinstance(html, str) else markdown_of_html("")
    if isinstance(html, str):
        line.is_readable(html, "info.instructions")
    return Info(
        assignment=assignment,
        protocol=protocol,
        users=users,
        user_count=count,
        tags=tags or (),
        guidelines=guidelines.text,
        systems_per_screen=_models(info, line) if assignment == DYNAMIC else 0,
        removed=guidelines.dropped,
        check_share=_share(info) if PROTOCOLS[protocol].shows_whole_documents else None,
        notes=list(_notes(info, assignment, protocol, with_codes)),
    )


def _choice(info: Mapping[str, Any], key: str, usual: str, known: Mapping[str, str], line: Line) -> str:
    value = info.get(key, usual)
    chosen = known.get(value.lower()) if isinstance(value, str) else None
    if chosen is None:
        line.refuse(f"info.{key}", _("Unknown value. Known: %(known)s.") % {"known": ", ".join(known)}, str(value))
    return chosen or known[usual.lower()]


def _models(info: Mapping[str, Any], line: Line) -> int:
    models = info.get("dynamic_models", 1)
    if type(models) is not int or not 1 <= models <= MOST_SYSTEMS:
        message = _("This must be a whole number from 1 to %(most)d: so many systems stand on a screen.")
        line.refuse("info.dynamic_models", message % {"most": MOST_SYSTEMS}, str(models))
        return 1
    return models


def _users(value: object, line: Line) -> tuple[list[str], int, int]:
    """Names, or how many people without names; and how many have codes of their own."""
    if value is None:
        return [], 0, 0
    if type(value) is int and 0 <= value <= _MOST_USERS:
        return [], value, 0
    if not isinstance(value, list) or len(value) > _MOST_USERS:
        message = _("`users` must be a number or a list of names, of at most %(most)d people.")
        line.refuse("info.users", message % {"most": _MOST_USERS})
        return [], 0, 0
    names = [each.get("user_id") if isinstance(each, Mapping) else each for each in value]
    for place, name in enumerate(names):
        if not isinstance(name, str) or not name.strip() or len(name) > 150:
            line.refuse(f"info.users[{place}]", _("A user needs a name of at most 150 characters."))
        elif line.is_readable(name, f"info.users[{place}]") and name in names[:place]:
            line.refuse(f"info.users[{place}]", _("This name occurs twice."), name)
    with_codes = sum(isinstance(each, Mapping) and bool(each.get("token_pass")) for each in value)
    return [str(name) for name in names], 0, with_codes


def _share(info: Mapping[str, Any]) -> float | None:
    """With which probability an attention check comes before a screen."""
    share = info.get("data_random_prob")
    is_share = isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1
    return float(share) if is_share and share is not None else None


def _notes(info: Mapping[str, Any], assignment: str, protocol: str, with_codes: int) -> list[str]:
    """In the order of the file."""
    notes = []
    if assignment == DYNAMIC:
        notes.append(_("Work is handed out from a shared pool: systems are not chosen by their scores so far."))
    is_contrastive = PROTOCOLS[protocol].shows_whole_documents
    if not is_contrastive:
        notes.append(_("Screens are planned by Assay: only those of cESA are taken as they are in the file."))
    if with_codes:
        message = _("Completion codes of the file, left out because Assay draws its own: %(count)d.")
        notes.append(message % {"count": with_codes})
    for key, value in info.items():
        is_read = key == "data_random_prob" and is_contrastive and _share(info) is not None
        if key not in _USED and not is_read and not (key == "word_level" and value is True):
            notes.append(_("`%(name)s` has no equal here and is left out.") % {"name": str(key)[:80]})
    if not is_contrastive and info.get("textfield"):
        notes.append(_("`%(name)s` has no equal here and is left out.") % {"name": "textfield"})
    return notes
