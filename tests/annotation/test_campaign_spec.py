"""A campaign is described once, and each place that takes or shows a description has its parameters."""

import json
from argparse import ArgumentParser
from dataclasses import fields, replace

import pytest

from annotation.actions.creating import create_campaign
from annotation.actions.extending import extend_campaign
from annotation.campaign_spec import PARAMETERS, CampaignSpec
from annotation.management.commands.create_campaign import Command
from annotation.planning.options import PlanningOptions
from annotation.protocols import PROTOCOLS
from campaigns.models import Campaign, TestSet
from tests.cast import Cast

SPEC = CampaignSpec(
    name="Spring",
    protocol="direct_assessment",
    options={"judge_against": "source"},
    systems=["sentinel-wombat", "sentinel-quokka"],
    redundancy=2,
    items_per_assignment=6,
    planning="pool",
    reservation_minutes=15,
    systems_per_segment=1,
    repeats_share=0.2,
    degraded_share=0.1,
    guidelines="Read *well*.",
    consent="Agreed?",
    on_withdrawal="erased",
    project="Spring",
    seed=3,
)


def test_it_goes_through_json_and_back() -> None:
    assert CampaignSpec.from_json(json.loads(json.dumps(SPEC.as_json()))) == SPEC


def test_what_an_older_version_left_out_has_its_default_and_what_it_does_not_know_is_passed_over() -> None:
    assert CampaignSpec.from_json({"name": "Spring", "protocol": "esa", "files": []}) == CampaignSpec(
        name="Spring", protocol="esa"
    )


def test_a_campaign_tells_the_spec_by_which_it_is_made_again(test_set: TestSet, cast: Cast) -> None:
    first = CampaignSpec.of(create_campaign(spec=SPEC, test_set=test_set))
    assert replace(first, options=SPEC.options, systems=SPEC.systems) == SPEC
    assert first.systems == sorted(SPEC.systems or ())
    again = create_campaign(spec=replace(first, name="Autumn"), test_set=test_set)
    assert replace(CampaignSpec.of(again), name="Spring") == first


def test_a_parameter_without_a_column_is_stored_and_returned(
    test_set: TestSet, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one is that is added to the spec alone: here one whose column is overlooked."""
    columns = {name for name, each in PARAMETERS.items() if each.has_column} - {"reservation_minutes"}
    monkeypatch.setattr("annotation.campaign_spec.Parameter.has_column", property(lambda each: each.name in columns))
    campaign = create_campaign(spec=SPEC, test_set=test_set)
    stored = Campaign.objects.get(pk=campaign.pk)
    assert stored.plan_options["reservation_minutes"] == 15
    assert CampaignSpec.of(stored).reservation_minutes == 15
    assert extend_campaign(campaign=stored, redundancy=3, by=None).redundancy == 3
    stored.plan_options = {}
    assert CampaignSpec.of(stored).reservation_minutes == 60


def test_every_field_is_a_parameter_or_says_what_the_campaign_is_of() -> None:
    others = {each.name for each in fields(CampaignSpec)} - set(PARAMETERS)
    assert others == {"name", "protocol", "options", "systems"}


def test_planning_has_its_parameters_from_the_spec_and_the_same_defaults() -> None:
    protocol = PROTOCOLS["direct_assessment"].with_options({})
    shared = {each.name for each in fields(PlanningOptions)} & set(PARAMETERS)
    assert {"redundancy", "systems_per_segment", "repeats_share", "degraded_share"} < shared
    planned = SPEC.planning_options(protocol, systems=2)
    assert {name: getattr(planned, name) for name in shared} == {name: getattr(SPEC, name) for name in shared}
    usual = CampaignSpec(name="Spring", protocol=protocol.name)
    assert usual.planning_options(protocol, systems=2) == PlanningOptions()


def test_the_command_takes_each_parameter_that_is_meant_for_it() -> None:
    parser = ArgumentParser()
    Command().add_arguments(parser)
    offered = {action.dest for action in parser._actions}
    assert {name for name, each in PARAMETERS.items() if "command" in each.places} <= offered
    assert not {"guidelines", "consent"} & offered
