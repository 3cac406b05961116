"""Which simulated campaigns a campaign is most like, and what the page says of its recipe there."""

from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.calibrated import BY_MODEL, BY_Z, RAW, CalibratedAs, calibrated_as, cell_of, deciding_instead
from metrics.analyses.evidence import Evidence
from metrics.analyses.ranking import ranking
from metrics.calibration.outcomes import as_table
from metrics.calibration.worlds import DESIGNS, WORLDS, simulated_campaign
from metrics.findings.calibrated import calibration_sentences
from metrics.findings.ranking import notes_on_ranking
from metrics.recipes import RECIPES
from metrics.results.codec import from_json, to_json
from metrics.statistics.arrays import joint_codes
from tests.metrics.analyses.sample_tables import two_annotators

ASSAY = RECIPES["assay"]


def simulated(design: str, world: str, seed: int = 0) -> Evidence:
    """Screens are those of an annotator's document where systems stand side by side, else single outputs."""
    campaign = simulated_campaign(design, WORLDS[world], np.random.default_rng([seed, *design.encode()]))
    table = as_table(campaign)
    if design == "screens":
        table = replace(table, screen=joint_codes(campaign.document, campaign.annotator))
    return Evidence((table,), ASSAY)


@pytest.mark.drawn(2)
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_campaign_of_a_simulated_design_and_noise_is_recognised(design: str, world: str) -> None:
    found = [calibrated_as(simulated(design, world, seed), "z") for seed in range(3)]
    designs = [one.design for one in found if one]
    assert designs.count(design) >= 2, designs
    if design not in ("unequal", "confounded"):  # their annotators differ more than those of any world
        assert [one.noise for one in found if one].count(world) >= 2


def test_outputs_that_two_systems_share_are_no_screens() -> None:
    evidence = simulated("pool", "esa", 1)
    table = evidence.tables[0]
    shared = np.where(table.screen < 40, table.screen // 2, table.screen)
    found = calibrated_as(replace(evidence, tables=(replace(table, screen=shared),)), "z")
    assert found is not None
    assert found.design == "pool"


def test_every_design_and_noise_was_simulated_with_every_recipe_that_decides() -> None:
    for design in DESIGNS:
        for noise in WORLDS:
            for recipe in (RAW, BY_Z, BY_MODEL):
                cell = cell_of(CalibratedAs(design, noise, recipe))
                assert cell is not None
                assert cell.campaigns >= 1_000
                assert cell.rate.low <= cell.rate.share <= cell.rate.high
                assert cell.decides or recipe != BY_MODEL


def test_raw_means_do_not_decide_where_annotators_are_tied_nor_in_a_latin_square_with_severe_annotators() -> None:
    for design, noise, decides in (("confounded", "esa", False), ("full", "da", False), ("full", "esa", True)):
        found = CalibratedAs(design, noise, RAW)
        cell = cell_of(found)
        assert cell is not None
        assert cell.decides == decides
        assert deciding_instead(found) == BY_MODEL


def test_the_page_names_the_design_and_that_the_recipe_holds() -> None:
    result = ranking(simulated("pool", "esa", 1))
    assert result.calibrated == CalibratedAs("pool", "esa", BY_Z)
    assert from_json(type(result), to_json(result)).calibrated == result.calibrated
    (sentence,) = calibration_sentences(result.calibrated)
    assert notes_on_ranking(result)[-1] == sentence
    assert sentence.startswith(
        "Design of this campaign: a pool: whoever comes takes the next document; its noise is most like that of ESA. "
    )
    assert "z-scores called 4." in sentence
    assert sentence.endswith("that holds.")


def test_the_page_says_that_a_recipe_does_not_decide_and_which_one_does() -> None:
    (timid,) = calibration_sentences(CalibratedAs("full", "da", RAW))
    assert "that does not decide here. Differences that exist may not be found." in timid
    assert "What decides is the recipe for incomplete designs: 4." in timid
    assert "intervals of means are wider than they need to be" in timid
    (wrong,) = calibration_sentences(CalibratedAs("confounded", "mqm", RAW))
    assert "raw means called 38." in wrong
    assert "may not be found" not in wrong
    assert "compare systems by their differences" in wrong


def test_where_nothing_was_simulated_nothing_is_said() -> None:
    evidence = simulated("pool", "esa")
    table = evidence.tables[0]
    assert calibration_sentences(None) == []
    assert calibrated_as(evidence, "expected_wins") is None
    assert calibrated_as(replace(evidence, recipe=RECIPES["wmt24"]), "mean") is None
    for rows in (table.annotator == 0, table.system == 0, np.zeros(len(table), dtype=np.bool_)):
        assert calibrated_as(Evidence((table.where(rows),), ASSAY), "z") is None
    early = ranking(Evidence((two_annotators().table(),), ASSAY))
    assert early.too_early is not None
    assert not any("Design of" in note for note in notes_on_ranking(early))
