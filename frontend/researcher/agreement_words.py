"""What the page of agreement says of its numbers: names, how to read them, why one is missing, and its finding."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from metrics.analyses.agreement_tables import TENTATIVE

Words = str | Promise

RELIABLE = 0.8
MOST_NAMED = 3

CONTROL_STATES: Mapping[str, tuple[str, Words]] = {
    "passed": ("ok", gettext_lazy("passed")),
    "failed": ("bad", gettext_lazy("failed")),
    "too_few": ("", gettext_lazy("too few")),
}

FLAGS: Mapping[str, Words] = {
    "controls_failed": gettext_lazy("damaged items not told from the originals"),
    "degraded_not_lower": gettext_lazy("damaged items score no lower than the others"),
    "low_agreement": gettext_lazy("goes with the others far less than is usual here"),
    "uniform": gettext_lazy("nearly always the same answer"),
    "fast": gettext_lazy("under 3 seconds on average"),
    "hasty": gettext_lazy("takes under a third of the time the others take"),
    "same_score_run": gettext_lazy("more than 8 equal answers in a row"),
    "above_reference": gettext_lazy("systems score no lower than planted references"),
    "low_reference": gettext_lazy("planted references score below nine tenths of the scale"),
    "no_z": gettext_lazy("no spread, so that there is no z-score"),
    "few_judgments": gettext_lazy("fewer than 10 judgments"),
    "controls_insufficient": gettext_lazy("too few control items to test"),
}
# The others only say how little is known.
GRAVE = frozenset(
    {"controls_failed", "degraded_not_lower", "low_agreement", "uniform", "fast", "hasty", "same_score_run"}
)
OF_CONTROLS = frozenset({"controls_failed", "degraded_not_lower"})


def finding_of(interval: tuple[float, float] | None, *, to_look_at: Sequence[str], measured: bool) -> str | None:
    """The sentence the page opens with, of the main measure's interval; it says no more than the interval does.

    `to_look_at` are names: whoever is to decide on somebody must not have to look for them in a table.
    """
    if not measured:
        return None
    agreed = _agreed(interval)
    if not to_look_at:
        return agreed
    count = len(to_look_at)
    if count <= MOST_NAMED:
        names = get_text_list(list(to_look_at), _("and"))
        looked = _("look at %(names)s") % {"names": names}
    else:
        looked = ngettext("one should be looked at", "%(count)d should be looked at", count) % {"count": count}
    return _("%(agreement)s; %(people)s") % {"agreement": agreed, "people": looked}


def _agreed(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return _("Agreement cannot be measured yet")
    low, high = interval
    if high < 0:
        return _("Annotators agree less than by chance")
    if low <= 0:
        return _("It cannot be told whether annotators agree beyond chance")
    return _more_than_by_chance(low, high)


def _more_than_by_chance(low: float, high: float) -> str:
    if low >= RELIABLE:
        return _("Annotators agree closely")
    if low >= TENTATIVE:
        return _("Annotators agree well enough for tentative conclusions")
    if high < TENTATIVE:
        return _("Annotators agree beyond chance, but not enough for tentative conclusions")
    return _("Annotators agree beyond chance, perhaps enough for tentative conclusions")


def flag_words(entry: Mapping[str, Any]) -> list[tuple[str, Words]]:
    """(level, words) of each flag, what is grave first; that somebody is left out is said elsewhere."""
    grave = grave_flags(entry)
    raised = [flag for flag in FLAGS if flag in entry["flags"] and (flag in grave or flag not in OF_CONTROLS)]
    return [("warn" if flag in grave else "", FLAGS[flag]) for flag in raised]


def grave_flags(entry: Mapping[str, Any]) -> frozenset[str]:
    """What casts doubt on the answers; a handful of control items does not."""
    raised = GRAVE & set(entry["flags"])
    return raised if entry.get("control_state") == "failed" else raised - OF_CONTROLS
