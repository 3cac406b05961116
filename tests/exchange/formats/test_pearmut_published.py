"""Agreement and means of a published campaign of Pearmut, read and analysed: the numbers that came with it."""

import gzip
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from django.db.models import Avg

import pytest

from annotation.models import Score
from campaigns.models import Campaign
from tests.exchange.formats.pearmut_records import load
from tests.metrics.analyses.as_json import analyse
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    for name in ("annotations", "campaign"):
        packed = (real_case("cesa-enja") / f"{name}.json.gz").read_bytes()
        (tmp_path / name).write_bytes(gzip.decompress(packed))
    return load(tmp_path / "annotations", tmp_path / "campaign").campaign


def test_agreement_is_the_published_one_of_regular_scores_and_of_repeats(campaign: Campaign) -> None:
    expected = expected_of("cesa-enja")["agreement"]
    everybody = {"lowest_fit": "0"}
    result = analyse(campaign, recipe="wmt26", analyses=["agreement"], options=everybody)["analyses"]["agreement"]
    row = next(one for one in result["measures"] if one["measure"] == "score")
    assert row["items"] == expected["outputs_judged_by_both"]
    for level in ("interval", "ordinal"):
        assert row["alpha"][level] == pytest.approx(expected[f"alpha_{level}"], abs=1e-6), level
    repeats = {one["annotator"]: {"n": one["n"], "mae": one["difference"]} for one in row["intra"]}
    assert repeats == {name: pytest.approx(each, abs=1e-6) for name, each in expected["repeat"].items()}
    pooled = sum(each["n"] * each["mae"] for each in repeats.values()) / sum(each["n"] for each in repeats.values())
    assert pooled == pytest.approx(expected["repeat_mae"], abs=1e-6)


def test_means_of_documents_and_domains_are_the_published_ones(campaign: Campaign) -> None:
    """Of documents over scores, of domains over outputs, each with the mean of its scores."""
    expected = expected_of("cesa-enja")
    scores = Score.objects.filter(judgment__item__assignment__campaign=campaign, measure="score")
    documents = scores.values_list("translation__segment__document__name").annotate(mean=Avg("value"))
    assert dict(documents.order_by()) == pytest.approx(expected["document_mean"], abs=1e-6)
    domains: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    place = ("translation", "translation__segment__document__domain", "translation__system__name")
    for _output, domain, system, mean in scores.values_list(*place).annotate(mean=Avg("value")).order_by():
        domains[domain][system].append(mean)
    for domain, published in expected["domains"]["mean"].items():
        own = {system: fmean(each) for system, each in domains[domain].items()}
        assert own == pytest.approx(published, abs=1e-6), domain
