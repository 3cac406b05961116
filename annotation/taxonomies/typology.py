"""Typologies of errors: categories of two levels, each with its rules, read from JSON and checked whole.

A JSON file here for each that is known by name. No weights: those belong to metrics.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.text import capfirst, slugify
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput

SEVERITIES = ("neutral", "minor", "major", "critical")
SIDES = ("source", "target")
NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
NAME_LIMIT, TITLE_LIMIT, DESCRIPTION_LIMIT = 60, 80, 600
MOST_CATEGORIES = 60
LEVELS = 2

# In the order of the menu. A new one needs its file here, its line here and a line in docs/protocols.md.
TYPOLOGIES: Mapping[str, str] = {
    "wmt2021": "Google / WMT 2021",
    "anthea2023": "Anthea 2023 (WMT 2023)",
    "mqm-core": "MQM-Core",
    "dqf-mqm": "DQF-MQM",
}


@dataclass(frozen=True)
class Category:
    """A kind of error and the rules of marking one.

    `severity`, where not empty, is the only one it can have; `side`, where not empty, the only text it stands in. One
    that `annuls_others` says of a whole translation that nothing else in it is worth marking.
    """

    name: str
    title: str
    description: str = ""
    example: str = ""
    can_be_chosen: bool = True
    severity: str = ""
    needs_note: bool = False
    annuls_others: bool = False
    side: str = ""
    subcategories: tuple["Category", ...] = ()


@dataclass(frozen=True)
class Typology:
    """`severities` are those its authors use, in rising order."""

    name: str
    title: str
    severities: tuple[str, ...]
    categories: tuple[Category, ...]

    def by_path(self) -> dict[str, Category]:
        """Every category that can be chosen, under "category/subcategory"."""
        return {path: category for path, category in self._walk() if category.can_be_chosen}

    def titles(self) -> dict[str, str]:
        """ "Category/Subcategory" in words, by path, as tables of errors write it."""
        titles: dict[str, str] = {}
        for path, category in self._walk():
            above, _slash, _name = path.rpartition("/")
            titles[path] = f"{titles[above]}/{category.title}" if above else category.title
        return titles

    def without_side(self, side: str) -> "Typology":
        """Without the categories that are marked only in this text."""
        categories = [
            replace(category, subcategories=tuple(below for below in category.subcategories if below.side != side))
            for category in self.categories
            if category.side != side
        ]
        return replace(self, categories=tuple(categories))

    def _walk(self) -> Iterator[tuple[str, Category]]:
        for category in self.categories:
            yield category.name, category
            for below in category.subcategories:
                yield f"{category.name}/{below.name}", below


@cache
def typology_named(name: str) -> Typology:
    """KeyError for a name that is not known."""
    if name not in TYPOLOGIES:
        raise KeyError(name)
    return typology_from(json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")))


def typology_from(value: object) -> Typology:
    """The typology, from the object of a JSON file or one already read. Raises `InvalidInput`."""
    if isinstance(value, Typology):
        return value
    if not isinstance(value, Mapping):
        raise InvalidInput.of("typology", _("A typology must be a JSON object with title and categories."))
    reading = _Reading()
    place = _("Typology")
    reading.refuse_unknown(value, Typology, place)
    name, title = reading.names(value, place)
    severities = reading.severities(value.get("severities", SEVERITIES))
    categories = reading.categories(value.get("categories"), place="", level=1)
    typology = Typology(name, title, severities, categories)
    reading.rules(typology)
    if reading.problems:
        raise InvalidInput({"typology": reading.problems})
    return typology


def written_category(path: str, titles: Mapping[str, str]) -> str:
    """ "Accuracy/Mistranslation": a category as files of ratings write it, in the words from which its path is read.

    One that came in a file, and that `titles` do not have, is written as our typologies do, else in its own words.

    >>> written_category("style/unnatural-or-awkward", {})
    'Style/Unnatural or awkward'
    >>> written_category("fluency/display-error", {})
    'Fluency/Display error'
    """
    if title := titles.get(path) or _all_titles().get(path):
        return title
    return "/".join(capfirst(part.replace("-", " ")) for part in path.split("/"))


@cache
def _all_titles() -> Mapping[str, str]:
    return {path: title for name in TYPOLOGIES for path, title in typology_named(name).titles().items()}


def category_words(path: str, titles: Mapping[str, str]) -> str:
    """ "Accuracy, mistranslation": a category as people read it.

    `path` is that of a marked error, `titles` are a typology's by path. A category that came in a file and is in no
    typology keeps its own words.
    """
    title = titles.get(path) or capfirst(path.replace("-", " "))
    above, _slash, own = title.rpartition("/")
    if not above:
        return _(own) if own else ""
    words = _(own)
    if (get_language() or "en").startswith("en") and not words[1:2].isupper():
        words = words[:1].lower() + words[1:]
    return pgettext("category", "%(category)s, %(subcategory)s") % {"category": _(above), "subcategory": words}


class _Reading:
    """Collects all errors, so that a file can be corrected in one go."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def refuse(self, place: str, message: str) -> None:
        self.problems.append(f"{place}: {message}")

    def refuse_unknown(self, entry: Mapping[Any, Any], kind: type[Category | Typology], place: str) -> None:
        known = [each.name for each in fields(kind)]
        for key in sorted(set(map(str, entry)) - set(known)):
            message = _("Unknown key “%(key)s”. Allowed: %(known)s.")
            self.refuse(place, message % {"key": key, "known": ", ".join(known)})

    def names(self, entry: Mapping[str, Any], place: str) -> tuple[str, str]:
        """The title, and a name, derived from the title if missing."""
        title = self.text(entry, "title", TITLE_LIMIT, place)
        if not title.strip():
            self.refuse(place, _("The title is missing."))
            title = "-"
        name = entry.get("name", slugify(title)[:NAME_LIMIT].strip("-_") if title != "-" else "untitled")
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > NAME_LIMIT:
            message = _("Give it a “name” of at most %(limit)d lowercase Latin letters, digits and hyphens.")
            self.refuse(place, message % {"limit": NAME_LIMIT})
        return str(name), title

    def text(self, entry: Mapping[str, Any], key: str, limit: int, place: str) -> str:
        value = entry.get(key, "")
        if isinstance(value, str) and len(value) <= limit and "\x00" not in value:
            return value
        message = _("“%(key)s” must be text of at most %(limit)d characters.")
        self.refuse(place, message % {"key": key, "limit": limit})
        return "-"

    def switch(self, entry: Mapping[str, Any], key: str, place: str, *, default: bool = False) -> bool:
        value = entry.get(key, default)
        if not isinstance(value, bool):
            self.refuse(place, _("“%(key)s” must be true or false.") % {"key": key})
        return value is True

    def one_of(self, entry: Mapping[str, Any], key: str, known: Sequence[str], place: str) -> str:
        value = entry.get(key, "")
        if value != "" and value not in known:
            message = _("“%(key)s” must be one of %(known)s, or omitted.")
            self.refuse(place, message % {"key": key, "known": ", ".join(known)})
            return ""
        return str(value)

    def severities(self, names: object) -> tuple[str, ...]:
        if not isinstance(names, (list, tuple)) or not names or any(one not in SEVERITIES for one in names):
            message = _("“severities” must be a list of one or more of %(known)s.")
            self.refuse(_("Typology"), message % {"known": ", ".join(SEVERITIES)})
            return SEVERITIES
        return tuple(severity for severity in SEVERITIES if severity in names)

    def categories(self, entries: object, *, place: str, level: int) -> tuple[Category, ...]:
        of = place or _("Typology")
        if not isinstance(entries, (list, tuple)) or (level == 1 and not entries):
            what = "categories" if level == 1 else "subcategories"
            self.refuse(of, _("“%(key)s” must be a list of objects.") % {"key": what})
            return ()
        if len(entries) > MOST_CATEGORIES:
            self.refuse(of, _("At most %(most)d categories are allowed at one level.") % {"most": MOST_CATEGORIES})
        read = [self._category(one, self._place(place, number, one), level) for number, one in enumerate(entries, 1)]
        categories = tuple(category for category in read if category is not None)
        names = [category.name for category in categories]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.refuse(of, _("Two categories have the name “%(name)s”.") % {"name": name})
        return categories

    @staticmethod
    def _place(above: str, number: int, entry: object) -> str:
        title = entry.get("title") if isinstance(entry, Mapping) else None
        own = title if isinstance(title, str) and title.strip() else _("Category %(number)d") % {"number": number}
        return f"{above}/{own}" if above else own

    def _category(self, entry: object, place: str, level: int) -> Category | None:
        if isinstance(entry, Category):
            return entry
        if not isinstance(entry, Mapping):
            self.refuse(place, _("A category must be an object with a title."))
            return None
        self.refuse_unknown(entry, Category, place)
        name, title = self.names(entry, place)
        below: tuple[Category, ...] = ()
        if entry.get("subcategories", ()) not in ((), []):
            if level == LEVELS:
                self.refuse(place, _("Categories may have two levels; this is a third."))
            else:
                below = self.categories(entry["subcategories"], place=place, level=level + 1)
        return Category(
            name=name,
            title=title,
            description=self.text(entry, "description", DESCRIPTION_LIMIT, place),
            example=self.text(entry, "example", DESCRIPTION_LIMIT, place),
            can_be_chosen=self.switch(entry, "can_be_chosen", place, default=not below) or not below,
            severity=self.one_of(entry, "severity", SEVERITIES, place),
            needs_note=self.switch(entry, "needs_note", place),
            annuls_others=self.switch(entry, "annuls_others", place),
            side=self.one_of(entry, "side", SIDES, place),
            subcategories=below,
        )

    def rules(self, typology: Typology) -> None:
        """Refuses contradictions."""
        titles = typology.titles()
        for path, category in typology.by_path().items():
            if category.severity and category.severity not in typology.severities:
                message = _("Its fixed severity, %(severity)s, is not among the severities of the typology.")
                self.refuse(titles[path], message % {"severity": category.severity})
            if category.annuls_others and category.side == "source":
                self.refuse(titles[path], _("A category with “annuls_others” must be marked in the translation."))
