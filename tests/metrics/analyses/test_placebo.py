"""The analysis `placebo`: which recipe would see differences in a campaign where there are none."""

import time
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from metrics.analyses.evidence import Evidence
from metrics.analyses.placebo import HOLDS, TOO_OFTEN, TOO_RARELY, Placebo, placebo, verdict_of
from metrics.analyses.placebo_table import instead, placebo_sentences, placebo_table
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, Recipe, recipe_for
from metrics.results.codec import to_json
from metrics.results.values import Missing
from tests.metrics.analyses.sample_tables import Rows, simulated
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_scores import esa_table, mqm_table, three_raters_table

RAW = recipe_for("esa")
NAMES_THERE = {"wmt24": "wmt24 (signed-rank)", "wmt25": "wmt25 neighbours", "wmt26": "wmt26 either"}
TABLES = {"esa-ende": esa_table, "mqm-ende": mqm_table, "mqm-three": three_raters_table}
LARGEST = "mqm-ende"  # twelve systems on 460 segments


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many trials as in use of the largest campaign, a quarter of other real ones, few where rates do not matter."""
    is_real = request.node.get_closest_marker("real_data") is not None
    if is_real and request.node.callspec.params["name"] == LARGEST:
        return
    module = import_module("metrics.analyses.placebo")
    monkeypatch.setattr(module, "TRIALS", 250 if is_real else 200)
    monkeypatch.setattr(module, "CAMPAIGNS", 50 if is_real else 40)


def tried(table: ScoreTable, recipe: Recipe = RAW) -> Placebo:
    return placebo(Evidence(tables=(table,), recipe=recipe))


@pytest.mark.drawn(3)
@pytest.mark.real_data
@pytest.mark.parametrize("name", TABLES)
def test_real_campaigns_give_the_measured_rates(name: str) -> None:
    """In seconds, within the simulation error of both sides; their WMT25 takes the means of raters."""
    expected = expected_of("statistics2")
    rates, campaigns = (expected["placebo"][of][name] for of in ("pair_swaps", "label_permutation_campaigns"))
    table = TABLES[name]()
    began = time.process_time()
    measure = tried(table).measures[0]
    assert time.process_time() - began < 20
    assert (measure.documents, measure.pairs) == (rates["documents"], rates["pairs"])
    tolerance = float(expected["tolerance"]["calibration and placebo rates"])
    for rule in measure.rules:
        if rule.rule == "incomplete" or (name, rule.rule) == ("mqm-three", "wmt25"):
            continue
        theirs, trials = rates[NAMES_THERE.get(rule.rule, rule.rule)]
        error = 2.6 * (theirs * (1 - theirs) * (1 / trials + 1 / measure.trials)) ** 0.5
        assert rule.rate == pytest.approx(theirs, abs=max(error, tolerance)), rule.rule
        if rule.rule in ("assay-raw", "assay-z"):
            assert rule.verdict == HOLDS
            any_win = campaigns[f"{rule.rule.replace('-', '_')}_any"]
            assert rule.campaign_rate == pytest.approx(any_win, abs=0.06)
        elif rule.rule in ("wmt24", "wmt26"):
            assert rule.verdict != TOO_RARELY
            assert rule.campaign_rate == pytest.approx(campaigns[f"{rule.rule}_any"], abs=0.08)


def test_each_recipe_is_tried_and_that_of_the_run_comes_first() -> None:
    measure = tried(simulated({"a": 0, "b": 0, "c": 0}).table()).measures[0]
    assert {rule.rule for rule in measure.rules} >= {
        "assay-raw",
        "assay-z",
        *(name for name in RECIPES if "wmt" in name),
    }
    assert [rule.rule for rule in measure.rules if rule.decides] == [measure.rules[0].rule] == ["assay-raw"]
    assert [rule.nominal for rule in measure.rules if rule.rule in ("assay-z", "wmt24", "wmt26")] == [0.05, 0.05, 0.1]
    z_first = tried(simulated({"a": 0, "b": 0}).table(), RECIPES["assay"]).measures[0]
    assert [rule.rule for rule in z_first.rules][:2] == ["assay-z", "assay-raw"]
    weighed = tried(simulated({"a": 0, "b": 0}).table(), RECIPES["mqm"]).measures[0]
    assert [rule.rule for rule in weighed.rules][:2] == ["mqm", "assay-z"]


def test_the_recipe_for_incomplete_designs_is_tried_by_its_model() -> None:
    own = replace(RECIPES["incomplete"], seed=3)
    measure = tried(simulated({"a": 10, "b": 0, "c": -10}, n_documents=20).table(), own).measures[0]
    rule = measure.rules[0]
    assert (rule.rule, rule.decides, measure.trials) == ("incomplete", True, 201)
    assert rule.verdict == HOLDS
    alone = tried(columns(30).table(), own).measures[0].rules[0]
    assert alone.verdict in (HOLDS, TOO_OFTEN, TOO_RARELY), "one annotator"


def test_real_differences_between_systems_do_not_matter() -> None:
    apart = tried(simulated({"a": 12, "b": 0, "c": -12}, n_documents=30).table()).measures[0]
    assert apart.rules[0].verdict == HOLDS
    rate = apart.rules[0].campaign_rate
    assert not isinstance(rate, Missing)
    assert rate < 0.2


@pytest.mark.parametrize(
    ("interval", "nominal", "verdict"),
    [
        ((0.03, 0.041), 0.05, HOLDS),
        ((0.059, 0.08), 0.05, HOLDS),
        ((0.061, 0.08), 0.05, TOO_OFTEN),
        ((0.01, 0.039), 0.05, TOO_RARELY),
        ((0.01, 0.081), 0.1, HOLDS),
        ((0.121, 0.3), 0.1, TOO_OFTEN),
    ],
)
def test_a_verdict_needs_an_interval_beyond_what_is_near(
    interval: tuple[float, float], nominal: float, verdict: str
) -> None:
    assert verdict_of(interval, nominal) == verdict


def columns(rows: int, **more: Any) -> Rows:
    made = Rows()
    for row in range(rows):
        for system in more.get("systems", ("a", "b")):
            value = 50 if more.get("is_flat") else 50 + (row * 7 + len(system) * ord(system[0])) % 9
            made.add("ana", system, f"s{row}", value, document=f"d{row % more.get('documents', 12)}")
    return made


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (columns(30, documents=5), "few_documents"),
        (columns(30, systems=("a",)), "too_few_systems"),
        (columns(30, is_flat=True), "no_variation"),
    ],
)
def test_what_cannot_be_tried_says_why(rows: Rows, reason: str) -> None:
    result = tried(rows.table())
    measure = result.measures[0]
    assert (measure.reason, measure.trials, measure.rules) == (reason, 0, ())
    assert to_json(result)["measures"][0]["reason"] == reason
    assert len(placebo_sentences(result)) == 1
    assert placebo_table(result).rows == ()


def test_no_scores_and_one_annotator_are_no_problem() -> None:
    assert placebo(Evidence(tables=(), recipe=RAW)).measures == ()
    assert placebo_sentences(Placebo(())) == []
    assert tried(columns(30).table()).measures[0].rules[0].verdict in (HOLDS, TOO_OFTEN, TOO_RARELY)


def test_systems_that_share_no_document_have_no_rate() -> None:
    rows = Rows()
    for row in range(20):
        rows.add("ana", "a" if row % 2 else "b", f"s{row}", 50 + row * 7 % 11, document=f"d{row}")
    measure = tried(rows.table()).measures[0]
    assert to_json(measure)["rules"][0]["rate"] is None
    assert to_json(measure)["rules"][0]["reasons"]["rate"] == "few_documents"
    assert len(placebo_sentences(Placebo((measure,)))) == 1


def test_sentences_say_the_rate_and_what_to_use() -> None:
    measure = tried(simulated({"a": 0, "b": 0, "c": 0}, n_documents=20).table()).measures[0]
    own = replace(measure.rules[0], rate=0.05, interval=(0.04, 0.06), verdict=HOLDS)
    z = replace(measure.rules[1], verdict=HOLDS)

    def said(**changes: Any) -> list[str]:
        return placebo_sentences(Placebo((replace(measure, trials=1000, rules=(replace(own, **changes), z)),)))

    assert said() == [
        "Of 1,000 comparisons where nothing can differ, this recipe (Assay, raw scores) called 5.0% different "
        "(95% interval: 4.0% to 6.0%); it promises 5%.",
        "It keeps its promise on these judgments.",
    ]
    assert said(verdict=TOO_OFTEN)[1:] == [
        "It finds differences that do not exist too often: do not decide by it here.",
        "Use Assay, z-scores instead: it keeps its promise on these judgments.",
    ]
    assert said(verdict=TOO_RARELY)[1].startswith("It is too cautious here")
    z = replace(z, verdict=TOO_OFTEN)
    assert len(said(verdict=TOO_OFTEN)) == 2
    assert instead(replace(measure, rules=(own,))) == "assay-raw"


def test_the_file_has_every_figure_of_a_rule() -> None:
    result = tried(simulated({"a": 0, "b": 0}).table())
    table = placebo_table(result, "signed")
    assert table.file_header == [
        "rule", "measure", "nominal", "rate", "low", "high", "campaign_rate", "campaign_low", "campaign_high",
        "verdict", "decides", "trials", "signature",
    ]  # fmt: skip
    row = dict(zip(table.file_header, next(table.file_rows()), strict=True))
    assert (row["rule"], row["decides"], row["signature"]) == ("Assay, raw scores", True, "signed")
    assert row["verdict"] == result.measures[0].rules[0].verdict


def test_the_same_seed_gives_the_same_rates() -> None:
    table = simulated({"a": 0, "b": 0, "c": 0}).table()
    assert tried(table) == tried(table)
    other = tried(table, replace(RAW, seed=7))
    assert other != tried(table)
    assert not isinstance(other.measures[0].rules[0].rate, Missing)
