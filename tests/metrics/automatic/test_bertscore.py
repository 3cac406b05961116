"""BERTScore with its real model, compared with bert-score's own code on real translations."""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from metrics.automatic.bertscore import BASELINE, BertScore
from tests.metrics.automatic.encoded_contract import EncodedContract
from tests.metrics.neural.light_model_files import expected, models_folder, wmt23

PLACES = {"precision": 1, "recall": 2, "f": 3}
SETTINGS: dict[str, dict[str, Any]] = {"bertscore": {}, "bertscore idf": {"idf": True}}


class TestBertScore(EncodedContract):
    name = "bertscore"
    other_options: ClassVar[dict[str, Any]] = {**EncodedContract.other_options, "idf": True, "rescale": True}


def _metric(**options: Any) -> BertScore:
    return BertScore(models_folder=models_folder(), **options)


def test_a_text_against_itself_is_one() -> None:
    for options in ({}, {"idf": True}, {"rescale": True}):
        result = _metric(**options).score(["The ferry sails at noon.", "Fog."], ["The ferry sails at noon.", " Fog. "])
        assert result.segments.tolist() == [1, 1]


def test_a_paraphrase_is_nearer_than_another_text() -> None:
    reference = ["The ship leaves the harbour at midday."] * 2
    near, far = (
        _metric()
        .score(["At noon the boat sails from the port.", "The committee rejected the budget."], reference)
        .segments
    )
    assert near > far + 0.1


def test_rescaling_is_linear() -> None:
    texts = ["The ship leaves."], ["The boat sails."]
    plain, scaled = _metric().statistics(*texts)[0, 1:4], _metric(rescale=True).statistics(*texts)[0, 1:4]
    assert scaled == pytest.approx((plain - BASELINE) / (1 - BASELINE), abs=5e-6)
    with pytest.raises(ValueError, match="Only layer 9"):
        BertScore(rescale=True, layer=8)


def test_rare_pieces_weigh_more() -> None:
    """Of the two references only one has "fog"; "the" is in both: ln(3/3) = 0."""
    references = ["the fog", "the ferry"]
    precision = _metric(idf=True).statistics(["the fog", "the ship"], references)[0, 1]
    assert precision == 1


@pytest.mark.real_data
@pytest.mark.parametrize("setting", SETTINGS)
def test_segments_and_systems_have_the_expected_values(setting: str, encoded_systems: Sequence[str]) -> None:
    """Eight segments of three systems one by one, and the means of all 120."""
    case = expected()
    stored, means, tolerance = case["segments"], case["systems_mean"], case["tolerance"]["scores"]
    texts = wmt23(*encoded_systems)
    for system in encoded_systems:
        counts = _metric(**SETTINGS[setting]).statistics(texts.systems[system], texts.references)
        for part, place in PLACES.items():
            assert counts[:8, place] == pytest.approx(stored["values"][f"{setting} {part}"][system], abs=tolerance)
            assert counts[:, place].mean() == pytest.approx(means[f"{setting} {part}"][system], abs=tolerance)


@pytest.mark.real_data
def test_the_baseline_is_what_other_references_have() -> None:
    """The mean of all 14,000 pairs is 0.510; here is a seeded tenth of them, each text as often on both sides."""
    references, draw = wmt23().references, random.Random(4)
    others = [references[shift:] + references[:shift] for shift in draw.sample(range(1, len(references)), 12)]
    pairs = [(own, rest) for turned in others for own, rest in zip(references, turned, strict=True) if own != rest]
    scores = _metric().statistics([own for own, _rest in pairs], [rest for _own, rest in pairs])[:, 3]
    assert scores.mean() == pytest.approx(BASELINE, abs=0.002)
