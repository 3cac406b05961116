"""`questionnaires-csv`: a row for each answer to a question, by the annotator's code; docs/formats.md has its columns.

Always by code, whoever fetches it, and without texts, which may name who wrote them: the organiser's own table has
both.
"""

from collections.abc import Iterator

from campaigns.form_questions import QuestionSpec, as_text
from campaigns.models import Campaign, FormAnswer, FormKind
from exchange.cells import safe_name
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_time
from metrics.pseudonyms import codes_of

COLUMNS = ("annotator", "questionnaire", "question", "kind", "reply", "label", "text", "answered")


def questionnaires_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    return Table(COLUMNS, _rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    codes = codes_of(campaign)
    answers = FormAnswer.objects.filter(question__questionnaire__campaign=campaign).exclude(
        question__kind=FormKind.TEXT
    )
    if choice.left_out:
        answers = answers.exclude(annotator__in=choice.left_out)
    related = answers.select_related("question__questionnaire", "annotator")
    ordered = related.order_by("question__questionnaire__moment", "question__position", "pk")
    for answer in ordered.iterator(CHUNK):
        question = QuestionSpec.of(answer.question)
        cells = [
            codes[answer.annotator.username],
            answer.question.questionnaire.moment,
            question.name,
            question.kind,
            as_text(answer.value),
            question.label_of(answer.value),
            question.text,
        ]
        yield [*map(safe_name, cells), as_time(answer.answered_at)]
