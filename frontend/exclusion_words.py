"""The effects of a decision about an annotator, in sentences: for the page and for programs."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.protocols.base import Text
from frontend.templatetags.numbers import decimals
from frontend.templatetags.words import count
from metrics.analyses.exclusion import SystemTwice, Trial
from metrics.results.values import Ends, Missing

MOST_NAMED = 6


def trial_sentences(trial: Trial, titles: Mapping[str, Text]) -> list[str]:
    """`titles` are those of measures, by name."""
    return [_judgments(trial), *_agreement(trial, titles), *_order(trial)]


def _judgments(trial: Trial) -> str:
    before, after = trial.judgments
    shown = {"count": count(abs(before - after)), "all": count(max(before, after))}
    if after <= before:
        sentence = ngettext(
            "%(count)s of %(all)s judgments leaves the results. It stays in the exports.",
            "%(count)s of %(all)s judgments leave the results. They stay in the exports.",
            before - after,
        )
    else:
        sentence = ngettext(
            "%(count)s judgment comes back, %(all)s in all.",
            "%(count)s judgments come back, %(all)s in all.",
            after - before,
        )
    return sentence % shown


def _agreement(trial: Trial, titles: Mapping[str, Text]) -> Iterator[str]:
    for each in trial.agreement:
        before, after = (
            _("n/a") if value is None or isinstance(value, Missing) else _with_interval(value, interval)
            for value, interval in zip(each.value, each.interval, strict=True)
        )
        sentence = (
            _("%(measure)s: agreement (kappa) goes from %(before)s to %(after)s.")
            if each.coefficient == "kappa"
            else _("%(measure)s: agreement (alpha) goes from %(before)s to %(after)s.")
        )
        yield sentence % {"measure": titles.get(each.measure, each.measure), "before": before, "after": after}


def _order(trial: Trial) -> Iterator[str]:
    if any(trial.too_early):
        yield _("It is too early for a ranking; the ranks below are preliminary.")
    changed = [system for system in trial.main_systems if system.is_changed]
    for system in changed[:MOST_NAMED]:
        yield _moved(system)
    if len(changed) > MOST_NAMED:
        more = len(changed) - MOST_NAMED
        yield ngettext("%(count)d other system moves.", "%(count)d other systems move.", more) % {"count": more}
    if not changed:
        yield _("No system changes its place, rank range or cluster.")


def _moved(system: SystemTwice) -> str:
    names = {
        "system": system.system,
        "before": system.ranks[0],
        "after": system.ranks[1],
        "first": system.cluster[0],
        "second": system.cluster[1],
    }
    if not system.rank[1]:
        return _("%(system)s has no judgment left.") % names
    if not system.rank[0]:
        return _("%(system)s enters the ranking with rank %(after)s.") % names
    if system.rank[0] != system.rank[1]:
        return _("%(system)s goes from rank %(before)s to %(after)s.") % names
    if system.cluster[0] != system.cluster[1]:
        return _("%(system)s goes from cluster %(first)s to cluster %(second)s.") % names
    return _("%(system)s changes its place in the order; its rank range stays the same.") % names


def _with_interval(value: float, interval: Ends | None) -> str:
    if interval is None or isinstance(interval, Missing):
        return decimals(value, 2)
    shown = dict(zip(("value", "low", "high"), (decimals(each, 2) for each in (value, *interval)), strict=True))
    return _("%(value)s (%(low)s to %(high)s)") % shown
