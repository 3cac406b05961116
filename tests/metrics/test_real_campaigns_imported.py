"""Published campaigns the whole way: imported from the files as they are, analysed from the database."""

import gzip
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ErrorSpan, Judgment, Score
from campaigns.models import Campaign, System, Translation
from exchange.judgment_files import import_judgments
from metrics.analyses import gather
from metrics.analyses.system_values import system_values
from metrics.recipes import recipe_for
from metrics.statistics.significance import paired_t, rank_sum
from tests.metrics.analyses.as_json import analyse
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
CALIBRATION = "da-wmt22-calibration"
RELATIVE = 1e-6
PAIR_NAMES = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall_b": "kendall_b",
    "kappa_seven_bins": "kappa",
    "kappa_linear_seven_bins": "kappa_linear",
    "kappa_quadratic_seven_bins": "kappa_quadratic",
}
SPAN_NAMES = {
    "f1_micro": "f1_micro",
    "f1_macro": "f1_macro",
    "iou_micro": "iou_micro",
    "iou_macro": "iou_macro",
    "f1_macro_half_credit_for_severity": "f1_macro_severity",
}


def unpacked(path: Path, folder: Path) -> Path:
    unpacked = folder / path.stem
    unpacked.write_bytes(gzip.decompress(path.read_bytes()))
    return unpacked


@pytest.mark.parametrize("pair", ["eng-ces", "eng-deu"])
def test_calibration_lists_give_the_counted_ratings(pair: str, tmp_path: Path) -> None:
    expected = expected_of(CALIBRATION)["pairs"][pair]
    path = unpacked(real_case(CALIBRATION) / "WMT22.Appraise.calibrationHITs.eng-ces.eng-deu.csv.gz", tmp_path)
    target = {"eng-ces": "cs", "eng-deu": "de"}[pair]
    outcome = import_judgments(path, format="appraise-csv", name=pair, source_language="en", target_language=target)
    assert (outcome.report["judgments"], outcome.report["annotators"]) == (expected["rows"], expected["annotators"])
    segments = Score.objects.filter(measure="score")
    assert segments.filter(judgment__is_current=True).count() == expected["ratings"]
    assert segments.filter(judgment__is_current=False).count() == expected["superseded_rows"]
    assert segments.values("translation").distinct().count() == expected["items"]

    result = analyse(outcome.campaign, options=expected_of(CALIBRATION)["options"])

    assert result["judgments"] == Judgment.objects.filter(is_current=True).count()
    assert len(result["analyses"]["annotators"]) == expected["annotators"]
    (measure,) = (each for each in result["analyses"]["agreement"]["measures"] if each["measure"] == "score")
    newest = expected["newest_by_time"]
    alphas = {level: measure["alpha"][level] for level in newest["alpha"]}
    assert alphas == pytest.approx(newest["alpha"], abs=1e-6)
    assert measure["fleiss"] == pytest.approx(newest["seven_bins"]["fleiss_complete_items"], abs=1e-6)
    assert measure["bands"]["alpha"] == pytest.approx(newest["seven_bins"]["alpha"], abs=1e-6)
    assert len(measure["pairs"]) == expected["annotator_pairs"]
    for name, ours in PAIR_NAMES.items():
        values = [each[ours] for each in measure["pairs"] if each[ours] is not None]
        assert sum(values) / len(values) == pytest.approx(newest["mean_over_pairs"][name], abs=1e-6)


def test_error_span_annotation_gives_the_published_means(tmp_path: Path) -> None:
    expected = expected_of("esa-wmt23-ende")
    path = unpacked(real_case("esa-wmt23-ende") / "240315rc5ESA.scores.csv.gz", tmp_path)
    outcome = import_judgments(path, format="appraise-csv", name="ESA")
    counts, dropped = expected["counts"], expected["dropped"]
    assert outcome.report["annotators"] == counts["accounts"]
    left_out = dropped["duplicate (#duplicate, fills an account up to 100 items)"]
    assert outcome.report["judgments"] + left_out == counts["rows"]
    assert outcome.report["systems"] == counts["systems"]
    scores = Score.objects.filter(judgment__item__kind="regular", judgment__is_current=True)
    assert scores.count() == counts["kept"]
    assert Score.objects.filter(judgment__item__kind="practice").count() == dropped["tutorial"]
    assert Score.objects.filter(judgment__item__kind="degraded").count() == dropped["BAD (degraded control item)"]
    notes = " ".join(outcome.report["notes"])
    assert "Rows left out, duplicates that fill up a list (#duplicate): 15" in notes
    assert "Rows replaced by a later answer to the same item: 13" in notes

    analyses = analyse(outcome.campaign)["analyses"]
    free, golden = analyses["error_free"], expected_of("statistics2")["error_free"]["esa-wmt23-ende"]
    assert (free["label"], free["all"], free["judgments"]) == (golden["label"], golden["all"], golden["judgments"])
    assert free["shares"] == pytest.approx(golden["share"], abs=1e-8)
    ranked = analyses["ranking"]["systems"]

    ranked = [entry for entry in ranked if entry["measure"] == "score"]
    assert {entry["system"]: entry["segments"] for entry in ranked} == dict.fromkeys(
        expected["system_mean"], counts["scores_per_system"]
    )
    for entry in ranked:
        assert entry["mean"] == pytest.approx(expected["system_mean"][entry["system"]], abs=expected["tolerance"])


def test_spans_of_error_span_annotation_are_those_counted(tmp_path: Path) -> None:
    expected = expected_of("esa-wmt23-ende")["spans_of_kept_rows"]
    path = unpacked(real_case("esa-wmt23-ende") / "240315rc5ESA.scores.csv.gz", tmp_path)
    import_judgments(path, format="appraise-csv", name="ESA")
    judgments = Judgment.objects.filter(item__kind="regular", is_current=True)
    spans = ErrorSpan.objects.filter(judgment__in=judgments)
    assert spans.filter(end=0).count() == expected["missing (no offsets)"]
    assert spans.filter(severity="minor").count() == expected["minor"]
    assert spans.filter(severity="major").count() == expected["major"]
    assert judgments.filter(error_spans=None).count() == expected["rows_without_span"]


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("case", "file"),
    [
        ("mqm-ted-ende", "mqm_ted_ende.tsv.gz"),
        ("mqm-wmt23-ende-three-raters", "sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.gz"),
    ],
)
def test_mqm_ratings_give_the_published_penalties(case: str, file: str, tmp_path: Path) -> None:
    expected = expected_of(case)
    path = unpacked(real_case(case) / file, tmp_path)
    outcome = import_judgments(path, format="wmt-mqm-tsv", name=case)
    counts = expected["counts"]
    assert outcome.report["annotators"] == counts["raters"]
    assert outcome.report["judgments"] == counts.get("rated_cells", counts.get("ratings"))

    result = analyse(outcome.campaign, options={"weights": expected["weights"]})["analyses"]

    if case in (golden := expected_of("statistics2")["error_free"]):
        for name, value in golden[case].items():
            assert result["error_free"][name] == (value if isinstance(value, str) else pytest.approx(value)), name
    systems = result["ranking"]["systems"]
    assert {entry["segments"] for entry in systems} == {
        counts.get("segments_per_system", expected.get("segments_per_system"))
    }
    means = {entry["system"]: entry["mean"] for entry in systems}
    assert means == pytest.approx(expected["system_penalty"], abs=expected["tolerance"])
    numbers = _global_numbers(path)
    penalties = {
        (row["system"], numbers[row["document"], row["segment"]]): row["penalty"]
        for row in result["errors"]["segments"]
    }
    _check_rows(outcome.campaign, expected)
    if "penalty_sum" in expected:
        assert sum(entry["points"] for entry in result["errors"]["systems"]) == pytest.approx(expected["penalty_sum"])
        published = _published_segments(real_case(case) / "mqm_ted_ende.avg_seg_scores.tsv")
        named = {(name.removesuffix("-A"), place): value for (name, place), value in published.items()}
        assert penalties == pytest.approx(named, abs=1e-6)
    for example in expected.get("segment_penalty_examples", []):
        assert penalties[example["system"], example["seg_id"]] == pytest.approx(example["penalty"], abs=1e-6)


def _check_rows(campaign: Campaign, expected: dict[str, Any]) -> None:
    """A line is an error, or says that there is none; attention checks are left out."""
    errors = Counter(ErrorSpan.objects.values_list("judgment__annotator__username", flat=True))
    clean = Counter(Judgment.objects.filter(error_spans=None).values_list("annotator__username", flat=True))
    counts = expected["counts"]
    if "rows_per_rater" in expected:
        assert errors + clean == expected["rows_per_rater"]
        assert clean.total() == counts["no_error_rows"]
        left_out = 0
    else:
        notes = " ".join(campaign.test_set.report["notes"])
        assert "Attention checks (HOTW-test), left out because they are not judgments: 245." in notes
        left_out = 245
    assert errors.total() + clean.total() + left_out == counts["rows"]


def _published_segments(path: Path) -> dict[tuple[str, str], float]:
    """The penalties of the organisers' own table, where a segment was rated."""
    cells = [line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {(system, number): 0.0 - float(score) for system, score, number in cells if score != "None"}


def test_three_raters_agree_as_far_as_counted(tmp_path: Path) -> None:
    case = "mqm-wmt23-ende-three-raters"
    expected = expected_of(case)
    file = real_case(case) / "sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.gz"
    campaign = import_judgments(unpacked(file, tmp_path), format="wmt-mqm-tsv", name=case).campaign

    result = analyse(campaign, options={"weights": expected["weights"]})["analyses"]["agreement"]

    (measure,) = result["measures"]
    alpha = expected["agreement"]["alpha_penalty"]
    assert {level: measure["alpha"][level] for level in alpha} == pytest.approx(alpha, abs=1e-6)
    for name, ours in SPAN_NAMES.items():
        assert result["spans"][ours] == pytest.approx(expected["spans"][name], abs=1e-6)
    assert result["spans"]["identical"] == expected["spans"]["pairs_with_f1_1"]
    assert result["spans"]["comparisons"] == expected["agreement"]["pairs"]
    _check_cuts(measure["cuts"], expected["agreement"])
    _check_pooled(measure["pooled"], expected["agreement"])
    implied = expected["preference_from_penalty"]
    names = {"judgments": "total", "agree": "agreed", "pA": "observed", "pE": "expected"}
    assert {name: measure["preference"][names.get(name, name)] for name in implied} == pytest.approx(implied, abs=1e-6)


def _check_cuts(cuts: dict[str, Any], expected: dict[str, Any]) -> None:
    """Whether there is an error, or a major one, and in three parts."""
    for name in ("has_error", "has_major"):
        assert cuts[name]["alpha"]["nominal"] == pytest.approx(expected[f"alpha_{name}_nominal"], abs=1e-6)
        assert cuts[name]["fleiss"] == pytest.approx(expected[f"fleiss_{name}"], abs=1e-6)
    assert cuts["three_bands"]["alpha"] == pytest.approx(expected["alpha_three_bins"], abs=1e-6)
    assert cuts["three_bands"]["fleiss"] == pytest.approx(expected["fleiss_three_bins"], abs=1e-6)


def _check_pooled(pooled: dict[str, Any], expected: dict[str, Any]) -> None:
    """Kendall's tau is given of sums with binary noise; of whole tenths it is 0.000127 higher (its own test)."""
    assert pooled["n"] == expected["pairs"]
    assert pooled["pearson"] == pytest.approx(expected["pearson_symmetric"], abs=1e-6)
    assert pooled["difference"] == pytest.approx(expected["mean_absolute_difference"], abs=1e-6)
    assert pooled["identical"] == pytest.approx(expected["share_identical"], abs=1e-6)
    assert pooled["kendall_b"] == pytest.approx(expected["kendall_b_symmetric"], abs=2e-4)


def _global_numbers(path: Path) -> dict[tuple[str, str], str]:
    """The number of a segment in the test set, by document and place in it."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:] if line]
    return {(row[1], row[2]): row[3] for row in rows}


def test_human_scores_of_the_metrics_task_are_the_published_means() -> None:
    expected = expected_of("metrics-wmt23-ende")
    path = real_case("metrics-wmt23-ende") / "wmt23" / "human-scores" / "en-de.mqm.seg.score"
    outcome = import_judgments(path, format="mt-metrics-eval", name="WMT23")
    counts = expected["counts"]
    assert outcome.report["segments"] == counts["segments"]
    assert set(System.objects.values_list("name", flat=True)) == {*counts["systems"], "refA"}
    assert not Translation.objects.filter(text=None).exists()

    systems = analyse(outcome.campaign)["analyses"]["ranking"]["systems"]

    means = {entry["system"]: -entry["mean"] for entry in systems}
    assert means == pytest.approx(expected["mqm_system"], abs=1e-6)
    assert {entry["segments"] for entry in systems} == {counts["rated_segments"]}


def test_pairs_of_systems_differ_as_published() -> None:
    """By signed ranks through the recipe's option; by rank sums and Student's t on the arrays an analysis reads."""
    expected = expected_of("metrics-wmt23-ende")["mqm_system_pairs"]
    path = real_case("metrics-wmt23-ende") / "wmt23" / "human-scores" / "en-de.mqm.seg.score"
    campaign = import_judgments(path, format="mt-metrics-eval", name="WMT23").campaign

    tests = analyse(campaign, options={"test": "signed-rank", "correction": "none"})["analyses"]["ranking"]["tests"]

    signed = {frozenset((one["first"], one["second"])): one["p"] for one in tests if "refA" not in one.values()}
    assert len(signed) == expected["pairs"]
    limits = expected["significant_at_0.05"]
    assert sum(p < 0.05 for p in signed.values()) == limits["wilcoxon_signed_rank_2s"]
    evidence = gather(campaign, recipe_for("mqm"))
    values = system_values(evidence, evidence.tables[0])
    rows = {name: row for name, row in zip(values.names, values.raw, strict=True) if name != "refA"}
    sums = {frozenset(pair): rank_sum(rows[pair[0]], rows[pair[1]]).p for pair in combinations(rows, 2)}
    students = {frozenset(pair): paired_t(rows[pair[0]], rows[pair[1]]).p for pair in combinations(rows, 2)}
    assert sum(p < 0.05 for p in sums.values()) == limits["mannwhitney_2s"]
    assert sum(p < 0.05 for p in students.values()) == limits["paired_t_2s"]
    for names, published in expected["examples (signed-rank, rank-sum, paired t; all two-sided)"].items():
        pair = frozenset(names.split("|"))
        result = [signed[pair], sums[pair], students[pair]]
        assert result == pytest.approx(published, rel=RELATIVE)
