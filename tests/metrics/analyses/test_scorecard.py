"""The scorecard: what errors cost in each document of each system and whether that passes, added up by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from campaigns.models import Campaign, TestSet
from metrics.analyses.evidence import Evidence
from metrics.analyses.scorecard import Scorecard, TextScore, failing_table, scorecard, scorecard_table, verdicts_table
from metrics.recipes import AnalysisError, recipe_for
from metrics.results.codec import from_json, to_json
from metrics.results.values import Missing
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark_by_system
from tests.metrics.score_tables import score_table
from tests.planned_campaign import take
from tests.sample_test_set import QUOKKA, WOMBAT

HERON, KESTREL = "Heron", "Kestrel"
ROWS = [
    (HERON, "ferry", "1", 8.0, 200.0),
    (HERON, "ferry", "1", 4.0, 200.0),  # by somebody else
    (HERON, "ferry", "2", 0.5, 100.0),
    (HERON, "bridge", "3", 0.0, 249.0),
    (KESTREL, "ferry", "1", 25.0, 200.0),
    (KESTREL, "ferry", "2", 5.0, 100.0),
]


def scored(tolerance: str | None, rows: list[tuple[str, str, str, float, float]] = ROWS, **options: Any) -> Scorecard:
    systems, documents, segments, penalties, words = map(list, zip(*rows, strict=True)) if rows else ([],) * 5
    table = score_table(
        "penalty",
        values=[-each + 0.0 for each in penalties],
        annotators=[f"a{place}" for place in range(len(rows))],
        systems=systems,
        segments=segments,
        documents=documents,
    )
    table = replace(table, higher_is_better=False, source_words=np.array(words, dtype=np.float64))
    return scorecard(Evidence(tables=(table,), recipe=recipe_for("mqm", None, {"tolerance": tolerance, **options})))


def of(result: Scorecard, system: str, document: str) -> TextScore:
    return next(each for each in result.systems if (each.system, each.document) == (system, document))


def test_points_and_words_are_added_over_the_judged_segments_of_a_document() -> None:
    ferry = of(scored("25"), HERON, "ferry")
    assert (ferry.segments, ferry.points, ferry.words, ferry.limit, ferry.passed) == (2, 6.5, 300, 7.5, True)
    assert ferry.per_thousand == pytest.approx(6.5 / 0.3)
    assert ferry.quality_score == pytest.approx(100 - 100 * 6.5 / 300)
    assert of(scored("25"), KESTREL, "ferry").passed is False


def test_a_short_document_has_a_limit_and_no_verdict_and_counts_for_its_system() -> None:
    result = scored("25")
    assert of(result, HERON, "bridge").limit == pytest.approx(249 * 0.025)
    assert of(result, HERON, "bridge").passed == Missing("too_short")
    heron, kestrel = result.totals
    assert (heron.documents, heron.passing, heron.failing, heron.too_short) == (2, 1, 0, 1)
    assert (heron.whole.document, heron.whole.points, heron.whole.words, heron.whole.passed) == (None, 6.5, 549, True)
    assert (kestrel.passing, kestrel.failing, kestrel.whole.passed) == (0, 1, False)


def test_a_curve_allows_a_long_text_less_for_each_word() -> None:
    result = scored("250=6,1000=8")
    assert (result.model, result.tolerance) == ("logarithmic", "250=6,1000=8")
    ferry = of(result, HERON, "ferry")
    assert ferry.limit == pytest.approx(6 + 2 * np.log(300 / 250) / np.log(4), abs=0.01)
    assert ferry.passed is False, "a whole of 300 words may have 6.26 points and has 6.5"


def test_without_a_tolerance_nothing_passes_or_fails() -> None:
    result = scored(None)
    assert {each.passed for each in result.systems} == {Missing("no_tolerance")}
    assert of(result, HERON, "ferry").points == 6.5
    assert verdicts_table(result).rows == failing_table(result).rows == ()


def test_a_document_with_a_source_that_is_not_known_has_points_alone() -> None:
    result = scored("25", [*ROWS, (HERON, "bridge", "4", 1.0, np.nan)])
    bridge = of(result, HERON, "bridge")
    assert (bridge.points, bridge.words) == (1.0, Missing("words_unknown"))
    assert {bridge.limit, bridge.passed, bridge.per_thousand, bridge.quality_score} == {Missing("words_unknown")}
    assert result.totals[0].whole.passed == Missing("words_unknown")
    assert "cannot be counted" in verdicts_table(result).notes[1]
    assert len(verdicts_table(scored("25", ROWS)).notes) == 1


def test_nothing_judged_gives_an_empty_scorecard() -> None:
    result = scored("25", [])
    assert (result.totals, result.systems) == ((), ())
    assert scorecard_table(result).rows == ()


def test_the_file_has_every_document_and_what_was_agreed() -> None:
    table = scorecard_table(scored("25", weights="mqm-core"))
    rows = [dict(zip(table.file_header, row, strict=True)) for row in table.file_rows()]
    assert [(row["system"], row["document"], row["verdict"]) for row in rows] == [
        (HERON, "bridge", "too_short"),
        (HERON, "ferry", "pass"),
        (HERON, None, "pass"),
        (KESTREL, "ferry", "fail"),
        (KESTREL, None, "fail"),
    ]
    assert {(row["tolerance"], row["model"], row["weights"]) for row in rows} == {("25", "linear", "mqm-core")}


def test_a_stored_result_keeps_the_worst_documents_apart_from_all() -> None:
    result = scored("25")
    short, documents = result.split()
    assert [(each.system, each.document) for each in short.systems] == [(KESTREL, "ferry")]
    assert from_json(Scorecard, to_json(short)).join(documents) == result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("much", "The numbers of a tolerance are above 0"),
        ("0", "above 0"),
        ("-3", "above 0"),
        ("nan", "above 0"),
        ("250=3", "two agreed points, such as 250=3,1000=8"),
        ("250=3,1000=8,2000=9", "two agreed points"),
        ("250=3,1000=12", "No curve goes through 3 points in 250 words and 12 points in 1000 words"),
        ("250=3,1000=2", "No curve goes through"),
        (True, "tolerance must be a text"),
        ([25], "tolerance must be a text"),
    ],
)
def test_a_tolerance_that_cannot_be_is_refused_with_what_to_write(text: object, expected: str) -> None:
    with pytest.raises(AnalysisError, match=expected):
        recipe_for("mqm", None, {"tolerance": text})


def test_a_tolerance_is_signed_in_one_form() -> None:
    for text in ("1000=8,250=3", "250.0=3.000, 1000=8"):
        recipe = recipe_for("mqm", None, {"tolerance": text})
        assert "|tolerance:250=3,1000=8|" in recipe.signature(protocol="mqm")
    assert "tolerance" not in recipe_for("mqm").signature(protocol="mqm")
    assert recipe_for("mqm", None, {"tolerance": 25}).tolerance == "25"


def test_an_analysis_has_the_verdicts(test_set: TestSet, cast: Cast) -> None:
    campaign: Campaign = make_mqm(test_set, cast)
    mark_by_system(take(campaign, cast.annotator), {WOMBAT: (GRAVE,), QUOKKA: (SMALL,)})
    result = analyse(campaign, analyses=["scorecard"], options={"tolerance": "25"})
    card = result["analyses"]["scorecard"]
    assert (card["tolerance"], card["model"], card["weights"]) == ("25", "linear", "wmt2021")
    assert "|tolerance:25|" in result["signature"]
    documents = set(test_set.documents.values_list("name", flat=True))
    assert {one["document"] for one in card["systems"]} == documents
    assert {one["reasons"]["passed"] for one in card["systems"]} == {"too_short"}
    wombat = next(one["whole"] for one in card["totals"] if one["whole"]["system"] == WOMBAT)
    assert wombat["limit"] == pytest.approx(wombat["words"] * 25 / 1000)
