"""Beside numbers that reproduce WMT's the page says what they are for, and what our own recipe answers."""

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, Membership, Role, TestSet
from jobs.actions import perform_now
from jobs.models import RunStatus
from tests.cast import Cast
from tests.metrics.side_by_side import side_by_side
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
WARNING = "To reproduce, not to decide."


def make_campaign(_test_set: TestSet, cast: Cast) -> Campaign:
    with tempfile.TemporaryDirectory() as folder:
        made = side_by_side(Path(folder))
    Membership.objects.create(campaign=made, account=cast.researcher, role=Role.RESEARCHER)
    for recipe in ("wmt26", None):
        options = {"interval_resamples": "100"} if recipe is None else {}
        run = perform_now(
            kind="analysis", campaign=made, arguments={"recipe": recipe, "analyses": None, "options": options}
        )
        assert run.status == RunStatus.DONE, run.error
    return made


stored, cast, test_set, campaign = made_once(make_campaign)


@pytest.fixture
def reader(client_of: ClientOf, cast: Cast) -> Client:
    return client_of(cast.researcher)


def page_of(reader: Client, campaign: Campaign, query: str) -> str:
    return reader.get(f"/campaigns/{campaign.slug}/results/{query}").content.decode()


def rows_of(reader: Client, campaign: Campaign, table: str) -> list[dict[str, str]]:
    answer = reader.get(f"/campaigns/{campaign.slug}/results/{table}.csv?recipe=wmt26")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_page_says_what_the_numbers_are_for_and_gives_our_own_answer(campaign: Campaign, reader: Client) -> None:
    page = page_of(reader, campaign, "?recipe=wmt26")
    assert WARNING in page
    assert "By the recipe Assay: Too few documents to rank: 6 of at least 7." in page
    assert "Rank by Assay" in page
    assert "Annotators who count" in page
    assert ">dropped<" in "".join(page.split())
    assert "The campaign in one row" in page


def test_other_recipes_have_no_such_words(campaign: Campaign, reader: Client) -> None:
    page = page_of(reader, campaign, "")
    assert WARNING not in page.split('id="recipe"')[0]
    assert "Rank by" not in page


def test_the_choice_of_recipes_warns_too(campaign: Campaign, reader: Client) -> None:
    page = page_of(reader, campaign, "")
    assert page.count("To reproduce, not to decide: WMT’s rule of") == 2


def test_the_lowest_fit_is_in_the_address_and_beside_the_recipe(campaign: Campaign, reader: Client) -> None:
    page = page_of(reader, campaign, "?recipe=wmt26&lowest_fit=0.5")
    assert "Method: WMT 2026, Lowest fit of annotators: 0.5" in " ".join(page.split())
    assert 'name="lowest_fit" min="0" max="1" step="any" value="0.5"' in page
    assert "lowest_fit must be a number from 0 to 1" in page_of(reader, campaign, "?lowest_fit=much")


def test_the_tables_are_files(campaign: Campaign, reader: Client) -> None:
    assert [(row["annotator"], row["kept"]) for row in rows_of(reader, campaign, "fits")] == [
        ("ann", "True"), ("bob", "True"), ("cem", "False"),
    ]  # fmt: skip
    [row] = rows_of(reader, campaign, "campaign-table")
    assert (row["annotations"], row["annotators"], row["seconds_per_annotation"]) == ("72", "2", "")
    pairs = rows_of(reader, campaign, "pairs")
    assert pairs[0]["first_beats_second"] == "True"
    assert all(float(pair["paired_low"]) and pair["paired_n"] == "12" for pair in pairs)
