"""The sentences a page of metrics opens with: which one correlates best with human judgments, where one misleads."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from metrics.analyses.correlation import ComparedSystem, leading_statistic, of_level
from metrics.analyses.metric_levels import CorrelatedMetric
from metrics.analyses.score_tables import ScoreTables
from metrics.results.values import Ends, Missing
from metrics.scoring.reading import MetricScores

FEWEST_SYSTEMS = 3
MOST_NAMED = 3


def findings_of_metrics(tables: ScoreTables, *, is_of_slice: bool = False) -> list[str]:
    """The most informative first; which one correlates best is about the whole campaign."""
    metrics = tables.correlations.metrics if tables.correlations and not is_of_slice else ()
    sentences = (
        closest_of(metrics, {metric.name: metric.title for metric in tables.metrics}),
        first_places([*tables.judged.values()], tables.scores.metrics),
    )
    return [sentence for sentence in sentences if sentence]


def closest_of(metrics: Sequence[CorrelatedMetric], titles: Mapping[str, str]) -> str | None:
    """About segments, or about systems where segments have no result. None for a single metric."""
    levels = (("segment", "item", _("segment by segment")), ("system", "none", _("over systems")))
    for level, grouping, where in levels:
        leading = leading_statistic(level, grouping)
        known = [
            one
            for one in of_level(metrics, level, grouping)
            if not isinstance(getattr(one, leading), Missing) and isinstance(one.group, int)
        ]
        if len(known) > 1:
            sentence = next(_closest(known, titles))
            return _("%(sentence)s, %(where)s") % {"sentence": sentence, "where": where}
    return None


def _closest(metrics: Sequence[CorrelatedMetric], titles: Mapping[str, str]) -> Iterator[str]:
    """Metrics of the first group are those that no other is significantly closer than."""
    leaders = [one for one in metrics if one.group == metrics[0].group]
    if not any(_is_beyond_chance(one) for one in leaders):
        yield _("No metric is shown to correlate with human judgments")
    names = [titles.get(one.metric, one.metric) for one in leaders]
    if len(leaders) == len(metrics):
        yield _("No metric correlates significantly better with human judgments than another")
    if len(leaders) == 1:
        yield _("%(metric)s correlates best with human judgments") % {"metric": names[0]}
    if len(leaders) <= MOST_NAMED:
        listed = {"names": get_text_list(names, _("and"))}
        yield _("%(names)s correlate best with human judgments, without a significant difference") % listed
    yield ngettext(
        "%(count)d metric correlates best with human judgments, without a significant difference",
        "%(count)d metrics correlate best with human judgments, without a significant difference",
        len(leaders),
    ) % {"count": len(leaders)}


def _is_beyond_chance(one: CorrelatedMetric) -> bool:
    """Accuracy with ties has no chance level; the correlation beside it does."""
    ends = one.intervals.get("pearson")
    return isinstance(ends, tuple) and ends[0] > 0


def first_places(systems: Sequence[ComparedSystem], metrics: Sequence[MetricScores]) -> str | None:
    """Where a metric's first place and people's part; `systems` are the best first.

    None when no sentence applies, or where people's intervals overlap, so that people may not have it otherwise.
    """
    compared = [one for one in systems if not one.left_out and not isinstance(one.human, Missing)]
    if len(compared) < FEWEST_SYSTEMS:
        return None
    firsts = []
    for metric in metrics:
        scores = [one.scores.get(metric.name, Missing()) for one in compared]
        known = [score for score in scores if not isinstance(score, Missing)]
        if len(known) == len(compared):
            place = max(range(len(known)), key=lambda at: metric.sign * known[at])
            firsts.append((place + 1, metric, compared[place].system))
    if not firsts:
        return None
    place, metric, system = max(firsts, key=lambda each: each[0])
    if not _is_apart(compared[0].interval, compared[max(place, 2) - 1].interval):
        return None
    if place == 1:
        return _("Every metric ranks %(system)s first, as annotators do") % {"system": system}
    values = {"metric": metric.title, "system": system, "place": place, "count": len(compared)}
    return _("%(metric)s ranks %(system)s first; annotators rank it %(place)d of %(count)d") % values


def _is_apart(one: Ends, other: Ends) -> bool:
    if isinstance(one, Missing) or isinstance(other, Missing):
        return False
    return max(one) < min(other) or max(other) < min(one)
