"""A questionnaire as a file: `json`, with its consent text, or a table with a question a row. See docs/formats.md."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from campaigns.form_questions import (
    CONSENT_LIMIT,
    MOST_QUESTIONS,
    Choice,
    QuestionSpec,
    as_text,
    questionnaire_errors,
    with_names,
)
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.workbook import is_workbook
from exchange.cells import restore
from exchange.formats.pearmut_records import is_json, whole_json
from exchange.reading import ImportFileError, SourceFile, check_header, note_unknown

COLUMNS = (
    *("name", "kind", "text", "help", "required", "choices"),
    *("low", "high", "low_label", "high_label", "longest", "screens_out"),
)
SEPARATOR = "|"
_NAMED = re.compile(r"([a-z0-9][a-z0-9_-]*)\s*=\s*(.*)", re.DOTALL)
_YES_NO: Mapping[str, bool] = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_TEXTS = ("name", "kind", "text", "help", "low_label", "high_label")


@dataclass(frozen=True)
class ReadQuestionnaire:
    """`consent` is None where the file has none: a table never has."""

    questions: tuple[QuestionSpec, ...]
    consent: str | None = None


@dataclass(frozen=True)
class _Place:
    """Where a question stands: a line of a table, or its place in JSON."""

    file: SourceFile
    line: int | None
    path: str

    def refuse(self, field: str, message: str, value: object = "") -> None:
        column = f"{self.path}.{field}" if self.path else field
        self.file.problems.add(self.file.name, self.line, column, message, str(value) if value != "" else "")


def read_questionnaire(path: Path, name: str, problems: Problems) -> ReadQuestionnaire:
    """Raises ImportFileError with every problem, each with its line or its place in JSON."""
    read = ReadQuestionnaire(())
    with suppress(UnreadableFileError):  # the reason is among the problems
        file = SourceFile(path, name, problems)
        file.check_is_text(lambda beginning: is_json(beginning) or is_workbook(beginning))
        head = file.header().lstrip("\ufeff ")
        read = _of_json(file) if is_json(head) else _of_table(file, is_tabbed="\t" in head)
    if problems.count:
        raise ImportFileError(problems=problems)
    return read


def _of_json(file: SourceFile) -> ReadQuestionnaire:
    value = whole_json(file)
    whole = value if isinstance(value, Mapping) else {"questions": value}
    consent, rows = whole.get("consent"), whole.get("questions")
    note_unknown([str(key) for key in whole if key not in ("consent", "questions")], file.problems)
    if consent is not None and (not isinstance(consent, str) or len(consent) > CONSENT_LIMIT):
        file.line().refuse("consent", _("A text of at most %(most)d characters.") % {"most": CONSENT_LIMIT})
        consent = None
    if not isinstance(rows, list) or not rows:
        file.refuse(_("`questions` must be a list with at least one question."))
    placed = []
    for number, row in enumerate(rows[: MOST_QUESTIONS + 1]):
        place = _Place(file, None, f"questions[{number}]")
        if isinstance(row, Mapping):
            placed.append((place, row))
        else:
            place.refuse("", _("A question must be a JSON object."))
    return ReadQuestionnaire(_checked(file, placed), consent)


def _of_table(file: SourceFile, *, is_tabbed: bool) -> ReadQuestionnaire:
    rows = file.table_rows(is_tabbed=is_tabbed)
    first, header = next(rows, (1, []))
    columns = [title.strip().lower() for title in header]
    check_header(columns, ("kind", "text"), COLUMNS, file.line(first))
    note_unknown([column for column in columns if column not in COLUMNS], file.problems)
    placed: list[tuple[_Place, Mapping[str, Any]]] = []
    for number, cells in rows:
        if file.line(number).has_width(cells, len(columns)):
            values = {name: restore(cell.strip()) for name, cell in zip(columns, cells, strict=True) if cell.strip()}
            placed.append((_Place(file, number, ""), values))
    if not placed and not file.problems.count:
        file.refuse(_("The file has a header but no questions."), 1)
    return ReadQuestionnaire(_checked(file, placed))


def _checked(file: SourceFile, placed: Sequence[tuple[_Place, Mapping[str, Any]]]) -> tuple[QuestionSpec, ...]:
    """All errors of form and of content, each once."""
    before = file.problems.count
    questions = [_question(place, values) for place, values in placed]
    if file.problems.count > before:
        return ()
    named = with_names(questions)
    for (number, field), messages in questionnaire_errors(named).items():
        for message in messages:
            if number < 0:
                file.line().refuse(field, message)
            else:
                place, values = placed[number]
                shown = values.get(field, "")
                place.refuse(field, message, shown if isinstance(shown, str | int | float) else "")
    return tuple(named)


def _question(place: _Place, values: Mapping[str, Any]) -> QuestionSpec:
    for key in values:
        if key not in COLUMNS and place.path:
            place.refuse(str(key)[:80], _("Unknown key. Allowed: %(known)s.") % {"known": ", ".join(COLUMNS)})
    texts = {name: _text(place, values, name) for name in _TEXTS}
    longest = _number(place, values, "longest")
    if longest is not None and not float(longest).is_integer():
        place.refuse("longest", _("This must be a whole number."), longest)
    return QuestionSpec(
        **texts,
        is_required=_switch(place, values),
        choices=tuple(_choices(place, values.get("choices", ""))),
        low=_number(place, values, "low"),
        high=_number(place, values, "high"),
        longest=None if longest is None else int(longest),
        screens_out=_screening(place, values.get("screens_out", "")),
    )


def _screening(place: _Place, value: object) -> tuple[str, ...]:
    """Answers that do not qualify: names or labels of choices, or points, divided by `|` or in a list."""
    parts = str(value).split(SEPARATOR) if isinstance(value, str | int) else value
    if not isinstance(parts, list) or not all(isinstance(each, str | int) for each in parts):
        place.refuse("screens_out", _("This must be a list of answers."))
        return ()
    return tuple(str(each).strip() for each in parts if str(each).strip())


def _text(place: _Place, values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        place.refuse(name, _("This must be a text."), value)
    return value.strip() if isinstance(value, str) else ""


def _switch(place: _Place, values: Mapping[str, Any]) -> bool:
    value = values.get("required", True)
    known = value if isinstance(value, bool) else _YES_NO.get(str(value).lower())
    if known is None:
        place.refuse("required", _("Write yes or no."), value)
    return known is not False


def _number(place: _Place, values: Mapping[str, Any], name: str) -> float | None:
    value = values.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value.replace(",", "."))
    elif not isinstance(value, bool) and isinstance(value, int | float):
        with suppress(OverflowError):
            return float(value)
    place.refuse(name, _("Write a number, such as 12 or 2.5."), str(value)[:80])
    return None


def _choices(place: _Place, value: object) -> Iterator[Choice]:
    """Texts divided by `|`, or a list of texts or objects; a name may stand before its label, `no=Not at all`."""
    parts = value.split(SEPARATOR) if isinstance(value, str) else value
    if not isinstance(parts, list):
        place.refuse("choices", _("This must be a list of choices."))
        return
    for part in parts:
        if isinstance(part, str):
            if part.strip():
                yield choice_of(part)
        elif isinstance(part, Mapping) and all(isinstance(part.get(key, ""), str) for key in ("name", "label")):
            yield Choice(part.get("name", ""), part.get("label", "").strip())
        else:
            message = _('A choice is a text, or an object such as {"name": "no", "label": "Not at all"}.')
            place.refuse("choices", message)


def choice_of(text: str) -> Choice:
    if named := _NAMED.fullmatch(text.strip()):
        return Choice(named[1], named[2].strip())
    return Choice("", text.strip())


def as_object(questions: Sequence[QuestionSpec], consent: str) -> dict[str, Any]:
    """As in a file of JSON."""
    return {"consent": consent, "questions": [_as_json(each) for each in questions]}


def written_json(questions: Sequence[QuestionSpec], consent: str) -> str:
    return json.dumps(as_object(questions, consent), ensure_ascii=False, indent=1) + "\n"


def _as_json(question: QuestionSpec) -> dict[str, Any]:
    """Without what the question does not have."""
    row = question.as_row()
    row["required"] = row.pop("is_required")
    for name in ("low", "high"):
        row[name] = None if row[name] is None else int(row[name]) if float(row[name]).is_integer() else row[name]
    return {name: row[name] for name in COLUMNS if row[name] not in ("", None, [])}


def table_rows_of(questions: Sequence[QuestionSpec]) -> Iterator[list[str]]:
    for question in questions:
        row = _as_json(question)
        row["required"] = "yes" if question.is_required else "no"
        row["choices"] = SEPARATOR.join(f"{each.name}={each.label}" for each in question.choices)
        row["screens_out"] = SEPARATOR.join(question.screens_out)
        row |= {name: as_text(row[name]) for name in ("low", "high", "longest") if name in row}
        yield [row.get(name, "") for name in COLUMNS]
