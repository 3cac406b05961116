"""Forms of a campaign of Pearmut: read as questions of a questionnaire, and written from them again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from campaigns.form_questions import Choice, QuestionSpec, questionnaire_errors, with_names
from campaigns.models import Campaign, FormKind, Moment, Questionnaire
from campaigns.queries import questions_of
from exchange.reading import Line

MOMENTS = {"data_welcome": Moment.ENTRY, "data_goodbye": Moment.EXIT}
_KINDS = {"string": FormKind.TEXT, "number": FormKind.NUMBER, "choices": FormKind.SINGLE}
_WRITTEN = {FormKind.SINGLE: "choices", FormKind.SCALE: "choices", FormKind.NUMBER: "number"}
Item = Mapping[str, Any]


def read_form(items: Sequence[Item], where: str, line: Line, text_of: Callable[[object], str]) -> list[QuestionSpec]:
    """The questions of one form; `text_of` takes its markup off a text. A script asks nothing and is left out."""
    return [
        _question(item, f"{where}[{number}]", line, text_of)
        for number, item in enumerate(items)
        if item.get("form") is not None and item["form"] != "script"
    ]


def _question(item: Item, where: str, line: Line, text_of: Callable[[object], str]) -> QuestionSpec:
    kind, choices = item["form"], item.get("choices")
    if not isinstance(kind, str) or kind not in _KINDS:
        line.refuse(f"{where}.form", _("Unknown value. Known: %(known)s.") % {"known": ", ".join(_KINDS)}, str(kind))
    if choices is not None and (not isinstance(choices, list) or not all(isinstance(each, str) for each in choices)):
        line.refuse(f"{where}.choices", _("This must be a list of choices."))
        choices = []
    labels = choices if kind == "choices" else ()
    return QuestionSpec(
        name="",
        kind=_KINDS.get(str(kind), FormKind.TEXT),
        text=text_of(item.get("text")).strip(),
        choices=tuple(Choice("", label.strip()) for label in labels or ()),
    )


def checked_forms(forms: Mapping[str, Sequence[QuestionSpec]], line: Line) -> dict[str, list[QuestionSpec]]:
    """By moment, with names; what no questionnaire can ask is refused at its part of the file."""
    parts = {moment: part for part, moment in MOMENTS.items()}
    named = {moment: with_names(questions) for moment, questions in forms.items() if questions}
    for moment, questions in named.items():
        for (place, field), messages in questionnaire_errors(questions).items():
            shown = questions[place].text if place >= 0 else ""
            for message in messages:
                line.refuse(f"{parts[Moment(moment)]}.{field}", message, shown)
    return named


def written_forms(campaign: Campaign, moment: str) -> list[list[dict[str, Any]]]:
    """A document with an item for each question, as the file's part has them; none without a questionnaire."""
    form = Questionnaire.objects.filter(campaign=campaign, moment=moment, is_asked=True).first()
    items = [_written(each) for each in questions_of(form)] if form else []
    return [items] if items else []


def _written(question: QuestionSpec) -> dict[str, Any]:
    """Any of several choices is asked as a text, in which they are named."""
    kind, text = _WRITTEN.get(FormKind(question.kind), "string"), " ".join((question.text, question.help)).strip()
    if question.kind == FormKind.MULTIPLE:
        return {"text": f"{text} ({', '.join(each.label for each in question.choices)})", "form": kind}
    if question.kind == FormKind.SCALE:
        ends = [f"{each}" for each in question.points]
        for place, label in ((0, question.low_label), (-1, question.high_label)):
            ends[place] += f" ({label})" if label else ""
        return {"text": text, "form": kind, "choices": ends}
    item = {"text": text, "form": kind}
    return item | ({"choices": [each.label for each in question.choices]} if question.has_choices else {})


def losses_of_forms(campaign: Campaign) -> Iterator[str]:
    """What of questionnaires has no equal there."""
    forms = list(Questionnaire.objects.filter(campaign=campaign, is_asked=True))
    questions = [each for form in forms for each in questions_of(form)]
    if forms:
        yield _("Of questionnaires, consent, names, bounds and what is optional are not in the file.")
    if count := sum(each.kind in (FormKind.MULTIPLE, FormKind.SCALE) for each in questions):
        yield _("Questions with any of several choices or a scale, written as texts and choices: %(count)d.") % {
            "count": count
        }
