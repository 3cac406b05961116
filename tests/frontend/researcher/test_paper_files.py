"""What the page offers for a paper: tables, figures, and the paragraph on methods."""

import csv
import io
import zipfile
from collections.abc import Callable
from xml.etree import ElementTree

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, TestSet
from jobs.models import RunPart
from tests.cast import Cast
from tests.frontend.researcher.judged import make_computed, make_judged
from tests.rows_made_once import made_once
from tests.sample_test_set import HUMAN

ClientOf = Callable[[Account], Client]
FILES = (
    "tables/systems.csv", "tables/systems.tex", "tables/systems.md", "tables/agreement.tex", "tables/annotators.csv",
    "figures/systems-score.svg", "figures/spread.svg", "figures/differences.svg", "methods.tex", "methods.bib",
    "campaign.zip",
)  # fmt: skip


stored, cast, test_set, campaign = made_once(make_computed)


def at(campaign: Campaign, file: str = "") -> str:
    return f"/campaigns/{campaign.slug}/exports/{file}"


def body(client: Client, path: str) -> bytes:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.getvalue()


def test_organiser_and_researcher_take_files_and_nobody_else(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    for file in FILES:
        for reader in (cast.organiser, cast.researcher):
            assert body(client_of(reader), at(campaign, file))
        for other in (cast.annotator, cast.stranger):
            assert client_of(other).get(at(campaign, file)).status_code == 404, file
        assert Client().get(at(campaign, file))["Location"].startswith("/sign-in/")


def test_the_table_of_systems_says_which_are_people(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    rows = list(csv.DictReader(io.StringIO(body(client_of(cast.researcher), at(campaign, FILES[0])).decode())))
    assert {row["system"]: row["is_human"] for row in rows} == {
        name: str(name == HUMAN) for name in campaign.systems.values_list("name", flat=True)
    }


def test_the_page_links_every_file_it_can_make(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    page = client_of(cast.researcher).get(at(campaign)).content.decode()
    for file in FILES[:-1]:
        assert at(campaign, file) in page, file
    assert "Annotators gave each translation a score from 0 to 100" in page
    assert "Links to the results" not in page, "sharing is the organiser's"


def test_a_missing_file_is_not_found(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    for file in ("tables/nothing.csv", "tables/systems.exe", "figures/nothing.svg", "methods.doc"):
        assert client.get(at(campaign, file)).status_code == 404


def test_without_results_the_page_leads_to_them(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_judged(test_set, cast, name="Not computed")
    page = client_of(cast.organiser).get(at(campaign)).content.decode()
    assert "There are none yet" in page
    assert client_of(cast.organiser).get(at(campaign, "methods.tex")).status_code == 404


def test_results_of_before_ask_to_be_computed_again(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    RunPart.objects.filter(name="scope").delete()
    page = client_of(cast.organiser).get(at(campaign)).content.decode()
    assert "Compute them again" in page


def test_a_ranking_with_fewer_parts_is_offered_to_be_computed_again(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    part = RunPart.objects.get(name="ranking")
    for test in part.result["tests"]:
        del test["is_win"]
    part.save()
    client = client_of(cast.organiser)
    assert "systems.tex" not in client.get(at(campaign)).content.decode()
    assert "No results yet" in client.get(f"/campaigns/{campaign.slug}/results/").content.decode()


@pytest.mark.parametrize("figure", ["systems-score", "spread", "differences"])
def test_a_figure_is_self_contained(campaign: Campaign, cast: Cast, client_of: ClientOf, figure: str) -> None:
    """With colours of its own and nothing fetched from elsewhere, and names as they are."""
    system = campaign.systems.order_by("name")[0]
    RunPart.objects.filter(name="ranking").update(result=renamed(system.name, "A <b>&</b> “x”"))
    drawn = body(client_of(cast.researcher), at(campaign, f"figures/{figure}.svg")).decode()
    root = ElementTree.fromstring(drawn)  # noqa: S314 - drawn by ourselves
    assert "var(" not in drawn
    assert "class=" not in drawn
    assert "href" not in drawn
    assert "A <b>&</b> “x”" in [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def renamed(old: str, new: str) -> dict[str, object]:
    result: dict[str, object] = RunPart.objects.get(name="ranking").result
    systems = [each | {"system": new} if each["system"] == old else each for each in result["systems"]]  # type: ignore[attr-defined]
    tests = [
        each | {side: new for side in ("first", "second") if each[side] == old}
        for each in result["tests"]  # type: ignore[attr-defined]
    ]
    return result | {"systems": systems, "tests": tests}


def test_an_archive_has_numbers_for_annotators_unless_names_are_requested(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.researcher)
    for query, named in (("", False), ("?names=yes", True)):
        with zipfile.ZipFile(io.BytesIO(body(client, at(campaign, "campaign.zip") + query))) as archive:
            assert (b'"anna"' in archive.read("rows/annotator.jsonl")) == named


def test_the_page_asks_few_questions(
    campaign: Campaign, cast: Cast, client_of: ClientOf, django_assert_max_num_queries: Callable[..., object]
) -> None:
    client = client_of(cast.organiser)
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]
        client.get(at(campaign))
