"""What a campaign of Pearmut says about itself (`info`): protocol, people and options, and what has no equal here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.protocols import PROTOCOLS
from annotation.protocols.spans import MOST_SYSTEMS_PER_SCREEN
from annotation.protocols.tags import DEFAULT_TAGS, MOST_TAGS
from annotation.taxonomies.typology import NAME_LIMIT, SEVERITIES, TITLE_LIMIT
from exchange.formats.html_text import markdown_of_html
from exchange.formats.pearmut_campaign import DYNAMIC, MOST_SYSTEMS, SINGLE, TASKS
from exchange.formats.pearmut_records import chosen_campaign, is_json, tags_of, whole_json
from exchange.reading import Line, SourceFile
from exchange.staging.judgments import Reading

PROTOCOLS_HERE = {"da": "direct_assessment", "esa": "esa", "cesa": "cesa", "mqm": "mqm"}
# read elsewhere, or the same as here
_USED = {"assignment", "protocol", "users", "special_tokens", "instructions", "dynamic_models", "textfield"}
_USED_BY_MQM = {"mqm_categories", "mqm_severities"}
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
    typology: Mapping[str, Any] | None = None
    notes: Sequence[str] = field(default_factory=list)

    @property
    def is_contrastive(self) -> bool:
        """Screens are whole documents, which only then are those of the file."""
        return PROTOCOLS[self.protocol].shows_whole_documents

    @property
    def option_names(self) -> set[str]:
        return set(PROTOCOLS[self.protocol].options_class.__dataclass_fields__)

    @property
    def most_systems(self) -> int:
        """On a screen of this protocol."""
        marks_spans = self.has_marks and not self.is_contrastive
        return MOST_SYSTEMS_PER_SCREEN if marks_spans else MOST_SYSTEMS

    @property
    def has_marks(self) -> bool:
        return bool(PROTOCOLS[self.protocol].derived_measures)

    @property
    def has_tags(self) -> bool:
        return "tags" in self.option_names

    @property
    def has_categories(self) -> bool:
        """Such a protocol asks for no score."""
        return has_categories(self.protocol)

    @property
    def people(self) -> int:
        return len(self.users) or self.user_count


def has_categories(protocol: str) -> bool:
    return "typology" in PROTOCOLS[protocol].options_class.__dataclass_fields__


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
        typology=_typology(info, line) if has_categories(protocol) else None,
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
    if with_codes:
        message = _("Completion codes of the file, left out because Assay draws its own: %(count)d.")
        notes.append(message % {"count": with_codes})
    for key, value in info.items():
        is_read = key == "data_random_prob" and is_contrastive and _share(info) is not None
        is_read = is_read or (has_categories(protocol) and key in _USED_BY_MQM)
        if key not in _USED and not is_read and not (key == "word_level" and value is True):
            notes.append(_("`%(name)s` has no equal here and is left out.") % {"name": str(key)[:80]})
    if has_categories(protocol) and not info.get("mqm_categories"):
        notes.append(_("The file names no categories: those of WMT 2021 are offered."))
    if not is_contrastive and info.get("textfield"):
        notes.append(_("`%(name)s` has no equal here and is left out.") % {"name": "textfield"})
    return notes


def category_name(title: str, place: int) -> str:
    """A title in another script has no name in Latin letters."""
    return slugify(title)[:NAME_LIMIT].strip("-_") or f"category-{place}"


def category_path(words: str) -> str:
    """`Accuracy/Mistranslation` as the typology of its campaign names it."""
    parts = [part.strip() for part in words.split("/", 1)]
    return "/".join(category_name(part, 1) for part in parts if part)


def _typology(info: Mapping[str, Any], line: Line) -> dict[str, Any] | None:
    """`mqm_categories` is an object of lists of subcategories, or a list; None where the file has none."""
    value, severities = info.get("mqm_categories") or {}, info.get("mqm_severities")
    main = _categories(value)
    if main is None:
        message = _(
            "This must be an object with a list of subcategories for each category, in texts of at most %(most)d "
            "characters."
        )
        line.refuse("info.mqm_categories", message % {"most": TITLE_LIMIT})
    known = [each.lower() for each in severities if isinstance(each, str)] if isinstance(severities, list) else []
    if severities is not None and (not known or any(each not in SEVERITIES for each in known)):
        message = _("This must be a list of severities. Known: %(known)s.")
        line.refuse("info.mqm_severities", message % {"known": ", ".join(SEVERITIES)})
    if not main:
        return None
    return {
        "title": "Pearmut",
        "severities": [each for each in SEVERITIES if each in known] or ["minor", "major"],
        "categories": [
            _category(title, place) | {"subcategories": [_category(*each) for each in _named(main[title])]}
            for title, place in _named(main)
        ],
    }


def _categories(value: object) -> dict[str, list[str]] | None:
    """None for what cannot be read."""
    main = {title: [] for title in value if isinstance(title, str)} if isinstance(value, list) else value
    if not isinstance(main, Mapping) or len(main) < len(value if isinstance(value, list) else ()):
        return None
    lists = [below for below in main.values() if isinstance(below, list)]
    titles = [*main, *(title for below in lists for title in below)]
    is_right = len(lists) == len(main) and all(isinstance(each, str) and len(each) <= TITLE_LIMIT for each in titles)
    return dict(main) if is_right else None


def _named(titles: Iterable[str]) -> list[tuple[str, int]]:
    """An empty title offers only that nothing is chosen."""
    return [(title, place) for place, title in enumerate(titles, start=1) if title.strip()]


def _category(title: str, place: int) -> dict[str, Any]:
    return {"name": category_name(title, place), "title": title}


def read_campaign(reading: Reading) -> Info:
    """What annotations are of. Without a file of the campaign: the tags that Pearmut's campaigns usually have."""
    path = reading.campaign_file
    if path is None:
        return Info(protocol="", tags=tuple((tag.name, tag.title) for tag in DEFAULT_TAGS))
    file = SourceFile(path, path.name, reading.problems)
    file.check_is_text(is_json)
    value = whole_json(file)
    several = value if isinstance(value, list) else [value]
    campaigns = {str(one.get("campaign_id", "")): one for one in several if isinstance(one, Mapping)}
    return read_info(campaigns[chosen_campaign(file, list(campaigns), reading.campaign_id)].get("info"), file.line())
