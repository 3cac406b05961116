"""Places in a campaign, and what was agreed to."""

import ast
from collections.abc import Iterator

from django.conf import settings

from campaigns.actions.memberships import add_member, give_consent
from campaigns.models import Account, AuditEntry, Campaign, Membership, Role
from tests.cast import Cast


def _without_consent(campaign: Campaign, account: Account) -> Membership:
    membership = Membership.objects.get(campaign=campaign, account=account, role=Role.ANNOTATOR)
    membership.consented_at = None
    membership.save(update_fields=["consented_at"])
    return membership


def test_two_requests_for_a_place_make_one(campaign: Campaign, cast: Cast) -> None:
    first = add_member(campaign=campaign, account=cast.stranger, role=Role.RESEARCHER, by=cast.organiser)
    assert add_member(campaign=campaign, account=cast.stranger, role=Role.RESEARCHER, by=cast.organiser) == first
    assert AuditEntry.objects.filter(action="member_added").count() == 1


def test_one_person_may_have_two_roles(campaign: Campaign, cast: Cast) -> None:
    add_member(campaign=campaign, account=cast.organiser, role=Role.ANNOTATOR, by=cast.organiser)
    assert campaign.memberships.filter(account=cast.organiser).count() == 2


def test_consent_is_recorded_once(campaign: Campaign, cast: Cast) -> None:
    membership = _without_consent(campaign, cast.annotator)
    first = give_consent(membership=membership, name="Anna W.").consented_at
    assert first is not None
    assert give_consent(membership=membership, name="Somebody else").consented_at == first
    cast.annotator.refresh_from_db()
    assert cast.annotator.name == "Anna W."
    assert AuditEntry.objects.get(action="consent_given").actor == cast.annotator


def test_an_empty_name_leaves_the_name(campaign: Campaign, cast: Cast) -> None:
    give_consent(membership=_without_consent(campaign, cast.annotator))
    cast.annotator.refresh_from_db()
    assert cast.annotator.name == "Anna Weidner"


def _joins_of_places() -> Iterator[tuple[str, set[str]]]:
    """Calls that look through `memberships__`, with all that they name there."""
    for room in ("campaigns", "jobs", "annotation", "metrics", "exchange", "frontend"):
        for path in sorted((settings.BASE_DIR / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    named = {each.arg for each in node.keywords if each.arg and "memberships__" in each.arg}
                    if named:
                        yield f"{path}:{node.lineno}", {name.rpartition("memberships__")[2] for name in named}


def test_a_join_passes_by_no_removal() -> None:
    joins = dict(_joins_of_places())
    assert joins
    assert [place for place, named in joins.items() if "removed_at" not in named] == []
