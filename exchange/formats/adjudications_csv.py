"""`adjudications-csv`: one row for each decision × system × measure, also undone ones, in the order they were made."""

from collections.abc import Iterator

from django.db.models import F

from annotation.models import Adjudication
from annotation.protocols import protocol_for
from annotation.queries.adjudications import observed
from campaigns.models import Campaign
from exchange.cells import safe_name, safe_text, written_answer
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_number, as_time
from metrics.derivations import JudgedText, derivations_of

COLUMNS = (
    "adjudication",
    "document",
    "segment",
    "system",
    "kind",
    "measure",
    "value",
    "answer",
    "reason",
    "judgment",
    "decided_by",
    "decided",
    "undone_by",
    "undone",
    "translation",
)


def adjudications_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """Decisions count, whoever is excluded."""
    return Table(COLUMNS, _rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    protocol = protocol_for(campaign.protocol, campaign.options)
    formulas = derivations_of(campaign.protocol)
    decisions = Adjudication.objects.filter(campaign=campaign).order_by("pk")
    related = ("translation__segment__document", "translation__system", "based_on", "decided_by", "undone_by")
    alike = _systems_alike(campaign)
    for made in decisions.select_related(*related).iterator(CHUNK):
        text = made.translation.text
        values = {score.measure: score.value for score in observed(made, protocol).scores}
        for formula in formulas:
            [derived] = formula.derive([JudgedText(text or "", made.answer)])
            values |= {formula.measure.name: derived.value} if derived is not None else {}
        for system in alike.get(made.pk) or [made.translation.system.name]:
            for measure, value in values.items() or [("", None)]:
                yield _row(made, system, measure, value, choice)


def _systems_alike(campaign: Campaign) -> dict[int, list[str]]:
    """For each decision the systems it applies to; decisions are made by hand, one by one."""
    same = Adjudication.objects.filter(
        campaign=campaign,
        translation__segment__translations__text=F("translation__text"),
        translation__segment__translations__system__campaigns=campaign,
    )
    systems_of: dict[int, list[str]] = {}
    for pk, system in same.order_by("pk").values_list("pk", "translation__segment__translations__system__name"):
        systems_of.setdefault(pk, []).append(system)
    return {pk: sorted(set(systems)) for pk, systems in systems_of.items()}


def _row(made: Adjudication, system: str, measure: str, value: float | None, choice: ExportChoice) -> list[str]:
    segment = made.translation.segment
    return [
        str(made.pk),
        safe_name(segment.document.name),
        safe_name(segment.name),
        safe_name(system),
        "adjudicated",
        safe_name(measure),
        "" if value is None else as_number(value),
        written_answer(made.answer),
        safe_name(made.reason),
        "" if made.based_on is None else str(made.based_on.client_id),
        "" if made.decided_by is None else safe_name(choice.called(made.decided_by.username)),
        as_time(made.decided_at),
        "" if made.undone_by is None else safe_name(choice.called(made.undone_by.username)),
        as_time(made.undone_at),
        safe_text(made.translation.text),
    ]
