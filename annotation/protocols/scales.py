"""Scales of few points, each with its label: as data, from JSON or from the text an organiser writes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput

MOST_SCALES = 8
FEWEST_POINTS, MOST_POINTS = 2, 10
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TITLE_LIMIT, QUESTION_LIMIT, LABEL_LIMIT = 60, 300, 80
_POINT = re.compile(r"([0-9]+)(?:[ \t.:]+(.*))?")


@dataclass(frozen=True)
class Scale:
    """A question with few answers. `points` are digits with their labels, in rising order, the best the highest.

    "{language}" in a question stands for the target language's name. A point between two labelled ones may have an
    empty label.
    """

    name: str
    title: str
    question: str
    points: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        """As an organiser writes it, see `scales_from`."""
        lines = [f"{self.title}: {self.question}", *(f"{place} {label}" for place, label in reversed(self.points))]
        return "\n".join(line.strip() for line in lines)

    @property
    def values(self) -> frozenset[int]:
        return frozenset(value for value, _label in self.points)


def scales_from(value: object) -> tuple[Scale, ...]:
    """The scales from text, from the objects of JSON or from scales. Raises `InvalidInput`."""
    if isinstance(value, str):
        value = _written(value)
    if not isinstance(value, (list, tuple)):
        raise InvalidInput.of("scales", _("Scales must be a list of objects with name, title, question and points."))
    problems: list[str] = []
    scales = tuple(scale for place, one in enumerate(value, 1) if (scale := _scale(one, place, problems)) is not None)
    if len(value) > MOST_SCALES:
        problems.append(_("At most %(most)d scales are allowed.") % {"most": MOST_SCALES})
    names = [scale.name for scale in scales]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(_("Two scales have the name “%(name)s”.") % {"name": name})
    if problems:
        raise InvalidInput({"scales": problems})
    return scales


def _written(text: str) -> list[dict[str, Any]]:
    """A line "Title: question" begins a scale; each line after it is a point, "4 most meaning"."""
    scales: list[dict[str, Any]] = []
    for line in (line.strip() for line in text.splitlines()):
        point = _POINT.fullmatch(line)
        if point and scales:
            scales[-1]["points"].append((int(point[1]), (point[2] or "").strip()))
        elif point:
            raise InvalidInput.of("scales", _("“%(line)s” comes before the first title.") % {"line": line})
        elif line:
            title, _colon, question = line.partition(":")
            name = slugify(title).replace("-", "_")
            scales.append({"name": name, "title": title.strip(), "question": question.strip(), "points": []})
    return scales


def _scale(entry: object, place: int, problems: list[str]) -> Scale | None:
    """One scale; None, with the reasons among the problems, when it is not valid."""
    if isinstance(entry, Scale):
        return entry
    if not isinstance(entry, Mapping) or set(entry) - {"name", "title", "question", "points"}:
        message = _("Scale %(place)d must be an object with name, title, question and points.")
        problems.append(message % {"place": place})
        return None
    name, points = entry.get("name"), _points(entry.get("points"))
    title, question = entry.get("title", name), entry.get("question", "")
    known = len(problems)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        message = _(
            "Scale %(place)d: the name may have lowercase Latin letters, digits and _, and must start with a letter."
        )
        problems.append(message % {"place": place})
    if not (title and _is_text(title, TITLE_LIMIT) and _is_text(question, QUESTION_LIMIT)):
        message = _(
            "Scale %(place)d: title and question must be text of at most %(title)d and %(question)d characters."
        )
        problems.append(message % {"place": place, "title": TITLE_LIMIT, "question": QUESTION_LIMIT})
    if points is None:
        message = _(
            "Scale %(place)d: write %(fewest)d to %(most)d different points, each a digit from 0 to 9 and a label."
        )
        problems.append(message % {"place": place, "fewest": FEWEST_POINTS, "most": MOST_POINTS})
    if len(problems) > known or points is None:
        return None
    return Scale(str(name), str(title), str(question), points)


def _points(entries: object) -> tuple[tuple[int, str], ...] | None:
    """In rising order; None when they are not the points of a scale."""
    if not isinstance(entries, (list, tuple)) or not FEWEST_POINTS <= len(entries) <= MOST_POINTS:
        return None
    for point in entries:
        if not (isinstance(point, (list, tuple)) and len(point) == 2 and _is_text(point[1], LABEL_LIMIT)):
            return None
        if isinstance(point[0], bool) or not isinstance(point[0], int) or not 0 <= point[0] <= 9:
            return None
    points = tuple(sorted((int(value), str(label)) for value, label in entries))
    return points if len({value for value, _label in points}) == len(points) else None


def _is_text(value: object, limit: int) -> bool:
    return isinstance(value, str) and len(value) <= limit and "\x00" not in value
