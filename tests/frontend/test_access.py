"""Fetching is the permission check."""

from collections.abc import Callable

from django.http import Http404

import pytest

from annotation.models import Assignment
from campaigns.models import Account, Campaign, Role, TestSet
from frontend.access import (
    READS_RESULTS,
    RUNS_IT,
    get_assignment_for,
    get_campaign_for,
    get_membership_for,
    get_test_set_for,
)
from tests.cast import Cast, make_person


def test_each_member_can_fetch_a_campaign(campaign: Campaign, cast: Cast) -> None:
    for person in (cast.organiser, cast.researcher, *cast.annotators):
        assert get_campaign_for(person, campaign.slug) == campaign


def test_a_stranger_cannot_fetch_a_campaign(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(Http404):
        get_campaign_for(cast.stranger, campaign.slug)


def test_a_campaign_that_does_not_exist_cannot_be_fetched(campaign: Campaign, cast: Cast) -> None:
    with pytest.raises(Http404):
        get_campaign_for(cast.organiser, "no-such-campaign")


def test_roles_decide(campaign: Campaign, cast: Cast) -> None:
    assert get_campaign_for(cast.organiser, campaign.slug, *RUNS_IT) == campaign
    assert get_campaign_for(cast.researcher, campaign.slug, *READS_RESULTS) == campaign
    assert get_campaign_for(cast.annotator, campaign.slug, Role.ANNOTATOR) == campaign
    judges = [Role.ANNOTATOR]
    for person, roles in ((cast.researcher, RUNS_IT), (cast.annotator, READS_RESULTS), (cast.organiser, judges)):
        with pytest.raises(Http404):
            get_campaign_for(person, campaign.slug, *roles)


def test_a_superuser_runs_every_campaign_but_judges_in_none(campaign: Campaign, cast: Cast) -> None:
    root = make_person("root", "Root")
    root.is_superuser = True
    assert get_campaign_for(root, campaign.slug, *RUNS_IT) == campaign
    with pytest.raises(Http404):
        get_membership_for(root, campaign.slug)


def test_only_its_annotator_can_fetch_an_assignment(
    campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    assignment = make_assignment(campaign, cast.annotator)
    assert get_assignment_for(cast.annotator, assignment.pk) == assignment
    for person in (cast.second_annotator, cast.organiser, cast.researcher, cast.stranger):
        with pytest.raises(Http404):
            get_assignment_for(person, assignment.pk)


def test_an_assignment_nobody_has_taken_is_nobodys(
    campaign: Campaign, cast: Cast, make_assignment: Callable[..., Assignment]
) -> None:
    assignment = make_assignment(campaign, None)
    with pytest.raises(Http404):
        get_assignment_for(cast.annotator, assignment.pk)


def test_a_test_set_can_be_fetched_by_its_importer_and_by_readers_of_its_campaigns(
    campaign: Campaign, cast: Cast
) -> None:
    test_set: TestSet = campaign.test_set
    importer: Account = make_person("ida", "Ida Importer")
    test_set.created_by = importer
    test_set.save(update_fields=["created_by"])
    for person in (importer, cast.organiser, cast.researcher):
        assert get_test_set_for(person, test_set.slug) == test_set
    for person in (cast.annotator, cast.stranger):
        with pytest.raises(Http404):
            get_test_set_for(person, test_set.slug)
