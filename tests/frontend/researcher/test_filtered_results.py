"""Results of some judgments only: their address, their note on every page, and no name behind a link."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.test import Client

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment
from campaigns.models import Account, Campaign, ShareLink, Withdrawal
from jobs.actions import perform_now
from jobs.models import Run
from metrics.actions.forgetting import forget_person
from tests.cast import Cast
from tests.frontend.researcher.judged import make_judged
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
OF_ANNA = "annotator = anna and document = harbour"


stored, cast, test_set, campaign = made_once(make_judged)


def compute(campaign: Campaign, where: str) -> Run:
    return perform_now(kind="analysis", campaign=campaign, arguments={"options": {"where": where}})


def at(campaign: Campaign, page: str, **query: str) -> str:
    return f"/campaigns/{campaign.slug}/{page}/?{urlencode(query)}"


def test_the_page_finds_what_was_computed_otherwise(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    run = compute(campaign, "document=harbour AND annotator = anna")
    response = client_of(cast.researcher).get(at(campaign, "results", where="annotator=anna and document=harbour"))
    assert response.context["done"] == run
    page = response.content.decode()
    assert "Exploratory: not of all judgments." in page
    assert '<code dir="ltr">document = harbour and annotator = anna</code>' in page
    assert "exploratory:document = harbour and annotator = anna|recipe:assay" in page
    assert 'value="document = harbour and annotator = anna"' in page


def test_the_usual_page_says_nothing_of_it(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(campaign, OF_ANNA)
    response = client_of(cast.researcher).get(at(campaign, "results"))
    assert response.context["done"] is None
    assert "xploratory" not in response.content.decode()
    assert 'name="where"' in response.content.decode()


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("domain = nws", "Unknown domain “nws”. There are: news."),
        ("colour = red", "At character 1: Unknown field “colour”."),
        ('<script>alert("1")</script>', "At character 1: Unknown field “&lt;”."),
    ],
)
def test_a_filter_that_cannot_be_read_is_reported_and_stays_to_be_mended(
    campaign: Campaign, cast: Cast, client_of: ClientOf, where: str, problem: str
) -> None:
    response = client_of(cast.researcher).get(at(campaign, "results", where=where))
    assert response.status_code == 200
    page = response.content.decode()
    assert problem in page
    assert 'aria-invalid="true"' in page
    assert response.context["filter"].entered == where
    assert "<script>alert" not in page


def test_the_other_choices_and_the_filter_keep_each_other(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    address = at(campaign, "results", recipe="wmt-crowd", where="document = harbour", show="z")
    response = client_of(cast.researcher).get(address)
    assert response.context["filter"].others == [("recipe", "wmt-crowd"), ("show", "z")]
    assert '<input type="hidden" name="where" value="document = harbour">' in response.content.decode()


def test_a_run_is_asked_for_with_the_filter(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    answer = client.post(at(campaign, "results/compute", where="annotator=anna"))
    assert Run.objects.get().arguments["options"] == {"where": "annotator = anna"}
    assert answer["Location"].endswith("?where=annotator+%3D+anna")


@pytest.mark.parametrize("page", ["agreement", "exports", "metrics"])
def test_other_pages_of_these_judgments_say_so(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    compute(campaign, OF_ANNA)
    client = client_of(cast.researcher)
    assert "Exploratory: not of all judgments." in client.get(at(campaign, page, where=OF_ANNA)).content.decode()
    assert "Exploratory: not of all judgments." not in client.get(at(campaign, page)).content.decode()


def test_files_are_of_these_judgments(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(campaign, OF_ANNA)
    client = client_of(cast.researcher)
    query = urlencode({"where": OF_ANNA})
    systems = client.get(f"/campaigns/{campaign.slug}/results/systems.csv?{query}").content.decode()
    assert "exploratory:document = harbour and annotator = anna|" in systems
    methods = client.get(f"/campaigns/{campaign.slug}/exports/methods.tex?{query}").content.decode()
    assert "This analysis is exploratory: it is of the judgments where document = harbour and" in methods


def test_links_show_no_name_of_the_filter(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(campaign, OF_ANNA)
    form = {"share-name": "Reviewers", "share-days": "30"}
    made = client_of(cast.organiser).post(at(campaign, "exports/shares", where=OF_ANNA), form)
    response = Client().get(made.context["share_address"].partition("testserver")[2] or made.context["share_address"])
    page = response.content.decode()
    assert ShareLink.objects.get().choice["options"] == {"where": "document = harbour and annotator = anna"}
    assert "Exploratory: not of all judgments." in page
    assert "annotator = &quot;annotator " in page
    assert "anna" not in page


def test_a_person_who_is_forgotten_leaves_no_name_in_filters(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    run = compute(campaign, OF_ANNA)
    forget_person(account=cast.annotator, how=Withdrawal.PSEUDONYMISED, by=cast.organiser)
    run.refresh_from_db()
    assert "anna" not in run.signature
    [number] = Assignment.objects.filter(campaign=campaign, annotator__is_number=True)
    assert number.annotator is not None
    where = f"document = harbour and annotator = {number.annotator.username}"
    assert run.arguments["options"] == {"where": where}
    assert client_of(cast.researcher).get(at(campaign, "results", where=where)).context["done"] == run


@pytest.mark.parametrize("who", ["annotator", "stranger"])
def test_nobody_else_reads_them(campaign: Campaign, cast: Cast, client_of: ClientOf, who: str) -> None:
    for page in ("results", "agreement", "exports"):
        assert client_of(getattr(cast, who)).get(at(campaign, page, where="annotator = x")).status_code == 404


def test_a_filter_takes_few_queries(
    campaign: Campaign, cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    where = "domain = news and document = harbour and annotator = anna and length > 3 and tag ≠ x"
    compute(campaign, "document = harbour")
    client = client_of(cast.organiser)
    client.get(at(campaign, "results"))
    for chosen in (where, where.replace(" and tag ≠ x", ""), "document = harbour"):
        with django_assert_max_num_queries(20):
            assert client.get(at(campaign, "results", where=chosen)).status_code == 200


def test_programs_name_a_filter_too(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    address = f"/api/v1/campaigns/{campaign.slug}/runs"
    made = client.post(address, {"options": {"where": "document=harbour"}}, content_type="application/json")
    assert made.status_code == 202
    assert made.json()["arguments"]["options"] == {"where": "document = harbour"}
    bad = client.post(address, {"options": {"where": "domain = x and colour"}}, content_type="application/json")
    assert bad.status_code == 422
    assert "colour" in bad.content.decode()
