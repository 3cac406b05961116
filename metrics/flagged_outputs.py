"""The flags of a campaign's outputs, as a run has stored them: chosen, counted, and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import Campaign
from campaigns.queries import systems_of
from jobs.models import Run
from metrics.flagging import outputs as rules
from metrics.models import OutputFlag

TITLES: Mapping[str, Promise] = {
    rules.EMPTY: gettext_lazy("Empty"),
    rules.OTHER_LANGUAGE: gettext_lazy("Other language"),
    rules.UNTRANSLATED: gettext_lazy("Untranslated"),
    rules.COPIED: gettext_lazy("Same as another system"),
    rules.CUT: gettext_lazy("Cut"),
    rules.NUMBERS: gettext_lazy("Numbers differ"),
    rules.CODES: gettext_lazy("Placeholders or markup differ"),
}


@dataclass(frozen=True)
class FlagChoice:
    """Which flags are listed; empty texts are not conditions."""

    flag: str = ""
    system: str = ""
    document: str = ""


@dataclass(frozen=True)
class FlagDetail:
    """As `metrics.flagging.outputs.Flag` has it, with systems by name."""

    expected: str = ""
    found: str = ""
    share: float | None = None
    missing: Sequence[str] = field(default_factory=list)
    added: Sequence[str] = field(default_factory=list)
    systems: Sequence[str] = field(default_factory=list)


def flagged_outputs(campaign: Campaign, run: Run, choice: FlagChoice | None = None) -> QuerySet[OutputFlag]:
    """Of the systems that the campaign judges, in the order of documents; with texts and names."""
    choice = choice or FlagChoice()
    conditions = Q(run=run, translation__system__in=systems_of(campaign))
    if choice.flag:
        conditions &= Q(name=choice.flag)
    if choice.system:
        conditions &= Q(translation__system__name=choice.system)
    if choice.document:
        conditions &= Q(translation__segment__document__name=choice.document)
    texts = "translation__segment__document", "translation__system"
    return OutputFlag.objects.filter(conditions).select_related(*texts).order_by("pk")


def counts_by_system(campaign: Campaign, run: Run) -> dict[str, dict[str, int]]:
    """How often each of the campaign's systems has each flag, as the run has counted; every system, by name."""
    counted: Mapping[str, Mapping[str, int]] = (run.result or {}).get("systems", {})
    names = systems_of(campaign).order_by("name").values_list("name", flat=True)
    return {name: {flag: counted.get(name, {}).get(flag, 0) for flag in rules.FLAGS} for name in names}


def detail_of(row: OutputFlag) -> FlagDetail:
    return FlagDetail(**row.detail)


def in_words(row: OutputFlag) -> str:
    """What exactly it is."""
    detail = detail_of(row)
    words: dict[str, Any] = {
        rules.OTHER_LANGUAGE: _language,
        rules.UNTRANSLATED: _untranslated,
        rules.COPIED: _copied,
        rules.CUT: _cut,
    }
    if row.name in words:
        return str(words[row.name](detail))
    parts = [_listed(_("missing"), detail.missing), _listed(_("added"), detail.added)]
    return "; ".join(part for part in parts if part)


def _language(detail: FlagDetail) -> str:
    shown = {"expected": detail.expected, "found": detail.found, "share": f"{detail.share or 0:.2f}"}
    return _("%(expected)s expected, %(found)s found (%(share)s)") % shown


def _untranslated(detail: FlagDetail) -> str:
    share = detail.share or 0
    return _("equal to the source") if share == 1 else _("%(percent)d %% of the source’s words") % _percent(share)


def _copied(detail: FlagDetail) -> str:
    number = len(detail.systems)
    title = ngettext("same text: %(number)d other system", "same text: %(number)d other systems", number)
    return f"{title % {'number': number}}: {', '.join(detail.systems)}"


def _cut(detail: FlagDetail) -> str:
    if detail.found == "short":
        return _("%(percent)d %% of the expected length") % _percent(detail.share or 0)
    return _("no full stop at the end, where the source has one")


def _percent(share: float) -> dict[str, int]:
    return {"percent": round(100 * share)}


def _listed(title: str, texts: Sequence[str]) -> str:
    """“missing (3): 12, 40, 7”."""
    return f"{title} ({len(texts)}): {', '.join(texts)}" if texts else ""
