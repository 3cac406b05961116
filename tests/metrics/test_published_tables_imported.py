"""Published judgments in forms of their own: turned into assay-csv as docs/formats.md says, imported, analysed."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Judgment
from campaigns.models import Campaign
from exchange.judgment_files import import_judgments
from metrics.models import DerivedScore
from tests.metrics.analyses.as_json import analyse
from tests.metrics.real_campaigns import KIND_OF_TYPE, expected_of, real_case

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "to_assay_csv.py"

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def turned(folder: Path, *arguments: object) -> Campaign:
    path = folder / "judgments.csv"
    command = [sys.executable, SCRIPT, *arguments, "--output", path]
    subprocess.run(list(map(str, command)), check=True)
    return import_judgments(path, format="assay-csv", name="Published").campaign


def check_systems(entries: list[dict[str, Any]], published: list[dict[str, Any]]) -> None:
    for entry, expected in zip(entries, published, strict=True):
        for name, value in expected.items():
            assert entry[name] == (pytest.approx(value, abs=1e-6) if isinstance(value, float) else value)


def p_values(tests: list[dict[str, Any]]) -> dict[tuple[str, str], float]:
    return {(test["first"], test["second"]): test["p"] for test in tests}


@pytest.mark.drawn(2)
@pytest.mark.parametrize("pair", ["lv-en", "cs-en"])
def test_crowd_campaigns_with_control_items(pair: str, folder: Path) -> None:
    case, home = expected_of("da-wmt22-crowd"), real_case("da-wmt22-crowd")
    letters, expected = pair.replace("-", ""), case["pairs"][pair]
    figures = home / f"ad-{letters}-trk-mean-sd.txt"
    campaign = turned(folder, "crowd", home / f"ad-{letters}-good-stnd.csv.gz", "--pair", pair, "--figures", figures)

    result = analyse(campaign, options=case["options"])

    assert result["judgments"] == expected["rows"]
    kinds = Counter(Judgment.objects.values_list("item__kind", flat=True))
    assert kinds == {KIND_OF_TYPE[name]: count for name, count in expected["by_type"].items()}
    check_systems(result["analyses"]["ranking"]["systems"], expected["systems"])
    own_p = p_values(result["analyses"]["ranking"]["tests"])
    for test in expected["tests_examples"]:
        assert own_p[test["first"], test["second"]] == pytest.approx(test["p"], rel=2e-2)
    annotators = {entry["annotator"]: entry for entry in result["analyses"]["annotators"]}
    assert len(annotators) == expected["annotators"]
    for example in expected["annotator_examples"]:
        entry = annotators[example["annotator"]]
        for name in ("mean", "deviation", "judgments"):
            assert entry[name] == pytest.approx(example[name], abs=1e-5)
    for published in expected["control_p"]:
        entry = annotators[published["annotator"]]
        assert entry["control_n"] == published["pairs"]
        assert entry["control_p"] == pytest.approx(published["control_p"], rel=1e-5)
        assert entry["control_p"] == pytest.approx(published["published"], rel=1e-5)


@pytest.mark.drawn(2)
@pytest.mark.parametrize("pair", ["bn-hi", "xh-zu"])
def test_two_annotators_on_wikipedia(pair: str, folder: Path) -> None:
    case = expected_of("da-wmt21-wikipedia")
    expected = case["pairs"][pair]
    file = real_case("da-wmt21-wikipedia") / "ad-latest.bn-hi.xh-zu.csv.gz"

    result = analyse(turned(folder, "crowd", file, "--pair", pair), options=case["options"])

    assert result["judgments"] == expected["judgments"]
    check_systems(result["analyses"]["ranking"]["systems"], expected["systems"])
    own_p = p_values(result["analyses"]["ranking"]["tests"])
    for test in expected["tests"]:
        assert own_p[test["first"], test["second"]] == pytest.approx(test["p"], rel=1e-9)
    annotators = {entry["annotator"]: entry for entry in result["analyses"]["annotators"]}
    for published in expected["annotators"]:
        for name in ("mean", "deviation", "judgments"):
            assert annotators[published["annotator"]][name] == pytest.approx(published[name], abs=1e-6)


def test_rankings_give_the_models_and_the_agreement(folder: Path) -> None:
    case = expected_of("ranking-wmt16")
    expected = case["expanded"]
    campaign = turned(folder, "ranking", real_case("ranking-wmt16") / "wmt16.collapsed.tur-eng.csv.gz")
    assert campaign.test_set.report["annotators"] == expected["judges"]

    result = analyse(campaign)["analyses"]

    models = result["ranking"]["models"]
    assert models["expected_wins"] == pytest.approx(expected["expected_wins"], abs=1e-6)
    assert models["bradley_terry"] == pytest.approx(expected["bradley_terry"], abs=1e-4)
    for name in ("davidson", "rao_kupper"):
        assert models[name] == pytest.approx(expected[name]["log_strength"], abs=1e-3)
    fits = result["ranking"]["fits"]
    assert (fits["pairs"], fits["ties"], len(models["trueskill"])) == tuple(
        expected[name] for name in ("pairs", "ties", "systems")
    )
    for name, tie in (("davidson", "nu"), ("rao_kupper", "t")):
        assert fits[name]["tie"] == pytest.approx(expected[name][tie], abs=1e-3)
        assert -fits[name]["log_likelihood"] == pytest.approx(expected[name]["negative_log_likelihood"], abs=1e-3)
    published = case["published_trueskill"]
    for system, value in models["trueskill"].items():
        mu, first, last = published[system]
        assert value == pytest.approx(mu, abs=0.1)
        assert fits["trueskill"]["ranks"][system] == pytest.approx([first, last], abs=1)
    sizes = Counter(fits["trueskill"]["clusters"].values())
    assert [sizes[cluster] for cluster in sorted(sizes)] == [last - first + 1 for first, last in published["clusters"]]
    for mode, counted in case["agreement_unordered"].items():
        own = result["agreement"]["preference"][mode]
        for name, value in counted.items():
            assert own["total" if name == "judgments" else name] == pytest.approx(value, abs=1e-6)


def test_post_edits_give_the_published_hter(folder: Path) -> None:
    expected, home = expected_of("hter-mlqe-ende"), real_case("hter-mlqe-ende")
    files = ("--source", home / "test20.src", "--translation", home / "test20.mt", "--post-edit", home / "test20.pe")

    result = analyse(turned(folder, "post-edits", *files))

    (system,) = result["analyses"]["post_editing"]["systems"]
    assert result["judgments"] == expected["segments"]
    assert system["hter"] == pytest.approx(expected["mean_hter"], abs=1e-6)
    assert system["hter_capped"] == pytest.approx(expected["mean_hter_capped"], abs=1e-4)
    assert system["hter_corpus"] == pytest.approx(expected["hter_corpus"], abs=1e-6)
    derived = dict(DerivedScore.objects.filter(measure="hter").values_list("translation__segment__name", "value"))
    assert sum(value > 1 for value in derived.values()) == expected["over_1"]
    for example in expected["segment_examples"]:
        assert derived[str(example["line"])] == pytest.approx(example["hter"], abs=1e-6)
    capped = [min(derived[str(line)], 1.0) for line in range(1, expected["segments"] + 1)]
    assert sum(capped) / len(capped) == pytest.approx(expected["published_mean"], abs=5e-5)
    published = [float(line) for line in (home / "test20.hter").read_text().split()]
    assert capped == pytest.approx(published, abs=expected["tolerance"]["published segments"])
