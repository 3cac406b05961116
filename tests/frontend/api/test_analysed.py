"""What researchers' pages make of a finished analysis, by the API: tables, findings, files for a paper, segments."""

import csv
import json
from importlib import import_module
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.models import Exclusion
from campaigns.models import Campaign, TestSet
from jobs.actions import claim_run, perform_now, perform_run
from jobs.models import Run
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_token
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_test_set import QUOKKA, WOMBAT

SLUG = "campaigns/planned-campaign"


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    """Everything by both annotators, ten apart on the first item and two on the rest."""
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    for annotator, more in ((cast.annotator, 0), (cast.second_annotator, 2)):
        items = sorted(items_to_judge(take(campaign, annotator)), key=_place)
        for score, item in enumerate(items, start=40):
            judge(item, score + more + (8 if more and score == 40 else 0))
    return campaign


def _place(item: Any) -> Any:
    return item.document.name, item.segment.name if item.segment else "", item.slots.get(label="A").system.name


stored, cast, test_set, judged = made_once(make_judged)


@pytest.fixture(autouse=True)
def _few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("metrics.analyses.ranking"), "FEWEST_PER_SYSTEM", 1)


@pytest.fixture
def rhea(judged: Campaign, cast: Cast) -> ApiAnnotator:
    return by_token(cast.researcher)


@pytest.fixture
def run(judged: Campaign, cast: Cast) -> Run:
    options = {"resamples": 50, "interval_resamples": 50}
    return perform_now(kind="analysis", campaign=judged, arguments={"options": options}, created_by=cast.researcher)


def test_each_table_comes_as_rows_and_as_the_pages_file(run: Run, rhea: ApiAnnotator) -> None:
    offered = {line["name"]: line for line in rhea.get(f"runs/{run.pk}/tables").json()["results"]}
    assert {"systems", "pairs", "agreement", "agreement-pairs", "annotators"} <= set(offered)
    for name, line in offered.items():
        table = rhea.get(f"runs/{run.pk}/tables/{name}").json()
        rows = list(csv.reader(StringIO(rhea.get(f"runs/{run.pk}/tables/{name}?form=csv").content.decode())))
        assert table["columns"] == rows[0] == line["columns"]
        assert len(table["rows"]) == len(rows) - 1 == line["rows"]
    systems = rhea.get(f"runs/{run.pk}/tables/systems").json()
    assert {WOMBAT, QUOKKA} <= {row["system"] for row in systems["rows"]}
    assert systems["signature"] == run.signature


def test_the_finding_is_told_in_the_pages_sentences(run: Run, rhea: ApiAnnotator) -> None:
    found = rhea.get(f"runs/{run.pk}/finding").json()
    assert found["results"]
    assert found["agreement"]
    assert found["exclusion"] is None


def test_an_older_run_has_its_own_numbers(judged: Campaign, cast: Cast, run: Run, rhea: ApiAnnotator) -> None:
    """Not those of a newer one that was computed with the same arguments."""
    files = ("tables/systems", "paper", "paper/tables/systems", "paper/figures/systems-score")
    before = {file: rhea.get(f"runs/{run.pk}/{file}").content for file in files}
    exclude_annotator(campaign=judged, annotator=cast.second_annotator, reason="Other scale", by=cast.organiser)
    newer = perform_now(kind="analysis", campaign=judged, arguments=run.arguments, created_by=cast.researcher)
    assert {file: rhea.get(f"runs/{run.pk}/{file}").content for file in files} == before
    assert rhea.get(f"runs/{newer.pk}/tables/systems").json()["rows"] != json.loads(before["tables/systems"])["rows"]


def test_a_paper_takes_tables_figures_and_the_paragraph(run: Run, rhea: ApiAnnotator) -> None:
    offered = rhea.get(f"runs/{run.pk}/paper").json()
    assert "\\citealp" in offered["methods"]["latex"]
    name = offered["tables"][0]["name"]
    forms = {form: rhea.get(f"runs/{run.pk}/paper/tables/{name}?form={form}") for form in ("tex", "md", "csv")}
    assert b"\\begin{tabular}" in forms["tex"].content
    assert b"|" in forms["md"].content
    assert WOMBAT in forms["csv"].content.decode()
    drawn = rhea.get(f"runs/{run.pk}/paper/figures/{offered['figures'][0]['name']}")
    assert drawn["Content-Type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(drawn.content).tag.endswith("svg")  # noqa: S314 - our own


def test_what_is_no_analysis_or_no_form_is_refused(judged: Campaign, run: Run, rhea: ApiAnnotator) -> None:
    waiting = rhea.post(f"{SLUG}/segments/runs", {}).json()["id"]
    assert rhea.get(f"runs/{waiting}/tables").status_code == 404
    assert rhea.get(f"runs/{run.pk}/tables/nothing").status_code == 404
    assert rhea.get(f"runs/{run.pk}/tables/systems?form=pdf").status_code == 422
    assert rhea.get(f"runs/{run.pk}/paper/tables/systems?from=tex").status_code == 422


def test_an_exclusion_is_tried_before_it_is_decided(judged: Campaign, cast: Cast) -> None:
    olive, place = by_token(cast.organiser), f"{SLUG}/annotators/{cast.annotator.username}/exclusion"
    asked = olive.post(f"{place}/trial", {"options": {"resamples": 50, "interval_resamples": 50}})
    assert asked.status_code == 202, asked.content
    again = olive.post(f"{place}/trial", {"options": {"resamples": 50, "interval_resamples": 50}})
    assert (again.status_code, again.json()["id"]) == (200, asked.json()["id"])
    claimed = claim_run(asked.json()["id"])
    assert claimed
    perform_run(claimed)
    table = olive.get(f"runs/{asked.json()['id']}/tables/exclusion").json()
    assert {row["system"] for row in table["rows"]} >= {WOMBAT, QUOKKA}
    assert olive.get(f"runs/{asked.json()['id']}/finding").json()["exclusion"]
    assert not Exclusion.objects.exists()
    assert olive.post(f"{place}/trial", {"recipe": "none"}).status_code == 422


def test_two_annotators_answers_stand_side_by_side(judged: Campaign, cast: Cast, rhea: ApiAnnotator) -> None:
    pair = f"first={cast.annotator.username}&second={cast.second_annotator.username}"
    found = rhea.get(f"{SLUG}/disagreements?{pair}&most=1").json()
    (widest,) = found["results"]
    assert (widest["apart"], found["alike"]) == (10, 0)
    assert [answer["value"] for answer in widest["outputs"][0]["answers"]] == [40, 50]
    assert rhea.get(f"{SLUG}/disagreements?{pair}&most=0").status_code == 422
    assert rhea.get(f"{SLUG}/disagreements?first={cast.annotator.username}").status_code == 404


def test_segments_are_found_a_page_at_a_time_and_filtered_as_on_the_page(
    judged: Campaign, cast: Cast, rhea: ApiAnnotator
) -> None:
    assert rhea.get(f"{SLUG}/segments?spread=5").json()["errors"]["spread"]
    assert {each["spread"] for each in rhea.get(f"{SLUG}/segments").json()["results"]} == {None}
    run = perform_now(kind="disagreement", campaign=judged, arguments={}, created_by=cast.researcher)
    page, found = rhea.get(f"{SLUG}/segments?page_size=2").json(), []
    assert page["run"] == run.pk
    assert page["results"][0]["spread"] == 10
    while page["next"]:
        found += page["results"]
        page = json.loads(rhea.client.get(page["next"], headers=rhea.headers).content)
    found += page["results"]
    spreads = [each["spread"] for each in found]
    assert spreads == sorted(spreads, reverse=True)
    assert len({each["id"] for each in found}) == len(found) > 2
    before = json.loads(rhea.client.get(page["previous"], headers=rhea.headers).content)
    assert before["results"] == found[-len(page["results"]) - 2 : -len(page["results"])]
    assert len(rhea.get(f"{SLUG}/segments?spread=5").json()["results"]) == 1
    assert {each["system"] for each in rhea.get(f"{SLUG}/segments?system={WOMBAT}").json()["results"]} == {WOMBAT}


@pytest.mark.parametrize("query", ["cursor=x", "cursor=YWZ0ZXIuMS4y", "spread=wide", "sort=colour", "page_size=501"])
def test_what_no_segment_can_be_looked_for_by_is_refused(rhea: ApiAnnotator, query: str) -> None:
    assert rhea.get(f"{SLUG}/segments?{query}").status_code == 422


def test_a_segment_is_shown_with_every_output_and_all_judgments(
    judged: Campaign, cast: Cast, rhea: ApiAnnotator
) -> None:
    perform_now(kind="disagreement", campaign=judged, arguments={}, created_by=cast.researcher)
    first = rhea.get(f"{SLUG}/segments").json()["results"][0]
    sheet = rhea.get(f"{SLUG}/segments/{first['id']}").json()
    assert (sheet["document"], sheet["segment"]) == (first["document"], first["segment"])
    assert sheet["decided_fields"] == ["score"]
    output = max(sheet["outputs"], key=lambda each: each["spread"] or 0)
    assert output["spread"] == first["spread"]
    assert [each["annotator"] for each in output["judgments"]] == [each.username for each in cast.annotators]
    assert [each["values"]["score"] for each in output["judgments"]] == [40, 50]


def test_rankings_of_slices_are_whole_where_pages_read_them_in_brief(
    judged: Campaign, cast: Cast, rhea: ApiAnnotator, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"resamples": 50, "interval_resamples": 50, "by": "document"}
    way: dict[str, Any] = {"analyses": ["slices"], "options": options}
    together = perform_now(kind="analysis", campaign=judged, arguments=way, created_by=cast.researcher)
    monkeypatch.setattr(import_module("metrics.analyses.slices"), "MOST_TESTS", 0)
    apart = perform_now(kind="analysis", campaign=judged, arguments=way, created_by=cast.researcher)
    assert {part.name for part in apart.parts.all()} == {"slices", "slices.whole"}
    for place in ("parts/slices", "tables/slices"):
        one, other = (rhea.get(f"runs/{run.pk}/{place}").json() for run in (together, apart))
        assert one | {"run": 0} == other | {"run": 0}
    assert len(one["rows"]) > 1
