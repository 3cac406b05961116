"""`create_campaign` and `set_status` on the command line."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from annotation.models import Item, ItemKind
from campaigns.models import Campaign, Membership, Role, TestSet
from tests.cast import Cast, make_person

LEAST = ["Spring", "--test-set", "Harbour and orchard", "--protocol", "direct_assessment"]


def run(*arguments: str) -> str:
    printed = StringIO()
    call_command(*arguments, stdout=printed)
    return printed.getvalue()


def complaint(*arguments: str) -> str:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    return str(caught.value)


def test_a_campaign_is_made(test_set: TestSet) -> None:
    output = run("create_campaign", *LEAST, "--seed", "3")
    campaign = Campaign.objects.get()
    assert output == "“Spring” (spring). Judgments: 17, assignments: 1, seed: 3.\n"
    assert (campaign.status, campaign.redundancy, campaign.items_per_assignment) == ("draft", 1, 100)
    assert not Item.objects.exclude(kind=ItemKind.REGULAR).exists()


def test_every_parameter_can_be_set(test_set: TestSet, cast: Cast) -> None:
    options = ["--option", "judge_against=reference", "--option", "document_scores=true"]
    options += ["--option", 'anchors=[[0, "none"], [100, "all"]]', "--redundancy", "2", "--items-per-assignment", "6"]
    options += ["--systems-per-segment", "2", "--repeats", "0.2", "--degraded", "0.1", "--seed", "9"]
    options += ["--on-withdrawal", "erased"]
    about = json.loads(run("create_campaign", *LEAST, *options, "--open", "--organiser", "olive", "--json"))
    campaign = Campaign.objects.get()
    assert about == {
        "campaign": "spring",
        "name": "Spring",
        "status": "open",
        "systems": 3,
        "assignments": campaign.assignments.count(),
        "judgments": sum(campaign.assignments.values_list("total", flat=True)),
        "seed": 9,
    }
    assert campaign.options["judge_against"] == "reference"
    assert campaign.options["document_scores"] is True
    assert campaign.options["anchors"] == [[0, "none"], [100, "all"]]
    assert (campaign.repeats_share, campaign.degraded_share, campaign.systems_per_segment) == (0.2, 0.1, 2)
    assert campaign.on_withdrawal == "erased"
    assert Membership.objects.get().role == Role.ORGANISER


def test_where_one_account_may_create_campaigns_it_is_theirs(test_set: TestSet) -> None:
    make_person("ana", "Ana Annotator")
    only = make_person("olga", "Olga Only", may_create_campaigns=True)
    run("create_campaign", *LEAST)
    assert Membership.objects.get().account == only


def test_with_several_organisers_one_must_be_named(test_set: TestSet, cast: Cast) -> None:
    run("create_campaign", *LEAST)
    assert not Membership.objects.exists()


def test_a_test_set_can_be_named_by_its_slug(test_set: TestSet) -> None:
    run("create_campaign", "Spring", "--test-set", "harbour-and-orchard", "--protocol", "direct_assessment")
    assert Campaign.objects.get().test_set == test_set


def test_all_errors_are_reported_at_once(test_set: TestSet) -> None:
    wrong = ["--option", "judge_against=nothing", "--option", "loud", "--redundancy", "0", "--repeats", "2"]
    wrong += ["--systems-per-segment", "7", "--organiser", "nobody"]
    assert complaint("create_campaign", *LEAST, *wrong).splitlines() == [
        "No campaign was created.",
        "  --option judge_against: Choose one of source, reference, both.",
        "  --redundancy: Write a whole number from 1 to 1000.",
        "  --repeats: Enter a number from 0 to 1.",
        "  --systems-per-segment: There are 3 systems: enter 1 to 3, or leave this empty.",
        "  --organiser: There is no account “nobody”. Create one with create_account --organiser.",
        "  --option: Write 'loud' as KEY=VALUE.",
    ]
    assert not Campaign.objects.exists()


def test_errors_beside_an_unknown_test_set_are_reported(test_set: TestSet) -> None:
    output = complaint("create_campaign", "?", "--test-set", "Nowhere", "--protocol", "guessing", "--degraded", "nan")
    assert "--test-set: There is no test set “Nowhere”. Known: Harbour and orchard." in output
    assert "--protocol: There is no such protocol. Known: direct_assessment, " in output
    assert "--degraded: Enter a number" in output
    assert "NAME: The name needs at least one Latin letter" in output


def test_a_wrong_argument_alone_makes_no_campaign(test_set: TestSet) -> None:
    assert "nobody" in complaint("create_campaign", *LEAST, "--organiser", "nobody")
    assert not Campaign.objects.exists()


def test_a_taken_name_is_an_error(test_set: TestSet) -> None:
    run("create_campaign", *LEAST)
    assert "NAME: A campaign with this name exists" in complaint("create_campaign", *LEAST)


@pytest.mark.parametrize("name", ["Spring", "spring"])
def test_the_status_is_set(test_set: TestSet, name: str) -> None:
    run("create_campaign", *LEAST)
    assert run("set_status", name, "open") == "“Spring” is now: Open.\n"
    about: dict[str, Any] = json.loads(run("set_status", name, "closed", "--json"))
    assert about == {"campaign": "spring", "name": "Spring", "status": "closed"}
    assert Campaign.objects.get().status == "closed"


def test_what_cannot_be_is_refused_in_words(test_set: TestSet) -> None:
    run("create_campaign", *LEAST)
    assert "from “Draft” to “Paused”" in complaint("set_status", "spring", "paused")
    assert "There is no campaign “autumn”. Known: Spring." in complaint("set_status", "autumn", "open")
    assert "invalid choice" in complaint("set_status", "spring", "draft")


def test_an_option_is_taken_from_a_file(test_set: TestSet, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"title": "House list", "categories": [{"title": "Meaning"}]}', encoding="utf-8")
    arguments = ["Errors", "--test-set", test_set.name, "--protocol", "mqm"]
    run("create_campaign", *arguments, "--option", f"typology=@{own}")
    assert Campaign.objects.get().options["typology"]["title"] == "House list"
    with pytest.raises(CommandError, match=r"--option typology: .*nowhere\.json cannot be read"):
        run("create_campaign", *arguments, "--option", f"typology=@{tmp_path / 'nowhere.json'}")
