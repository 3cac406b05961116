"""`adjudications-csv`: one row for each decision × system × measure, also undone ones, in the order they were made."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.db.models import F

from annotation.models import Adjudication
from annotation.protocols import protocol_for
from annotation.queries.adjudications import observed
from campaigns.models import Account, Campaign
from exchange.cells import safe_name, safe_text, written_answer
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table, as_number, as_time
from metrics.derivations import JudgedText, derivations_of


class _Line(NamedTuple):
    """One number of one decision for one of its systems."""

    made: Adjudication
    system: str
    measure: str
    value: float | None
    choice: ExportChoice

    def name_of(self, account: Account | None) -> str:
        return "" if account is None else safe_name(self.choice.called(account.username))


_CELLS: dict[str, Callable[[_Line], str]] = {
    "adjudication": lambda line: str(line.made.pk),
    "document": lambda line: safe_name(line.made.translation.segment.document.name),
    "segment": lambda line: safe_name(line.made.translation.segment.name),
    "system": lambda line: safe_name(line.system),
    "kind": lambda _line: "adjudicated",
    "measure": lambda line: safe_name(line.measure),
    "value": lambda line: "" if line.value is None else as_number(line.value),
    "answer": lambda line: written_answer(line.made.answer),
    "reason": lambda line: safe_name(line.made.reason),
    "judgment": lambda line: "" if line.made.based_on is None else str(line.made.based_on.client_id),
    "decided_by": lambda line: line.name_of(line.made.decided_by),
    "decided": lambda line: as_time(line.made.decided_at),
    "undone_by": lambda line: line.name_of(line.made.undone_by),
    "undone": lambda line: as_time(line.made.undone_at),
    "translation": lambda line: safe_text(line.made.translation.text),
}


def adjudications_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    """Decisions count, whoever is excluded."""
    return Table(tuple(_CELLS), _rows(campaign, choice))


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
                line = _Line(made, system, measure, value, choice)
                yield [cell(line) for cell in _CELLS.values()]


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
