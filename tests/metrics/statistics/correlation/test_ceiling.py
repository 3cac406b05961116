"""What one person reaches against the others: by hand, and three raters beside eight metrics of WMT23."""

import gzip

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.ceiling import Ceiling, human_ceiling
from metrics.statistics.correlation.coefficients import kendall, pearson
from tests.metrics.real_campaigns import expected_of, real_case
from tests.metrics.real_ratings import MARK, SIDE_BY_SIDE, marked_errors
from tests.metrics.statistics.test_real_correlation import CASE, table

RNG = np.random.default_rng
GOLDEN = ("COMET-refA", "chrF-refA", "BLEU-refA", "MetricX-23-refA", "BLEURT-20-refA", "GEMBA-MQM-src",
          "XCOMET-Ensemble-refA", "BERTscore-refA")  # fmt: skip


def two(first: FloatArray, second: FloatArray, *metrics: FloatArray, **options: object) -> Ceiling:
    """Two annotators on the same outputs, each of a segment of its own."""
    n = first.size
    scores = [np.tile(metric, 2) for metric in metrics]
    cells = np.tile(np.arange(n), 2)
    return human_ceiling(np.concatenate([first, second]), np.repeat([0, 1], n), cells, cells, scores, **options)  # type: ignore[arg-type]


def test_of_two_people_it_is_how_they_correlate_with_each_other() -> None:
    first, second, metric = RNG(1).normal(size=(3, 40))
    result = two(first, second, metric)
    assert result.pearson == pytest.approx(pearson(first, second).value)
    expected = (pearson(metric, first).value + pearson(metric, second).value) / 2
    assert result.metrics[0].pearson == pytest.approx(expected)
    assert result.metrics[0].difference == pytest.approx(expected - result.pearson)
    assert result.cells == 40


def test_a_metric_that_knows_what_is_true_exceeds_noisy_people_and_the_interval_says_so() -> None:
    rng = RNG(2)
    true = rng.normal(size=300)
    result = two(true + rng.normal(size=300), true + rng.normal(size=300), true, resamples=200, rng=RNG(3))
    above = result.metrics[0]
    assert above.pearson > result.pearson
    assert 0 < above.difference_interval.low < above.difference < above.difference_interval.high
    assert above.interval.low < above.pearson < above.interval.high
    assert result.interval.low < result.pearson < result.interval.high


def test_a_person_is_compared_on_the_outputs_that_the_metric_scored() -> None:
    first, second, metric = RNG(4).normal(size=(3, 40))
    metric[25:] = np.nan
    result = two(first, second, metric)
    assert result.metrics[0].ceiling == pytest.approx(pearson(first[:25], second[:25]).value)
    assert result.pearson == pytest.approx(pearson(first, second).value)


def test_what_cannot_be_computed_says_why() -> None:
    few = two(np.arange(9.0), np.arange(9.0), np.arange(9.0))
    assert (few.reason, few.cells) == ("too_few", 9)
    assert np.isnan([few.pearson, few.kendall_b, few.metrics[0].pearson, few.metrics[0].difference]).all()
    alone = human_ceiling(np.arange(20.0), [0] * 20, np.arange(20), np.arange(20))
    assert (alone.reason, alone.cells, alone.people) == ("too_few", 0, ())
    assert human_ceiling([], [], [], []).reason == "too_few"
    level = two(np.ones(12), np.arange(12.0), np.ones(12), resamples=100, rng=RNG(1))
    assert np.isnan([level.pearson, level.metrics[0].pearson]).all()
    one_segment = human_ceiling(np.tile(np.arange(12.0), 2), np.repeat([0, 1], 12), [*range(12)] * 2, [0] * 24,
                                resamples=100, rng=RNG(1))  # fmt: skip
    assert one_segment.pearson == pytest.approx(1)


@pytest.mark.real_data
def test_three_raters_beside_metrics() -> None:
    expected = expected_of("statistics2")["human_ceiling"]
    values, annotators, cells, segments, scores = _joined()
    raters = sorted(expected["annotators"])
    result = human_ceiling(
        values, [raters.index(name) for name in annotators], cells, segments, list(scores), resamples=200, rng=RNG(5)
    )
    weighted = expected["weighted_pearson"]
    assert result.pearson == pytest.approx(weighted["human"], abs=1e-6)
    assert len(set(segments)) == expected["segments"]
    for person in result.people:
        golden = expected["annotators"][raters[person.annotator]]
        assert person.cells == golden["n"]
        assert person.pearson == pytest.approx(golden["pearson"], abs=1e-6)
        assert person.kendall_b == pytest.approx(golden["kendall_b"], abs=5e-3), (
            "ties are exact here: see the next test"
        )
        for place, name in enumerate(GOLDEN):
            assert person.metrics_pearson[place] == pytest.approx(golden["metrics"][name]["pearson"], abs=1e-6)
            assert person.metrics_kendall_b[place] == pytest.approx(golden["metrics"][name]["kendall_b"], abs=5e-3)
    for name, metric in zip(GOLDEN, result.metrics, strict=True):
        assert metric.pearson == pytest.approx(weighted[name], abs=1e-6)
        assert (metric.difference > 0) == (name == "XCOMET-Ensemble-refA")


@pytest.mark.real_data
def test_the_reference_value_for_kendall_is_that_of_sums_with_binary_noise() -> None:
    """Three times 0.1 is not 0.3 there, so that ties come apart."""
    expected = expected_of("statistics2")["human_ceiling"]
    totals: dict[tuple[str, str, str], dict[str, float]] = {}
    for error in marked_errors():
        if error.item[0] in expected["systems"]:
            of_item = totals.setdefault(error.item, {})
            of_item[error.rater] = of_item.get(error.rater, 0) - error.tenths / 10
    for rater, golden in expected["annotators"].items():
        items = [of_item for of_item in totals.values() if rater in of_item]
        others = [np.mean([value for name, value in item.items() if name != rater]) for item in items]
        own = [item[rater] for item in items]
        assert kendall(own, others).value == pytest.approx(golden["kendall_b"], abs=1e-8)


def _joined() -> tuple[list[float], list[str], list[int], list[int], FloatArray]:
    """Ratings of segments found by the text of some output; penalties turned so that higher is better."""
    folder = real_case(CASE) / "wmt23"
    systems = expected_of("statistics2")["human_ceiling"]["systems"]
    places: dict[tuple[str, str], int] = {}
    for system in systems:
        [path] = (folder / "system-outputs" / "en-de").glob(f"{system}.txt*")
        text = gzip.open(path, "rt").read() if path.suffix == ".gz" else path.read_text()  # noqa: SIM115
        for line, output in enumerate(text.split("\n")):
            places.setdefault((system, output), line)
    texts = _texts()
    tenths: dict[tuple[tuple[str, str, str], str], int] = {}
    for error in marked_errors():
        key = error.item, error.rater
        tenths[key] = tenths.get(key, 0) + error.tenths
    line_of = {item[1:]: places[item[0], text] for item, text in texts.items() if (item[0], text) in places}
    used = [(item, rater) for item, rater in tenths if item[0] in systems]
    items = {item: place for place, item in enumerate(dict.fromkeys(item for item, _rater in used))}
    lines = [line_of[item[1:]] for item, _rater in used]
    columns = [table(folder / "metric-scores" / "en-de" / f"{name}.seg.score") for name in GOLDEN]
    scores = np.array(
        [[column[item[0]][line] for (item, _rater), line in zip(used, lines, strict=True)] for column in columns]
    )
    values = [-tenths[key] / 10 for key in used]
    return values, [rater for _item, rater in used], [items[item] for item, _rater in used], lines, scores


def _texts() -> dict[tuple[str, str, str], str]:
    [path] = real_case(SIDE_BY_SIDE).glob("sxs_*.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        next(lines)
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return {(row[0], row[1], row[2]): MARK.sub("", row[6]) for row in rows}
