"""What cannot be computed is null and says why: never a warning, a NaN or a crash, whatever the protocol."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from annotation.models import Exclusion
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Campaign
from metrics.analyses import PARTS
from metrics.analyses.ranked_systems import BY_MODEL
from metrics.results.codec import from_json, to_json
from metrics.results.values import UNKNOWN, Missing
from tests.metrics.analyses.as_json import analyse
from tests.metrics.degenerate_campaigns import SHAPES, Shape, degenerate
from tests.metrics.statistics.test_documentation import PAGE

pytestmark = pytest.mark.django_db
# Beside a protocol's own recipe: what else can be asked of its numbers.
OPTIONS: tuple[dict[str, Any], ...] = (
    {"test": "rank-sum", "correction": "none", "by": "document"},
    {"test": "signed-rank", "average": "domain", "control_test": "signed-rank"},
    {"normalisation": "regular", "include": "passed", "surplus": True},
    {"test": "bca", "correction": "none", "lowest_fit": 0.75},
    {"test": "signed-rank-greater", "correction": "none"},
)


def unexplained(value: Any, place: str) -> Iterator[str]:
    """Every missing number without its reason, and every number that is none."""
    if isinstance(value, Missing):
        if value.reason in (UNKNOWN, ""):
            yield f"{place} is missing for no reason"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield f"{place} is {value}"
    elif is_dataclass(value) or isinstance(value, Mapping):
        for name, part in (value if isinstance(value, Mapping) else vars(value)).items():
            yield from unexplained(part, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from unexplained(part, f"{place}[{number}]")


def reasons_in(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else value.values() if isinstance(value, Mapping) else ():
        yield from reasons_in(one)
    if isinstance(value, Mapping):
        yield from value.get("reasons", {}).values()


def check(campaign: Campaign, options: Mapping[str, Any]) -> dict[str, Any]:
    result = analyse(campaign, options={"resamples": 50, "interval_resamples": 100, **options})
    json.dumps(result, allow_nan=False)
    for name, part in result["analyses"].items():
        typed: Any = from_json(PARTS[name], part, name)
        assert list(unexplained(typed, name)) == []
        assert to_json(typed) == part, "nothing is in it that its type does not know"
    assert {reason for reason in reasons_in(result["analyses"]) if f"`{reason}`" not in PAGE} == set()
    return result


@pytest.mark.drawn(12)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_every_null_has_its_reason(protocol: str, shape: str, tmp_path: Path) -> None:
    campaign = degenerate(protocol, SHAPES[shape], tmp_path)
    check(campaign, {})
    check(campaign, OPTIONS[list(SHAPES).index(shape) % len(OPTIONS)])


@pytest.mark.drawn(4)
@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_fewer_than_a_hundred_resamples_make_no_interval(protocol: str, tmp_path: Path) -> None:
    campaign = degenerate(protocol, Shape(systems=3, documents=4, segments=2, annotators=3), tmp_path)
    few, enough = (check(campaign, {"interval_resamples": resamples}) for resamples in (99, 100))
    for analyses in (few["analyses"], enough["analyses"]):
        del analyses["mixed"]  # its intervals are those of a model
    assert list(intervals_in(few["analyses"])) == []
    assert list(intervals_in(enough["analyses"])) != []
    assert "few_resamples" in set(reasons_in(few["analyses"]))
    assert "few_resamples" not in set(reasons_in(enough["analyses"]))
    if protocol == "ranking":
        systems = few["analyses"]["ranking"]["systems"]
        assert {tuple(entry["rank"]) for entry in systems} == {(1, len(systems))}


def intervals_in(value: Any, key: str = "") -> Iterator[str]:
    """The keys of intervals of resamples; a model has its own, and that of an annotator with the others a formula."""
    if isinstance(value, Mapping):
        of_model = {"difference_interval"} if value.get("difference_by") == BY_MODEL else set()
        for name, one in value.items():
            if name in of_model:
                continue
            yield from intervals_in(one, name if "interval" in name else f"{key}.{name}" if "interval" in key else "")
    elif isinstance(value, list):
        is_resampled = "interval" in key and "others_" not in key
        if is_resampled and any(isinstance(one, float) for one in value):
            yield key
        for one in value:
            yield from intervals_in(one, key)


@pytest.mark.drawn(4)
@pytest.mark.parametrize("shape", ["one judgment", "one document", "all scores equal"])
@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_metrics_beside_hardly_any_judgments(protocol: str, shape: str, tmp_path: Path) -> None:
    campaign = degenerate(protocol, replace(SHAPES[shape], systems=min(SHAPES[shape].systems, 3)), tmp_path)
    systems = list(campaign.test_set.systems.order_by("name").values_list("name", flat=True))
    for metric, values in {"rising": range(len(systems)), "level": [1] * len(systems)}.items():
        path = tmp_path / f"{metric}.sys.score"
        path.write_text("".join(f"{name}\t{value}\n" for name, value in zip(systems, values, strict=True)))
        call_command("import_metric_scores", path, test_set=campaign.test_set.name, metric=metric, no_reference=True)
    check(campaign, {"by": "document"})


@pytest.mark.drawn(4)
@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_where_everybody_is_left_out_nothing_is_computed(protocol: str, tmp_path: Path) -> None:
    campaign = degenerate(protocol, Shape(), tmp_path)
    for account in Account.objects.filter(username__startswith="annotator"):
        Exclusion.objects.create(campaign=campaign, annotator=account, reason="All of them")
    analyses = check(campaign, {})["analyses"]
    assert analyses["ranking"]["systems"] == []
    assert analyses["ranking"]["reasons"]["systems"] == "no_judgments"


def test_reasons_are_the_true_ones(tmp_path: Path) -> None:
    alone = check(degenerate("direct_assessment", SHAPES["one annotator"], tmp_path, name="Alone"), {})["analyses"]
    (measure,) = alone["agreement"]["measures"]
    assert measure["reasons"]["interval"] == "no_overlap"
    assert measure["reasons"]["pairs"] == "no_overlap"
    (anna,) = alone["annotators"]
    assert anna["reasons"]["control_p"] == "no_controls"
    assert anna["reasons"]["repeat_difference"] == "no_repeats"
    level = check(degenerate("direct_assessment", SHAPES["all scores equal"], tmp_path, name="Level"), {})["analyses"]
    assert {entry["reasons"]["z_mean"] for entry in level["ranking"]["systems"]} == {"no_deviation"}
    assert level["agreement"]["measures"][0]["reasons"]["interval"] == "no_variation"
    assert {entry["deviation"] for entry in level["annotators"]} == {0.0}
    apart = check(degenerate("likert", SHAPES["one document"], tmp_path, name="Apart"), {})["analyses"]
    assert apart["ranking"]["systems"][0]["reasons"]["interval"] == "one_document"
    assert apart["ranking"]["systems"][0]["reasons"]["z_mean"] == "not_normalised"
    assert apart["slices"]["reasons"]["slices"] == "one_part"
