"""Annotators who are tied to systems: raw means do not decide, the mixed model does, and the page says why."""

import numpy as np
import pytest

from metrics.analyses.deciding import decided
from metrics.analyses.evidence import Evidence
from metrics.analyses.ranking import ranking
from metrics.analyses.uneven import uneven_means, unevenness
from metrics.findings.ranking import notes_on_ranking
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, recipe_for
from metrics.results.codec import from_json, to_json
from metrics.statistics.evenness import Imbalance, annotator_imbalance
from tests.metrics.analyses.sample_tables import Rows

RAW = recipe_for("esa")


def judged(*, tied: float, severity: float = 15.0) -> ScoreTable:
    """Three equal systems on 24 documents; a system's own annotator judges the share `tied` of it."""
    rng = np.random.default_rng(6)
    rows = Rows()
    severities = rng.normal(0, severity, 3) if severity else np.zeros(3)
    for document in range(24):
        for place, system in enumerate("abc"):
            anybody = (document + place) % 3  # a Latin square
            who = place if rng.random() < tied else anybody
            for segment in range(2):
                value = 50 + severities[who] + rng.normal(0, 8)
                rows.add(f"ann{who}", system, f"{document}.{segment}", float(value), document=f"d{document}")
    return rows.table()


def test_a_latin_square_is_even() -> None:
    table = judged(tied=0)
    uneven = unevenness(Evidence((table,), RAW), table)
    assert uneven is not None
    assert [uneven.shift, uneven.ratio] == pytest.approx([0, 0])
    assert not uneven.is_uneven
    assert decided(Evidence((table,), RAW), is_chosen=False).recipe == RAW


def test_annotators_tied_to_systems_make_the_mixed_model_decide() -> None:
    table = judged(tied=0.6)
    evidence = decided(Evidence((table,), RAW), is_chosen=False)
    assert evidence.recipe.name == "incomplete"
    result = ranking(evidence)
    assert result.decided_by == ("annotators_uneven",)
    assert result.uneven is not None
    assert result.uneven.ratio > result.uneven.bound
    assert result.uneven.shift == pytest.approx(result.uneven.ratio * result.uneven.error)
    assert not any(test.is_win for test in result.tests), "systems are equal"
    note = notes_on_ranking(result)[-1]
    assert note.startswith("Annotators are not spread evenly over systems. Between")
    assert f"{result.uneven.ratio:.2f} times its error" in note
    assert from_json(type(result), to_json(result)).uneven == result.uneven


def test_who_chose_raw_means_is_warned() -> None:
    evidence = decided(Evidence((judged(tied=0.6),), RAW), is_chosen=True)
    result = ranking(evidence)
    assert (evidence.recipe, result.decided_by) == (RAW, None)
    calibrated, uneven = notes_on_ranking(result)
    assert "raw means called" in calibrated
    assert uneven.startswith("Annotators are not spread evenly")


def test_z_scores_and_the_model_itself_are_without_severities() -> None:
    table = judged(tied=0.6)
    for name in ("assay", "incomplete"):
        assert uneven_means(Evidence((table,), RECIPES[name])) is None


def test_one_annotator_one_system_and_nothing_are_no_matter() -> None:
    alone = judged(tied=0)
    for rows in (alone.annotator == 0, alone.system == 0, np.zeros(len(alone), dtype=np.bool_)):
        table = alone.where(rows)
        assert unevenness(Evidence((table,), RAW), table) is None
        assert uneven_means(Evidence((table,), RAW)) is None


def test_annotators_who_do_not_differ_shift_nothing() -> None:
    table = judged(tied=1.0, severity=0)
    uneven = unevenness(Evidence((table,), RAW), table)
    assert uneven is None or not uneven.is_uneven or uneven.deviation > 0


def test_deciding_and_ranking_exchange_labels_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exchanges take seconds in a large campaign, and three places ask how they came out."""
    calls: list[int] = []

    def counted(*columns: object, **options: object) -> Imbalance:
        calls.append(1)
        return annotator_imbalance(*columns, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("metrics.analyses.uneven.annotator_imbalance", counted)
    evidence = decided(Evidence((judged(tied=0),), RAW), is_chosen=False)
    assert ranking(evidence).calibrated is not None
    assert len(calls) == 1
