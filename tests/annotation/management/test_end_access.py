"""`end_access`: what lets somebody in, ended from the command line."""

import io
import json
from typing import Any

from django.core.management import CommandError, call_command

import pytest

from campaigns.actions.links import invite_account
from campaigns.actions.tokens import make_api_token
from campaigns.models import AuditEntry, Campaign, Role
from tests.cast import Cast


@pytest.fixture
def anna(campaign: Campaign, cast: Cast) -> str:
    invite_account(campaign=campaign, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    return cast.annotator.username


def _end(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("end_access", *arguments, "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def test_without_anything_to_end_it_says_what_is_open(anna: str, campaign: Campaign) -> None:
    assert _end(anna) == {
        "account": "anna",
        "closed": False,
        "password": True,
        "links": 1,
        "sessions": 0,
        "tokens": 1,
        "campaigns": [campaign.slug],
    }
    out = io.StringIO()
    call_command("end_access", anna, stdout=out)
    assert out.getvalue() == f"anna is open: 0 sessions, 1 tokens, 1 links, a password; campaigns: {campaign.slug}.\n"


@pytest.mark.parametrize(
    ("arguments", "left", "action"),
    [
        (["--sign-out"], {"tokens": 0, "links": 1}, "signed_out_everywhere"),
        (["--revoke-links"], {"tokens": 1, "links": 0}, "invitation_revoked"),
        (["--remove-from", "Harbour campaign"], {"tokens": 0, "links": 0, "campaigns": []}, "member_removed"),
        (["--close"], {"tokens": 0, "links": 0, "closed": True, "password": False}, "account_closed"),
    ],
)
def test_it_ends_what_is_named(anna: str, arguments: list[str], left: dict[str, Any], action: str) -> None:
    report = _end(anna, *arguments)
    assert {name: report[name] for name in left} == left
    assert AuditEntry.objects.filter(action=action, actor=None).count() == 1


def test_a_closed_account_is_opened_again_with_nothing_that_lets_in(anna: str) -> None:
    _end(anna, "--close")
    report = _end(anna, "--reopen")
    assert (report["closed"], report["tokens"], report["links"], report["password"]) == (False, 0, 0, False)
    assert AuditEntry.objects.filter(action="account_reopened").count() == 1


def test_unknown_names_and_the_last_organiser_are_refused(anna: str, campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="no account 'nobody'"):
        _end("nobody", "--close")
    with pytest.raises(CommandError, match="not part of a campaign 'Nowhere'"):
        _end(anna, "--remove-from", "Nowhere")
    with pytest.raises(CommandError, match="Nobody else organises"):
        _end("olive", "--remove-from", campaign.slug)
    with pytest.raises(CommandError, match="not allowed with"):
        _end(anna, "--close", "--sign-out")
