"""The segments worth judging for a budget, by stored scores of a metric, by the outputs, or by chance.

And what to expect of them: how well the chosen segments order the systems as all do, by the metric's own scores.
"""

from collections.abc import Sequence
from functools import cached_property

from django.utils.translation import gettext as _

import numpy as np

from annotation.item_choice import BY_SCORES, NO_METRIC, ItemChoice, ItemRequest
from annotation.planning.text_units import has_spaced_words, word_ranges
from campaigns.invalid_input import InvalidInput
from campaigns.models import Question, Segment, TestSet, Translation
from metrics import VERSION
from metrics.automatic import METRICS
from metrics.scoring.reading import MetricScores, TestSetScores, metrics_with_scores, read_metric_scores
from metrics.statistics.arrays import BoolArray, FloatArray
from metrics.statistics.item_selection import select_items, unigram_diversity, utilities_of_scores

_ROWS_AT_ONCE = 2_000


class ItemTable:
    """The segments that may be chosen, in the order of the test set, with what they promise and cost."""

    def __init__(self, request: ItemRequest) -> None:
        self.request = request
        rows = list(self._rows())
        self.ids = tuple(row[0] for row in rows)
        self.names = tuple((row[1], row[2]) for row in rows)
        documents = [row[1] for row in rows]
        self.document = np.unique(np.array(documents, dtype=np.str_), return_inverse=True)[1].astype(np.int64)
        domains = [row[3] or row[4] or "" for row in rows]
        self.domains = np.array(domains, dtype=np.str_) if len(set(domains)) > 1 else None
        self._sources = [row[5] or "" for row in rows]

    def _rows(self) -> Sequence[tuple[int, str, str, str, str, str | None]]:
        segments = Segment.objects.filter(document__test_set=self.request.test_set)
        if self.request.needs_questions:
            segments = segments.filter(document__in=Question.objects.values("document"))
        columns = ("pk", "document__name", "name", "domain", "document__domain", "source")
        return list(segments.order_by("document__position", "position").values_list(*columns))

    @cached_property
    def words(self) -> FloatArray:
        """A source without words costs as much as one word."""
        return np.array([max(1, len(word_ranges(source))) for source in self._sources], dtype=np.float64)

    @cached_property
    def costs(self) -> FloatArray | None:
        """In the unit of the budget; None where it counts segments."""
        match self.request.unit:
            case "words":
                return self.words
            case "seconds":
                is_spaced = has_spaced_words(self.request.test_set.source_language)
                length = self.words / self.words.mean() if is_spaced and self.words.size else np.ones(len(self.ids))
                return np.maximum(1e-9, length * self.request.seconds_per_output * max(1, len(self.request.systems)))
        return None

    @property
    def total(self) -> float:
        return float(len(self.ids) if self.costs is None else self.costs.sum())

    @cached_property
    def metric(self) -> tuple[MetricScores, TestSetScores] | None:
        if not self.request.metric:
            return None
        scores = read_metric_scores(self.request.test_set, metrics=[self.request.metric])
        return (scores.metrics[0], scores) if scores.metrics else None

    @cached_property
    def scores(self) -> FloatArray | None:
        """(n_systems, n_segments), higher is better; without systems that the metric compared with."""
        if self.metric is None:
            return None
        metric, read = self.metric
        wanted = set(self.request.systems or read.systems) - set(metric.references)
        rows = [row for row, name in enumerate(read.systems) if name in wanted]
        place = {key: column for column, key in enumerate(read.segment_ids)}
        values = metric.sign * metric.segments[np.ix_(rows, [place[key] for key in self.ids])]
        scored: FloatArray = values[~np.isnan(values).all(axis=1)]
        return scored

    @cached_property
    def utilities(self) -> FloatArray:
        match self.request.method:
            case "variance" | "average" | "consistency":
                if self.scores is None or not self.scores.size:
                    raise InvalidInput.of("selection_metric", no_scores(self.request.test_set, self.request.metric))
                return utilities_of_scores(self.scores, method=self.request.method)
            case "diversity-unigram":
                return unigram_diversity([[text.split() for text in texts] for texts in self._outputs])
            case "diversity-chrf":
                return np.array([_chrf_diversity(texts) for texts in self._outputs], dtype=np.float64)
        return self.drawn(np.random.default_rng(self.request.seed))

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """A number by chance, one for all segments of what is chosen whole."""
        unit = self.document if self.request.whole == "documents" else np.arange(len(self.ids))
        return rng.permutation(int(unit.max(initial=-1)) + 1).astype(np.float64)[unit]

    @cached_property
    def _outputs(self) -> list[list[str]]:
        outputs: dict[int, list[str]] = {key: [] for key in self.ids}
        rows = Translation.objects.filter(segment__document__test_set=self.request.test_set, text__isnull=False)
        if self.request.systems:
            rows = rows.filter(system__name__in=self.request.systems)
        rows = rows.order_by("segment", "system__name")
        for key, text in rows.values_list("segment", "text").iterator(chunk_size=_ROWS_AT_ONCE):
            if key in outputs:
                outputs[key].append(text or "")
        return list(outputs.values())

    def chosen(self, budget: float, utilities: FloatArray | None = None) -> BoolArray:
        return select_items(
            self.utilities if utilities is None else utilities,
            budget=budget,
            costs=self.costs,
            groups=self.document if self.request.whole == "documents" else None,
            domains=self.domains,
        )

    def probabilities(self, chosen: BoolArray) -> FloatArray:
        """1 where nothing is drawn; else the share of the domain's documents, or segments, that are chosen."""
        if self.request.method != "random":
            return chosen.astype(np.float64)
        unit = self.document if self.request.whole == "documents" else np.arange(len(self.ids))
        labels = self.domains if self.domains is not None else np.zeros(len(self.ids))
        shares = np.zeros(len(self.ids))
        for label in np.unique(labels):
            of_domain = labels == label
            shares[of_domain] = np.unique(unit[of_domain & chosen]).size / np.unique(unit[of_domain]).size
        return shares

    @property
    def signature(self) -> str:
        request = self.request
        parts = [request.method, *([f"metric-{request.metric}"] if request.method in BY_SCORES else [])]
        parts += [
            f"{request.budget}-{request.unit}",
            request.whole,
            "domains-keep-shares" if self.domains is not None else "",
        ]
        if request.method == "random":
            parts.append(f"seed-{request.seed}")
        if self.metric is not None and request.method in BY_SCORES:
            parts += self.metric[0].all_signatures
        return ",".join(each.replace("|", ",") for each in (*parts, f"assay-{VERSION}") if each)


def _chrf_diversity(texts: Sequence[str]) -> float:
    """Minus the mean chrF over all ordered pairs of outputs, each with itself too, as subset2evaluate has it."""
    if len(texts) < 2:
        return float("nan")
    chrf = METRICS["chrf"]()
    rows = [chrf.segment_statistics(one, [other]) for one in texts for other in texts]
    return -float(chrf.values(np.array(rows, dtype=np.float64)).mean())


def no_scores(test_set: TestSet, metric: str) -> str:
    """Which metrics have scores of segments, where this one has none."""
    known = metrics_with_scores(test_set)
    if not known:
        return _(
            "This test set has no scores of metrics. Score it or import scores first, or let something else choose."
        )
    return _("This test set has no scores of “%(metric)s”. There are: %(known)s.") % {
        "metric": metric,
        "known": ", ".join(known),
    }


class _ByMetrics:
    """The chooser that settings name."""

    def problems(self, request: ItemRequest) -> dict[str, str]:
        problems = {}
        if request.method in BY_SCORES and not request.metric:
            problems["selection_metric"] = str(NO_METRIC)
        elif (request.method in BY_SCORES or request.metric) and request.metric not in metrics_with_scores(
            request.test_set
        ):
            problems["selection_metric"] = no_scores(request.test_set, request.metric)
        if request.unit == "words" and not has_spaced_words(request.test_set.source_language):
            problems["selection_unit"] = _("The source’s language does not put blanks between words. Count segments.")
        return problems

    def choose(self, request: ItemRequest) -> ItemChoice:
        table = ItemTable(request)
        chosen = table.chosen(request.budget)
        probabilities, utilities = table.probabilities(chosen), table.utilities
        is_drawn = request.method == "random"
        keys = [(place, key) for place, key in enumerate(table.ids) if chosen[place]]
        return ItemChoice(
            utilities={key: None if is_drawn else _finite(utilities[place]) for place, key in keys},
            probabilities={key: float(probabilities[place]) for place, key in keys},
            signature=table.signature,
        )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


CHOOSER = _ByMetrics()
