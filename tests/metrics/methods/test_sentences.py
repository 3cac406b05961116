"""Whatever the result of a run, the paragraph never says more than was done."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.protocols import PROTOCOLS
from exchange.tables.papers import written
from metrics.analyses.agreement import AnnotatorAgreement, MeasureAgreement
from metrics.analyses.preferences import AgreedPreferences, PreferenceKappa
from metrics.analyses.ranked_systems import PairTest, RankedSystem
from metrics.analyses.ranking import Ranking, TooEarly
from metrics.analyses.scope import ControlCounts, LeftOut, PerOutput, Scope
from metrics.analyses.shared_ratings import PooledRatings
from metrics.methods.facts import Facts
from metrics.methods.sentences import sentences
from metrics.methods.sources import SOURCES
from metrics.recipes import CHOICES, RECIPES
from metrics.results.codec import to_json
from metrics.results.values import Ends, Missing, Number
from tests.exchange.tables.latex_reader import read_text

FEW = settings(max_examples=15)
COUNT = st.integers(0, 3000)
SHARE = st.none() | st.floats(-1, 1)
WORDS = st.text(max_size=40)


def shares(draw: Any) -> tuple[Number, Ends]:
    value = draw(SHARE)
    if value is None:
        return Missing(draw(st.sampled_from(["no_overlap", "no_variation"]))), Missing()
    return value, Missing() if draw(st.booleans()) else (min(low := draw(st.floats(-1, 1)), value), max(low, value))


def some_ranking(draw: Any, measure: str, systems: int) -> Ranking:
    interval = draw(st.just(Missing()) | st.just((1.0, 2.0)))
    one = RankedSystem("x", measure, 1, 1, 1.0, interval, Missing(), Missing(), (1, 1), 1, 0, 0, Missing(), Missing())
    tests = [
        PairTest("x", "y", measure, draw(st.just(Missing()) | st.floats(0, 1)), Missing(), Missing(), 0, is_win=False)
        for _ in range(systems * (systems - 1) // 2)
    ]
    is_short = draw(st.booleans())
    return Ranking(
        systems=(one,) * systems,
        tests=tuple(tests),
        ordered_by={measure: draw(st.sampled_from(["z", "mean", "expected_wins"]))} if systems else {},
        without_z=(),
        notes=("few_documents",) if is_short else (),
        documents_needed=9 if is_short else None,
        too_early=draw(st.none() | st.just(TooEarly("too_few_systems", 1, 20))),
    )


def some_agreement(draw: Any, measure: str) -> AnnotatorAgreement:
    alpha, interval = shares(draw)
    kappa, kappa_interval = shares(draw)
    inter = PreferenceKappa(
        agreed=0,
        comparable=draw(COUNT),
        ties=0,
        total=0,
        observed=Missing(),
        expected=Missing(),
        kappa=kappa,
        interval=kappa_interval,
    )
    preferences = AgreedPreferences(inter=inter, intra=inter, pairs=())
    of_measure = MeasureAgreement(
        measure=measure,
        level="interval",
        is_cut=False,
        ratings=0,
        items=draw(COUNT),
        annotators=0,
        alpha={"interval": alpha},
        alpha_interval={"interval": interval},
        fleiss=Missing(),
        fleiss_interval=Missing(),
        fleiss_items=0,
        gwet_ac1=Missing(),
        gwet_ac1_interval=Missing(),
        pairs=(),
        intra=(),
        repeats=Missing(),
        bands=Missing(),
        pooled=PooledRatings(n=0, pearson=Missing(), kendall_b=Missing(), difference=Missing(), identical=Missing()),
        cuts=Missing(),
        preference=Missing(),
        everybody=None,
    )
    preference = draw(st.just(Missing("no_comparisons")) | st.just(preferences))
    return AnnotatorAgreement(measures=(of_measure,), spans=Missing(), preference=preference)


@st.composite
def some_facts(draw: Any) -> Facts:
    fewest = draw(st.integers(1, 3))
    measure = draw(st.sampled_from(["score", "penalty"]))
    systems = draw(st.integers(0, 4))
    return Facts(
        source_language=draw(WORDS),
        target_language="German",
        protocol=draw(st.sampled_from([*PROTOCOLS, "another"])),
        options=SimpleNamespace(judge_against=draw(st.sampled_from(["source", "reference", "both", "?"]))),
        recipe=replace(
            draw(st.sampled_from(list(RECIPES.values()))),
            include=draw(st.sampled_from(["all", "passed"])),
            surplus=draw(st.booleans()),
            test=draw(st.sampled_from(CHOICES["test"])),
            control_test=draw(st.sampled_from(["paired-t", "signed-rank"])),
            adjudicated=draw(st.sampled_from(["no", "yes"])),
            without=draw(st.sampled_from([(), ("anna",), ("anna", "ben")])),
            weights=draw(st.sampled_from([None, "wmt2024", "minor=1,{major}=5"])),
        ),
        scope=Scope(
            systems=systems,
            documents=draw(COUNT),
            segments=draw(COUNT),
            annotators=draw(COUNT),
            judgments={kind: draw(COUNT) for kind in ("regular", "repeat", "degraded", "reference")},
            per_output=draw(
                st.just(Missing("no_judgments"))
                | st.just(PerOutput(fewest, fewest + 0.5, fewest + draw(st.integers(0, 1))))
            ),
            left_out={part: LeftOut(draw(st.integers(0, 2)), draw(COUNT)) for part in ("by_decision", "by_controls")},
            surplus=draw(st.integers(0, 2)),
            controls=ControlCounts(draw(st.integers(0, 9)), 0),
        ),
        ranking=some_ranking(draw, measure, systems),
        agreement=some_agreement(draw, measure),
        signature=f"recipe:x|version:assay-0.1.0|adjudications:{draw(st.integers(0, 30))}",
        reasons=draw(st.lists(WORDS, max_size=2)),
    )


@FEW
@given(some_facts())
def test_the_text_names_nothing_that_was_not_done(facts: Facts) -> None:
    text = " ".join(sentences(facts))
    done = [test for test in facts.tests if not isinstance(test.p, Missing)]
    assert ("significant below" in text) == bool(done)
    assert ("Holm" in text) <= (facts.recipe.correction == "holm" and bool(done))
    assert ("permutation" in text) == (facts.recipe.test == "permutation" and bool(done))
    assert ("paired bootstrap test" in text) == (facts.recipe.test == "bootstrap" and bool(done))
    assert ("percentile bootstrap" in text) == facts.has_intervals
    assert ("standardised by annotator" in text) == (facts.ordered_by == "z")
    assert ("expected wins" in text) == (facts.ordered_by == "expected_wins")
    assert ("by decision of the organisers" in text) == bool(facts.scope.left_out["by_decision"].annotators)
    assert ("an adjudicated answer replaces" in text) == (facts.recipe.adjudicated == "yes" and facts.adjudications > 0)
    assert ("In this analysis only" in text) == bool(facts.recipe.without)
    assert "anna" not in text
    assert ("did not pass" in text) == bool(facts.scope.left_out["by_controls"].annotators)
    assert ("was tested by" in text) == bool(facts.scope.controls.tested)
    assert ("preliminary" in text) == bool(facts.ranking.too_early)
    assert ("alpha is" in text) <= isinstance(facts.agreement.measures[0].alpha["interval"], float)
    assert ("degraded items" in text) <= bool(
        facts.scope.judgments["degraded"]
        or facts.scope.controls.tested
        or facts.scope.left_out["by_controls"].annotators
    )


@FEW
@given(some_facts())
def test_every_number_in_the_text_was_counted_or_chosen(facts: Facts) -> None:
    """Each number in the paragraph is in the run or in its recipe, except those in fixed words."""
    quoted = re.sub(r"“[^”]*”|\{[a-z]+-\d{4}-[a-z]+\}", "", " ".join(sentences(replace(facts, source_language="x"))))
    numbers = {float(number.replace(",", "")) for number in re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?", quoted)}
    fixed = {0.0, 100.0, 0.1, 95.0}  # of a scale, the version 0.1.0, a level in words
    assert numbers - fixed <= numbers_in(
        [to_json(facts.scope), to_json(facts.ranking), to_json(facts.agreement), chosen(facts)]
    )


def chosen(facts: Facts) -> list[Any]:
    recipe, tests = facts.recipe, facts.tests
    possible = sum(isinstance(test.p, float) for test in tests)
    tried = [len(recipe.without), len(recipe.readmitted), facts.adjudications]
    made = [recipe.seed, recipe.resamples, recipe.interval_resamples, recipe.alpha]
    weights = [float(weight) for weight in re.findall(r"=(\d+)", recipe.weights or "")]
    return [*made, *tried, *weights, possible, len(tests) - possible]


def numbers_in(value: Any) -> set[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return {number for each in value for number in numbers_in(each)}
    return {float(f"{value:.2f}") + 0.0} if isinstance(value, int | float) else set()


@given(some_facts())
@settings(max_examples=5)
def test_an_ordinal_model_is_told_with_its_random_terms(facts: Facts) -> None:
    sentence = (
        "Points of the scale were also modelled as ordered bands, by a cumulative logit model "
        "({mccullagh-1980-regression}) with random effects of annotators, documents and segments, estimated by "
        "Laplace's approximation."
    )
    assert sentence in sentences(replace(facts, ordinal_terms=["annotators", "documents", "segments"]))
    assert not any("ordered bands" in each for each in sentences(facts))


@FEW
@given(some_facts())
def test_both_forms_say_the_same_and_name_their_sources(facts: Facts) -> None:
    methods = written(sentences(facts), facts.signature)
    assert not re.search(r"\{[a-z]+-\d{4}-[a-z]+\}", methods.text)
    cited = set(re.findall(r"\\citealp\{([a-z0-9-]+)\}", methods.latex))
    assert cited == set(re.findall(r"^@\w+\{([a-z0-9-]+),", methods.bibtex, flags=re.MULTILINE))
    for key in cited:
        assert f"{SOURCES[key].authors}, {SOURCES[key].year}" in methods.text
    named = {key: f"{source.authors}, {source.year}" for key, source in SOURCES.items()}
    assert read_text(methods.latex, named) == re.sub(r"\s+", " ", methods.text)
