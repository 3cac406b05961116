"""WMT23 English to German through the commands: human scores, eight metrics, and every correlation as published."""

import json
from io import StringIO
from typing import Any

from django.core.management import call_command

import pytest

from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
CASE = "metrics-wmt23-ende"
GROUPINGS = {"system": "none", "segment/none": "none", "segment/item": "item", "segment/system": "system"}
TIES = {"accuracy_epsilon_0": "pairwise_accuracy", "groups_pearson": "groups"}


def command(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def analysed() -> dict[str, Any]:
    home = real_case(CASE) / "wmt23"
    human = home / "human-scores" / "en-de.mqm.seg.score"
    command("import_judgments", str(human), "--format=mt-metrics-eval", "--campaign=WMT23")
    for file in sorted((home / "metric-scores" / "en-de").glob("*.score")):
        metric = file.name.removesuffix(".score").rpartition(".")[0].rpartition("-")[0]
        command("import_metric_scores", str(file), "--test-set=WMT23", f"--metric={metric}")
    result: dict[str, Any] = json.loads(command("analyse", "WMT23", "--analysis=correlation", "--json"))
    assert list(result["analyses"]) == ["correlation"]
    return result["analyses"]["correlation"]  # type: ignore[no-any-return]


def test_every_published_value_is_reproduced(analysed: dict[str, Any]) -> None:
    expected = expected_of(CASE)
    tolerance = expected["tolerance"]
    entries = {(each["metric"], each["level"], each["grouping"]): each for each in analysed["metrics"]}
    compared = 0
    for metric, groups in expected["metrics"].items():
        for place, values in groups.items():
            grouping = "item" if place == "segment/item ties" else GROUPINGS[place]
            ours = entries[metric, place.partition("/")[0], grouping]
            for name, value in values.items():
                near = tolerance["soft_pairwise_accuracy" if name == "soft_pairwise_accuracy" else "default"]
                assert ours[TIES.get(name, name)] == pytest.approx(value, abs=near), (metric, place, name)
                compared += 1
    assert compared == 168
    people = {each["system"]: -each["human"] for each in analysed["systems"]}
    assert people == pytest.approx(expected["mqm_system"], abs=tolerance["default"])
    assert {each["system"] for each in analysed["systems"] if each["left_out"]} == {"refA"}
    _compare_pairs(analysed["comparisons"], expected["comparisons"])


def _compare_pairs(ours: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    """The closer metric comes first here; a one-sided p of swaps for the other is what is left of one."""
    by_pair = {
        (frozenset((each["first"], each["second"])), each["level"], each["test"]): each
        for each in ours
        if each["statistic"] == "pearson"
    }
    for pair, tests in expected.items():
        first, second = pair.split(" over ")
        both = frozenset((first, second))
        for level, name in (("system", "williams_system"), ("segment", "williams_segment_none")):
            result = by_pair[both, level, "williams"]
            assert result["p"] == pytest.approx(tests[name]["p"], rel=1e-4)
            assert abs(result["difference"]) == pytest.approx(abs(tests[name]["r_first"] - tests[name]["r_second"]))
        swapped = by_pair[both, "system", "perm-both"]
        sign = 1 if swapped["first"] == first else -1
        assert sign * swapped["difference"] == pytest.approx(tests["permutation_both_system"]["delta"], abs=1e-6)
        p = swapped["p"] if sign > 0 else 1 - swapped["p"]
        assert p == pytest.approx(tests["permutation_both_system"]["p"], abs=0.02)
