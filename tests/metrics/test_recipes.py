import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from annotation.protocols import PROTOCOLS
from metrics import VERSION
from metrics.recipes import CHOICES, OPTIONS, RECIPES, AnalysisError, Recipe, own_recipe, recipe_for

# Fields that say how a recipe is called, not what it does.
NAMES_ONLY = {"name", "reproducing"}
ANOTHER: dict[str, Any] = {
    "normalisation": "regular",
    "rows": ("repeat",),
    "z_from": 3,
    "average": "domain",
    "test": "signed-rank",
    "shared_segments": True,
    "combination": "wmt24",
    "correction": "none",
    "alpha": 0.01,
    "include": "passed",
    "control_test": "signed-rank",
    "surplus": True,
    "weights": "mqm-core",
    "seed": 1,
    "resamples": 17,
    "interval_resamples": 18,
    "interval_level": 0.9,
    "by": "tag",
    "bins": 5,
    "humans": "out",
    "outliers": "out",
    "without": ("ana",),
    "readmitted": ("bo",),
    "adjudicated": "yes",
    "where": "domain = news",
    "tolerance": "250=3,1000=8",
    "threshold": "bleu=30,chrf=60",
    "terms": ("annotator", "segment"),
    "metric": "chrf",
    "lowest_fit": 0.0,
    "units": "score",
    "ranks": "neighbours",
    "clusters": "ranges",
}


def test_the_recipes_are_there_under_their_names() -> None:
    assert list(RECIPES) == ["assay", "wmt-crowd", "wmt-appraise", "wmt24", "mqm", "incomplete", "wmt25", "wmt26"]


def test_the_rules_of_wmt_2026_can_be_changed_one_by_one() -> None:
    recipe = recipe_for("esa", "wmt26", {"lowest_fit": "0.5", "resamples": "20000", "seed": 7})
    assert recipe == replace(RECIPES["wmt26"], lowest_fit=0.5, resamples=20_000, seed=7)
    assert RECIPES["wmt26"].lowest_fit == 0.75
    assert RECIPES["wmt26"].resamples == 100
    assert recipe_for("esa", "wmt26", {"lowest_fit": 0}).lowest_fit == 0


@pytest.mark.parametrize("value", ["1.01", -0.1, True, "much", "nan", [1]])
def test_the_lowest_fit_is_a_number_from_0_to_1(value: object) -> None:
    with pytest.raises(AnalysisError, match="lowest_fit must be a number from 0 to 1"):
        recipe_for("esa", "wmt26", {"lowest_fit": value})


def test_beside_a_recipe_that_reproduces_others_is_the_protocols_own_on_the_same_judgments() -> None:
    beside = recipe_for("mqm", "wmt26", {"seed": 3, "without": ["ana"], "where": "kind = repeat"})
    own = own_recipe("mqm", beside)
    assert (own.name, own.test, own.resamples, own.lowest_fit) == ("mqm", "permutation", 10_000, None)
    assert (own.seed, own.without, own.rows) == (3, ("ana",), ("repeat",))


def test_direct_assessment_is_analysed_by_assay() -> None:
    assert recipe_for("direct_assessment") == RECIPES["assay"]


def test_a_protocol_without_z_is_analysed_without_z() -> None:
    assert recipe_for("esa").normalisation == "none"


def test_where_a_protocol_says_nothing_its_numbers_are_not_normalised() -> None:
    silent = [name for name, protocol in PROTOCOLS.items() if "is_normalised" not in vars(protocol)]
    assert [recipe_for(name).normalisation for name in silent] == ["none"] * len(silent)
    assert recipe_for("a protocol of another version").normalisation == "none"
    assert (recipe_for("mqm").name, recipe_for("esa").name) == ("mqm", "assay")


def test_single_options_override_a_recipe() -> None:
    recipe = recipe_for("direct_assessment", "wmt-crowd", {"correction": "holm", "seed": "7", "surplus": True})
    assert recipe == replace(RECIPES["wmt-crowd"], correction="holm", seed=7, surplus=True)


def test_an_option_that_is_none_was_not_set() -> None:
    assert recipe_for("direct_assessment", None, {"test": None}) == RECIPES["assay"]


def test_the_options_of_the_crowd_pipeline_together_are_its_recipe() -> None:
    options = {"normalisation": "all", "test": "rank-sum", "correction": "none"}
    assert recipe_for("direct_assessment", None, options) == RECIPES["wmt-crowd"]
    assert recipe_for("direct_assessment", "assay", options).name == "assay"


def test_all_problems_are_named_at_once() -> None:
    options = {"seed": "many", "test": "guess", "colour": "red", "surplus": "perhaps", "resamples": 0}
    with pytest.raises(AnalysisError) as caught:
        recipe_for("direct_assessment", "tasty", options)
    message = str(caught.value)
    for error in ("many", "guess", "colour", "perhaps", "resamples", "tasty"):
        assert error in message


@pytest.mark.parametrize("value", [True, 1.5, None.__class__, "", "1e3", [1]])
def test_a_seed_is_a_whole_number(value: object) -> None:
    with pytest.raises(AnalysisError, match="seed"):
        recipe_for("direct_assessment", None, {"seed": value})


def test_every_option_is_a_field() -> None:
    assert set(OPTIONS) <= {field.name for field in fields(Recipe)}
    assert all(getattr(Recipe("x"), name) in values for name, values in CHOICES.items() if name != "weights")


@pytest.mark.parametrize("name", [field.name for field in fields(Recipe) if field.name not in NAMES_ONLY])
def test_whatever_can_change_a_number_changes_the_signature(name: str) -> None:
    """`combination` tells only where domains are combined; `shared_segments` only where a test is unpaired."""
    plain = Recipe("x")
    if name == "combination":
        plain = replace(plain, average="domain", test="signed-rank")
    if name == "shared_segments":
        plain = replace(plain, test="rank-sum")
    changed = replace(plain, **{name: ANOTHER[name]})
    protocol = "direct_assessment"
    assert changed.signature(protocol=protocol) != plain.signature(protocol=protocol)


def test_the_signature_names_protocol_exclusions_and_version() -> None:
    signature = RECIPES["assay"].signature(protocol="direct_assessment", excluded=2)
    assert signature.startswith("recipe:assay|protocol:direct_assessment|")
    assert "|excluded:2|" in signature
    assert signature.endswith(f"|version:assay-{VERSION}")


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION
