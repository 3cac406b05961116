from typing import Any

import pytest

from annotation.actions.decisions import adjudicate
from annotation.actions.submitting import report_problem
from annotation.models import Item
from campaigns.models import Campaign, Segment, TestSet
from jobs.models import Run
from metrics.segments.search import ON_A_PAGE, Search, SearchRequest
from tests.cast import Cast
from tests.metrics.segments.differing import find_disagreement, make_differing, output_of, segment_named
from tests.rows_made_once import made_once
from tests.sample_test_set import HUMAN, WOMBAT


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    return make_differing(test_set, cast, {("harbour:3", WOMBAT): (20, 67), ("orchard:1", HUMAN): (90, 60)})


stored, cast, test_set, campaign = made_once(make_judged)


@pytest.fixture
def run(campaign: Campaign) -> Run:
    return find_disagreement(campaign)


def names_of(campaign: Campaign, run: Run | None, **request: Any) -> list[str]:
    search = Search(campaign, SearchRequest(**request), run)
    names = [f"{row.segment.document.name}:{row.segment.name}" for row in search.page().rows]
    assert search.counts()[0] == len(names)
    assert [f"{row.segment.document.name}:{row.segment.name}" for row in search.all()] == names
    return names


def test_what_differs_most_comes_first_and_the_order_of_texts_can_be_had(campaign: Campaign, run: Run) -> None:
    in_order = [f"{document}:{number}" for document in ("harbour", "orchard") for number in (1, 2, 3)]
    assert names_of(campaign, run)[:2] == ["harbour:3", "orchard:1"]
    assert names_of(campaign, run, sort="text") == in_order
    assert names_of(campaign, None) == in_order


def test_segments_are_found_by_what_is_known_of_them(campaign: Campaign, run: Run, cast: Cast) -> None:
    Segment.objects.filter(pk=segment_named(campaign, "orchard:2").pk).update(tags=["idiom", "Größe"])
    report_problem(item=Item.objects.filter(segment__name="3")[0], annotator=cast.annotator, reason="other")
    assert names_of(campaign, run, spread=40.0) == ["harbour:3"]
    assert names_of(campaign, run, document="orchard", spread=1.0) == ["orchard:1"]
    assert names_of(campaign, run, document="orch", domain="news", sort="text")[0] == "orchard:1"
    assert names_of(campaign, run, domain="law") == []
    assert names_of(campaign, run, tag="Größe") == names_of(campaign, None, tag="idiom") == ["orchard:2"]
    assert names_of(campaign, run, tag="dio") == []
    assert len(names_of(campaign, run, is_reported=True)) == 1
    assert names_of(campaign, run, gap=1.0) == []


def test_words_are_looked_for_in_sources_outputs_and_references(campaign: Campaign, run: Run) -> None:
    assert names_of(campaign, run, text="café") == ["harbour:3"]
    assert names_of(campaign, run, text="zuckersüß") == ["orchard:2"]
    assert names_of(campaign, run, text="lief aus", system=WOMBAT) == []
    assert names_of(campaign, None, text="lief aus") == ["harbour:3"]


def test_of_one_system_the_spread_is_its_own(campaign: Campaign, run: Run) -> None:
    assert names_of(campaign, run, system=HUMAN, spread=1.0) == ["orchard:1"]
    assert names_of(campaign, run, system="nobody") == []


def test_outputs_stay_in_the_queue_until_they_are_decided_on(campaign: Campaign, run: Run, cast: Cast) -> None:
    assert names_of(campaign, run, queue=True) == ["harbour:3", "orchard:1"]
    worst = output_of(campaign, "harbour:3", WOMBAT)
    adjudicate(campaign=campaign, translation=worst, answered={"score": 30}, reason="Bread is missing.", by=None)
    assert names_of(campaign, run, queue=True) == ["orchard:1"]
    assert Search(campaign, SearchRequest(queue=True), run).counts()[:2] == (1, 1)
    assert names_of(campaign, run, decided="yes") == ["harbour:3"]
    assert "harbour:3" not in names_of(campaign, run, decided="no")
    assert names_of(campaign, run, decided="yes", system=HUMAN) == []


def test_what_is_decided_of_one_output_is_decided_of_the_same_text(campaign: Campaign, run: Run) -> None:
    shared = output_of(campaign, "harbour:2", WOMBAT)
    adjudicate(campaign=campaign, translation=shared, answered={"score": 30}, reason="Both.", by=None)
    quokka = SearchRequest(decided="yes", system="sentinel-quokka")
    assert [row.segment.name for row in Search(campaign, quokka, run).page().rows] == ["2"]


def test_pages_follow_each_other_both_ways(campaign: Campaign, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.segments.search.ON_A_PAGE", 2)
    assert ON_A_PAGE == 20
    for of in (run, None):
        search = Search(campaign, SearchRequest(sort="text"), of)
        first = search.page()
        second = search.page(after=first.rows[-1].place)
        third = search.page(after=second.rows[-1].place)
        names = [row.segment.name for page in (first, second, third) for row in page.rows]
        assert names == ["1", "2", "3", "1", "2", "3"]
        assert [(page.has_before, page.has_after) for page in (first, second, third)][1:] == [
            (True, True),
            (True, False),
        ]
        assert (first.has_after, search.page(before=third.rows[0].place).rows) == (True, second.rows)
        middle = search.row_of(second.rows[0].segment.pk)
        assert middle == second.rows[0]
        assert search.neighbour(middle.place, forward=False) == first.rows[1]
        assert search.neighbour(middle.place, forward=True) == second.rows[1]
