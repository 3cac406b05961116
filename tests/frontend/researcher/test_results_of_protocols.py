"""The results page of each protocol: its tables, their files, choices in its address, and what it costs."""

import csv
import io
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.decisions import adjudicate
from campaigns.models import Account, Campaign, TestSet
from jobs.actions import perform_now, queue_run
from jobs.models import Run, RunPart, RunStatus
from tests.cast import Cast
from tests.metrics.marked_errors import COMMA, GRAVE, SMALL, make_mqm, mark_by_system
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
MOST_QUERIES = 20


@pytest.fixture
def reader(client_of: ClientOf, cast: Cast) -> Client:
    return client_of(cast.researcher)


def make_both(test_set: TestSet, cast: Cast) -> tuple[Campaign, Campaign]:
    """Of Direct Assessment and of MQM."""
    scored = make_planned_campaign(test_set, cast)
    for number, item in enumerate(items_to_judge(take(scored, cast.annotator))):
        judge(item, 40 + number)
    marked = make_mqm(test_set, cast, name="Marked campaign")
    first, second, *_rest = marked.systems.order_by("name").values_list("name", flat=True)
    mark_by_system(take(marked, cast.annotator), {first: [GRAVE], second: [SMALL, COMMA]})
    return scored, marked


stored, cast, test_set, both = made_once(make_both)


@pytest.fixture
def scored(both: tuple[Campaign, Campaign]) -> Campaign:
    return both[0]


@pytest.fixture
def marked(both: tuple[Campaign, Campaign]) -> Campaign:
    return both[1]


def page_of(campaign: Campaign, query: str = "") -> str:
    return f"/campaigns/{campaign.slug}/results/{query}"


def compute(campaign: Campaign, **arguments: Any) -> Run:
    run = perform_now(kind="analysis", campaign=campaign, arguments=arguments)
    assert run.status == RunStatus.DONE, run.error
    for part in RunPart.objects.filter(run=run, name="ranking"):
        part.result["too_early"] = None
        part.save()
    return run


def rows_of(reader: Client, campaign: Campaign, table: str, query: str = "") -> list[dict[str, str]]:
    answer = reader.get(page_of(campaign, f"{table}.csv{query}"))
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_scores_are_drawn_raw_or_as_z(scored: Campaign, reader: Client) -> None:
    compute(scored)
    raw, z = (reader.get(page_of(scored, f"?show={drawn}")).content.decode() for drawn in ("raw", "z"))
    assert "Mean, 95% interval" in raw
    assert "Mean z-score, 95% interval" in z
    assert 'href="?show=z"' in raw


def test_marked_errors_stand_by_category_with_their_weights(marked: Campaign, reader: Client) -> None:
    compute(marked)
    page = reader.get(page_of(marked)).content.decode()
    assert "exports/figures/penalty-severity.svg" in page
    assert "exports/figures/penalty-category.svg" in page
    table = page.partition('id="errors"')[2]
    assert table.index("Accuracy, mistranslation") < table.index("Style, awkward"), "the heaviest first"
    assert 'aria-current="true">WMT 2021</a>' in page
    assert "z-score" not in page.split('id="recipe"')[1].split("</details>")[1].split('id="slices"')[0]
    counts = {(row["system"], row["category"]): row["count"] for row in rows_of(reader, marked, "errors")}
    assert set(counts.values()) != {"0"}


def test_own_weights_become_one_address_and_a_profile_keeps_its_name(marked: Campaign, reader: Client) -> None:
    fields = {"weight-neutral": "0", "weight-minor": "2", "weight-major": "10", "weight-critical": "25"}
    answer = reader.get(page_of(marked, "weights/"), {**fields, "include": "passed"})
    query = parse_qs(urlsplit(answer["Location"]).query)
    assert query == {"include": ["passed"], "weights": ["neutral=0,minor=2,major=10,critical=25"]}
    core = reader.get(page_of(marked, "weights/"), {**fields, "weight-minor": "1", "weight-major": "5"})
    assert parse_qs(urlsplit(core["Location"]).query)["weights"] == ["mqm-core"]
    more = reader.get(page_of(marked, "weights/"), {**fields, "category": "style/awkward", "category_weight": "0.5"})
    assert parse_qs(urlsplit(more["Location"]).query)["weights"][0].endswith(",style/awkward=0.5")


def test_weights_that_cannot_be_read_are_reported(marked: Campaign, reader: Client) -> None:
    answer = reader.get(page_of(marked, "weights/"), {"weight-minor": "much"}, follow=True)
    assert "The weight of minor is a number" in answer.content.decode()


def test_a_tolerance_becomes_one_address_and_decides_about_documents(marked: Campaign, reader: Client) -> None:
    compute(marked)
    page = reader.get(page_of(marked)).content.decode()
    assert 'id="scorecard"' in page
    assert "Set the tolerance" in page
    other = {"include": "passed", "tolerance": "9", "per_thousand": "25", "model": "linear"}
    answer = reader.get(page_of(marked, "tolerance/"), other)
    assert parse_qs(urlsplit(answer["Location"]).query) == {"include": ["passed"], "tolerance": ["25"]}
    fields = {"model": "logarithmic", "words_1": "250", "points_1": "3", "words_2": "1000", "points_2": "8"}
    answer = reader.get(page_of(marked, "tolerance/"), {**fields, "per_thousand": "25"})
    assert parse_qs(urlsplit(answer["Location"]).query) == {"tolerance": ["250=3,1000=8"]}
    assert urlsplit(reader.get(page_of(marked, "tolerance/"), {"model": "linear"})["Location"]).query == ""
    compute(marked, options={"tolerance": "250=3,1000=8"})
    page = reader.get(page_of(marked, "?tolerance=250=3,1000=8")).content.decode()
    assert "3 points in 250 words and 8 in 1000, on a logarithmic curve" in page
    assert "Change the tolerance" in page
    rows = rows_of(reader, marked, "scorecard", "?tolerance=250=3,1000=8")
    assert {row["verdict"] for row in rows} == {"too_short"}
    assert {row["tolerance"] for row in rows} == {"250=3,1000=8"}


def test_a_tolerance_that_no_curve_fits_is_reported(marked: Campaign, reader: Client) -> None:
    fields = {"model": "logarithmic", "words_1": "250", "points_1": "3", "words_2": "1000", "points_2": "12"}
    answer = reader.get(page_of(marked, "tolerance/"), fields, follow=True)
    assert "No curve goes through" in answer.content.decode()


def test_whether_the_test_would_cry_wolf_is_tried_on_request(scored: Campaign, reader: Client) -> None:
    compute(scored)
    page = reader.get(page_of(scored)).content.decode()
    assert 'id="try-out"' in page
    assert "Exchange the systems’ labels" in page
    answer = reader.post(page_of(scored, "compute/"), {"back": "trials"})
    assert answer["Location"] == page_of(scored)
    run = scored.runs.get(arguments__analyses=["placebo", "stability"])
    assert "back=trials" in reader.get(page_of(scored)).content.decode(), "its progress"
    assert reader.get(page_of(scored, "state/?back=trials")).status_code == 200
    reader.post(page_of(scored, "cancel/"), {"back": "trials"})
    run.refresh_from_db()
    assert run.status == "cancelled"
    compute(scored, analyses=["placebo", "stability"])
    page = reader.get(page_of(scored)).content.decode()
    assert "comparisons where nothing can differ" in page or "documents that two systems share are needed" in page
    rows = rows_of(reader, scored, "placebo")
    assert ("Pairs called different" in page) == bool(rows)
    assert ("With fewer documents" in page) == bool(rows_of(reader, scored, "stability"))


def test_slices_by_something_else_have_a_run_of_their_own(scored: Campaign, reader: Client) -> None:
    compute(scored)
    query = "?by=document"
    page = reader.get(page_of(scored, query)).content.decode()
    assert 'action="/campaigns/planned-campaign/results/refresh/?by=document"' in page
    assert reader.post(page_of(scored, f"refresh/{query}")).status_code == 202
    run = Run.objects.get(is_automatic=True)
    assert run.arguments == {"recipe": None, "analyses": ["slices"], "options": {"by": "document"}}
    run.delete()
    compute(scored, analyses=["slices"], options={"by": "document"})
    assert {row["by"] for row in rows_of(reader, scored, "slices", query)} == {"document"}
    drawn = reader.get(f"/campaigns/{scored.slug}/exports/figures/slices.svg{query}").content.decode()
    assert all(name in drawn for name in scored.test_set.documents.values_list("name", flat=True))
    assert '<h2 id="slices">' in reader.get(page_of(scored, query)).content.decode()


def test_every_table_has_its_file(scored: Campaign, reader: Client) -> None:
    compute(scored)
    systems = {row["system"] for row in rows_of(reader, scored, "systems")}
    pairs = rows_of(reader, scored, "pairs")
    assert len(pairs) == len(systems) * (len(systems) - 1) / 2
    spread = rows_of(reader, scored, "spread")
    assert {row["system"] for row in spread} == systems
    for table in ("points", "models", "errors", "effort", "comprehension"):
        assert rows_of(reader, scored, table) == []
    assert reader.get(page_of(scored, "secrets.csv")).status_code == 404


def test_every_chart_has_its_files_as_its_reader_chose(scored: Campaign, reader: Client) -> None:
    compute(scored)
    worst = rows_of(reader, scored, "systems")[-1]["system"]
    page = reader.get(page_of(scored, f"?against={worst}")).content.decode()
    assert f"<option selected>{worst}</option>" in page
    for name, table in (("differences", "pairs"), ("spread", "spread")):
        figure = f"/campaigns/{scored.slug}/exports/figures/{name}.svg?against={worst}"
        assert f'href="{figure}"' in page
        assert f'data-picture="{figure}"' in page
        assert f'href="{page_of(scored)}{table}.csv?against={worst}"' in page
        assert "<svg" in reader.get(figure).content.decode()
    drawn = reader.get(f"/campaigns/{scored.slug}/exports/figures/differences.svg?against={worst}").content.decode()
    assert f"{worst} better →" in drawn
    row = rows_of(reader, scored, "pairs")[0]
    assert float(row["low"]) <= float(row["difference"]) <= float(row["high"])


def test_a_page_that_asks_by_itself_is_answered_once(scored: Campaign, reader: Client) -> None:
    assert reader.post(page_of(scored, "refresh/")).status_code == 202
    assert reader.post(page_of(scored, "refresh/")).status_code == 202, "it is under way"
    assert Run.objects.count() == 1
    Run.objects.all().delete()
    compute(scored)
    assert reader.post(page_of(scored, "refresh/")).status_code == 204, "nothing is newer"


def test_a_waiting_run_can_be_cancelled_and_the_page_says_so(scored: Campaign, reader: Client) -> None:
    run = queue_run(kind="analysis", campaign=scored, arguments={})
    assert f"cancel-{run.pk}" in reader.get(page_of(scored)).content.decode()
    reader.post(page_of(scored, "cancel/"))
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED
    assert "The computation was cancelled." in reader.get(page_of(scored)).content.decode()


def test_newer_numbers_nobody_waits_for_are_offered(scored: Campaign, reader: Client) -> None:
    run = compute(scored)
    state = reader.get(page_of(scored, f"state/?shown={run.pk - 1}")).content.decode()
    assert "data-reload" in state, "somebody asked for this one"
    Run.objects.update(is_automatic=True)
    offered = reader.get(page_of(scored, f"state/?shown={run.pk - 1}")).content.decode()
    assert "Newer results are ready" in offered
    assert "data-reload" not in offered


@pytest.mark.parametrize("address", ["refresh/", "cancel/", "weights/"])
def test_strangers_find_nothing(scored: Campaign, client_of: ClientOf, cast: Cast, address: str) -> None:
    for stranger in (cast.annotator, cast.stranger):
        client = client_of(stranger)
        answer = (
            client.get(page_of(scored, address)) if address == "weights/" else client.post(page_of(scored, address))
        )
        assert answer.status_code == 404


def test_pages_of_any_size_ask_few_questions(scored: Campaign, marked: Campaign, reader: Client) -> None:
    for campaign, query in ((scored, ""), (scored, "?by=document"), (marked, "?show=z")):
        compute(campaign)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert reader.get(page_of(campaign, query)).status_code == 200
        assert len(queries) <= MOST_QUERIES, [each["sql"][:90] for each in queries]


def test_what_a_page_reads_does_not_grow_with_segments(marked: Campaign) -> None:
    run = compute(marked)
    assert set(RunPart.objects.filter(run=run).values_list("name", flat=True)) >= {"errors", "errors.segments"}
    assert "segments" not in RunPart.objects.get(run=run, name="errors").result


def test_tables_are_sorted_by_the_address_and_keep_the_recipe(marked: Campaign, reader: Client) -> None:
    compute(marked, recipe="assay")
    usual = reader.get(page_of(marked, "?recipe=assay")).content.decode()
    assert "recipe=assay&amp;sort=systems%3A-system#systems" not in usual
    assert "?recipe=assay&amp;sort=systems%3Asystem#systems" in usual
    page = reader.get(page_of(marked, "?recipe=assay&sort=systems:-system&sort=errors:category")).content.decode()
    systems = page.split('id="systems"')[1].split("</table>")[0]
    names = sorted(marked.systems.values_list("name", flat=True), key=str.casefold, reverse=True)
    places = [systems.index(f"<bdi>{name}</bdi>") for name in names]
    assert places == sorted(places)
    assert "no-cuts" in systems, "lines between clusters belong to the order of rank"
    assert page.count("aria-sort=") == 3, "and the mixed model's, by rank"
    assert "Unknown order" not in page
    nonsense = reader.get(page_of(marked, "?recipe=assay&sort=systems:colour")).content.decode()
    assert "Unknown order “systems:colour”. Allowed: " in nonsense
    assert 'name="sort" value="errors:category"' in page, "choosing another recipe keeps it"


def test_adjudicated_values_are_offered_where_there_are_some(scored: Campaign, reader: Client, cast: Cast) -> None:
    compute(scored)
    assert 'name="adjudicated"' not in reader.get(page_of(scored)).content.decode()
    slot = items_to_judge(scored.assignments.exclude(annotator=None)[0])[0].slots.first()
    assert slot is not None
    assert slot.translation is not None
    adjudicate(campaign=scored, translation=slot.translation, answered={"score": 90}, reason="Read", by=cast.organiser)
    assert 'name="adjudicated"' in reader.get(page_of(scored)).content.decode()
    compute(scored, options={"adjudicated": "yes"})
    page = reader.get(page_of(scored, "?adjudicated=yes")).content.decode()
    assert "Adjudicated outputs: As was decided" in page
    assert "adjudications:1" in page
