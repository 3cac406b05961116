"""The sentence a results page opens with, by fixed templates from the ranking; None when none applies."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

MOST_NAMED = 3


def finding_of(systems: Sequence[Mapping[str, Any]]) -> str | None:
    """`systems` as the analysis `ranking` gives them, in rank order, each with `is_human` added."""
    if len(systems) < 2:
        return None
    leaders = [system for system in systems if system["cluster"] == systems[0]["cluster"]]
    humans = [system for system in systems if system["is_human"]]
    if len(leaders) == len(systems):
        return _("No system can be told apart from another yet")
    if humans and humans[0] in leaders:
        return _beside_the_human(leaders)
    if len(leaders) == 1:
        return _("%(name)s is ahead of all others") % {"name": leaders[0]["system"]}
    if len(leaders) <= MOST_NAMED:
        return _("%(names)s lead and cannot be told apart") % {"names": _listed(leaders)}
    return ngettext("%(count)d system leads", "%(count)d systems lead and cannot be told apart", len(leaders)) % {
        "count": len(leaders)
    }


def _beside_the_human(leaders: Sequence[Mapping[str, Any]]) -> str:
    machines = [system for system in leaders if not system["is_human"]]
    if not machines:
        return _("The human translation is ahead of every system")
    if len(machines) > MOST_NAMED:
        return _("%(count)d systems are level with the human translation") % {"count": len(machines)}
    return ngettext(
        "%(names)s is level with the human translation", "%(names)s are level with the human translation", len(machines)
    ) % {"names": _listed(machines)}


def _listed(systems: Sequence[Mapping[str, Any]]) -> str:
    return str(get_text_list([system["system"] for system in systems], _("and")))
