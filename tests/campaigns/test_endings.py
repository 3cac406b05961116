"""Access that ends, and what does not end with it."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError
from django.test import Client

import pytest

from annotation.models import Judgment
from campaigns.actions.accounts import change_password, set_first_password
from campaigns.actions.endings import close_account, may_end_access, remove_member, sign_out_everywhere
from campaigns.actions.enrolment import Access, invite_people, replace_password
from campaigns.actions.links import accept_invitation, invite_account, renew_invitation, revoke_invitation
from campaigns.actions.memberships import add_member
from campaigns.actions.tokens import Origin, hand_out_tokens, make_api_token
from campaigns.invalid_input import AccountError
from campaigns.models import (
    Account,
    ApiToken,
    AuditEntry,
    Campaign,
    Invitation,
    Membership,
    Role,
    Scope,
    TestSet,
    Withdrawal,
)
from campaigns.new_people import Person
from campaigns.queries import valid_tokens
from metrics.actions.forgetting import forget_person
from tests.cast import Cast, invite_annotators, make_person
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take


@pytest.fixture
def planned(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


def _place(campaign: Campaign, account: Account, role: Role = Role.ANNOTATOR) -> Membership:
    return Membership.objects.get(campaign=campaign, account=account, role=role)


def _last() -> AuditEntry:
    return AuditEntry.objects.latest("pk")


def test_a_password_set_with_a_link_ends_with_it_and_another_links_does_not(planned: Campaign, cast: Cast) -> None:
    (first,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    account = first.invitation.account
    second = invite_account(campaign=planned, account=account, role=Role.ANNOTATOR, by=cast.organiser)
    set_first_password(account=account, password="eleven loud storks", link=second.link)
    revoke_invitation(invitation=first.invitation, by=cast.organiser)
    account.refresh_from_db()
    assert account.has_usable_password()
    revoke_invitation(invitation=second.invitation, by=cast.organiser)
    account.refresh_from_db()
    assert not account.has_usable_password()


def test_a_token_of_a_token_ends_with_the_link_of_the_first(planned: Campaign, cast: Cast) -> None:
    (issued,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    account = issued.invitation.account
    first, _key = make_api_token(account=account, name="a", by=account, origin=Origin(issued.invitation.pk))
    make_api_token(account=account, name="b", by=account, within=first)
    revoke_invitation(invitation=issued.invitation, by=cast.organiser)
    assert not ApiToken.objects.filter(account=account, revoked_at=None).exists()


def test_a_program_that_came_by_a_password_keeps_no_token_when_it_is_forgotten(planned: Campaign, cast: Cast) -> None:
    elsewhere = make_planned_campaign(planned.test_set, cast, name="Other")
    [admitted] = invite_people(
        campaign=planned, people=[Person()], by=cast.organiser, access=Access.PASSWORD, are_programs=True
    )
    account = admitted.account
    add_member(campaign=elsewhere, account=account, role=Role.ANNOTATOR, by=cast.organiser)
    handed_out = account.api_tokens.get()
    make_api_token(account=account, name="child", by=account, within=handed_out, scopes=[Scope.JUDGE])
    make_api_token(account=account, name="own", by=account)
    forget_person(account=account, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[planned])
    assert [token.name for token in valid_tokens(account)] == ["own"]
    forget_person(account=account, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[elsewhere])
    assert not ApiToken.objects.filter(name="own", revoked_at=None).exists()


def test_who_is_forgotten_everywhere_keeps_no_token(planned: Campaign, cast: Cast) -> None:
    Account.objects.filter(pk=cast.annotator.pk).update(made_for=None)
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    done = forget_person(account=cast.annotator, how=Withdrawal.ERASED, by=cast.organiser)
    assert not done.has_no_account
    assert valid_tokens(cast.annotator).count() == 0


def test_a_removed_member_is_nobody_in_the_campaign_and_all_of_it_stays_on_record(
    planned: Campaign, cast: Cast
) -> None:
    assignment = take(planned, cast.annotator)
    judge(items_to_judge(assignment)[0])
    place = _place(planned, cast.annotator)
    issued = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    remove_member(membership=place, by=cast.organiser)
    assert not planned.memberships.filter(account=cast.annotator).exists()
    ended = Membership.ever.get(pk=place.pk)
    assert (ended.consented_at, ended.removed_at is not None) == (place.consented_at, True)
    assert Invitation.objects.get(pk=issued.invitation.pk).revoked_at is not None
    assert Judgment.objects.filter(annotator=cast.annotator).count() == 1
    assert (_last().action, _last().actor, _last().detail) == (
        "member_removed",
        cast.organiser,
        {"account": "anna", "role": "annotator"},
    )


def test_who_was_removed_comes_back_by_a_new_link_and_agrees_anew(planned: Campaign, cast: Cast) -> None:
    remove_member(membership=_place(planned, cast.annotator), by=cast.organiser)
    issued = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    accept_invitation(secret=issued.secret)
    assert _place(planned, cast.annotator).consented_at is None


def test_other_roles_and_other_campaigns_are_left_alone(planned: Campaign, cast: Cast) -> None:
    other = make_planned_campaign(planned.test_set, cast, name="Other")
    add_member(campaign=planned, account=cast.annotator, role=Role.RESEARCHER, by=cast.organiser)
    elsewhere = invite_account(campaign=other, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    remove_member(membership=_place(planned, cast.annotator), by=cast.organiser)
    assert planned.memberships.get(account=cast.annotator).role == Role.RESEARCHER
    assert other.memberships.filter(account=cast.annotator).exists()
    assert Invitation.objects.get(pk=elsewhere.invitation.pk).revoked_at is None
    assert valid_tokens(cast.annotator).count() == 1


def test_who_is_left_nowhere_keeps_no_token(planned: Campaign, cast: Cast) -> None:
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    remove_member(membership=_place(planned, cast.annotator), by=cast.organiser)
    assert valid_tokens(cast.annotator).count() == 0


def test_the_last_organiser_cannot_be_removed(planned: Campaign, cast: Cast) -> None:
    place = _place(planned, cast.organiser, Role.ORGANISER)
    with pytest.raises(AccountError, match="Nobody else organises"):
        remove_member(membership=place, by=cast.organiser)
    add_member(campaign=planned, account=cast.researcher, role=Role.ORGANISER, by=cast.organiser)
    remove_member(membership=place, by=cast.organiser)
    assert not Membership.objects.filter(pk=place.pk).exists()


def test_a_closed_account_has_nothing_left_that_opens_it(planned: Campaign, cast: Cast) -> None:
    issued = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    make_api_token(account=cast.annotator, name="notebook", by=cast.annotator)
    closed = close_account(account=cast.annotator, by=cast.organiser, campaign=planned)
    assert (closed.is_active, closed.has_usable_password()) == (False, False)
    assert Invitation.objects.get(pk=issued.invitation.pk).revoked_at is not None
    assert valid_tokens(cast.annotator).count() == 0
    assert (_last().action, _last().actor, _last().campaign) == ("account_closed", cast.organiser, planned)
    close_account(account=cast.annotator, by=cast.organiser)
    assert AuditEntry.objects.filter(action="account_closed").count() == 1
    with pytest.raises(AccountError, match="is closed"):
        renew_invitation(invitation=issued.invitation, by=cast.organiser)


@pytest.mark.parametrize("how", ["works elsewhere", "organises elsewhere", "makes campaigns", "is staff"])
@pytest.mark.parametrize("end", [sign_out_everywhere, close_account])
def test_no_organiser_ends_more_than_they_organise(planned: Campaign, cast: Cast, how: str, end: Any) -> None:
    account = cast.annotator
    if "elsewhere" in how:
        elsewhere = make_planned_campaign(planned.test_set, cast, name="Somebody else's")
        elsewhere.memberships.all().delete()
        role = Role.ORGANISER if "organises" in how else Role.ANNOTATOR
        add_member(campaign=elsewhere, account=account, role=role, by=None)
    account.may_create_campaigns, account.is_staff = how == "makes campaigns", how == "is staff"
    account.save()
    make_api_token(account=account, name="notebook", by=account)
    assert not may_end_access(account, cast.organiser)
    with pytest.raises(AccountError, match="Ask a superuser"):
        end(account=account, by=cast.organiser)
    assert valid_tokens(account).count() == 1
    root = make_person("root", "Root")
    root.is_superuser = True
    end(account=account, by=root)
    assert valid_tokens(account).count() == 0


def test_no_organiser_ends_what_was_part_of_somebody_elses_campaign(planned: Campaign, cast: Cast) -> None:
    """Whoever could would open the account, and read its answers there."""
    elsewhere = make_planned_campaign(planned.test_set, cast, name="Somebody else's")
    elsewhere.memberships.exclude(account=cast.annotator).delete()
    lost = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    remove_member(membership=_place(elsewhere, cast.annotator), by=None)
    assert not may_end_access(cast.annotator, cast.organiser)
    with pytest.raises(AccountError, match="Ask a superuser"):
        renew_invitation(invitation=lost.invitation, by=cast.organiser)


def test_who_does_not_organise_any_more_ends_nothing(planned: Campaign, cast: Cast) -> None:
    add_member(campaign=planned, account=cast.researcher, role=Role.ORGANISER, by=cast.organiser)
    assert may_end_access(cast.annotator, cast.researcher)
    remove_member(membership=_place(planned, cast.researcher, Role.ORGANISER), by=cast.organiser)
    assert not may_end_access(cast.annotator, cast.researcher)


def test_a_password_set_with_a_link_ends_where_its_holder_is_forgotten(planned: Campaign, cast: Cast) -> None:
    elsewhere = make_planned_campaign(planned.test_set, cast, name="Other")
    (issued,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    account = issued.invitation.account
    accept_invitation(secret=issued.secret)
    add_member(campaign=elsewhere, account=account, role=Role.ANNOTATOR, by=cast.organiser)
    set_first_password(account=account, password="eleven loud storks", link=issued.link)
    forget_person(account=account, how=Withdrawal.ERASED, by=cast.organiser, campaigns=[planned])
    account.refresh_from_db()
    assert not account.has_usable_password()


@pytest.mark.parametrize("how", ["closed", "new password", "signed out"])
def test_a_password_change_under_way_undoes_nothing(
    planned: Campaign, cast: Cast, client_of: Callable[[Account], Client], how: str
) -> None:
    """The request had checked the old password when access was ended."""
    Account.objects.filter(pk=cast.annotator.pk).update(made_for=planned)
    under_way = Account.objects.get(pk=cast.annotator.pk)
    session = client_of(under_way).session.session_key
    ended = Account.objects.get(pk=under_way.pk)
    if how == "closed":
        close_account(account=ended, by=cast.organiser)
    elif how == "new password":
        replace_password(campaign=planned, account=ended, by=cast.organiser)
    else:
        sign_out_everywhere(account=ended, by=cast.organiser)
    with pytest.raises(AccountError, match="is closed" if how == "closed" else "access has ended"):
        change_password(account=under_way, password="eleven loud storks", session=session)
    ended.refresh_from_db()
    assert not ended.check_password("eleven loud storks")


def test_no_new_password_opens_an_account_that_is_closed_meanwhile(planned: Campaign, cast: Cast) -> None:
    (issued,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    under_way = issued.invitation.account
    close_account(account=Account.objects.get(pk=under_way.pk), by=cast.organiser)
    with pytest.raises(AccountError, match="is closed"):
        replace_password(campaign=planned, account=under_way, by=cast.organiser)
    assert not Account.objects.get(pk=under_way.pk).has_usable_password()


def test_nobody_closes_their_own_account(planned: Campaign, cast: Cast) -> None:
    with pytest.raises(AccountError, match="your own"):
        close_account(account=cast.organiser, by=cast.organiser)


def test_a_superuser_renews_a_link_to_an_account_that_is_elsewhere_too(planned: Campaign, cast: Cast) -> None:
    elsewhere = make_planned_campaign(planned.test_set, cast, name="Somebody else's")
    elsewhere.memberships.exclude(account=cast.annotator).delete()
    lost = invite_account(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR, by=cast.organiser)
    root = make_person("root", "Root")
    root.is_superuser = True
    root.save()
    renewed = renew_invitation(invitation=lost.invitation, by=root)
    assert Invitation.objects.get(revoked_at=None) == renewed.invitation


def test_a_handed_out_token_stores_who_consented_and_when(planned: Campaign, cast: Cast) -> None:
    (issued,) = invite_annotators(campaign=planned, count=1, by=cast.organiser)
    account = issued.invitation.account
    hand_out_tokens(campaign=planned, accounts=[account], links={account.pk: issued.invitation}, by=cast.organiser)
    place = _place(planned, account)
    assert (place.is_program, place.consented_by, place.consented_at is not None) == (True, cast.organiser, True)
    assert (_last().action, _last().actor, _last().detail) == ("tokens_handed_out", cast.organiser, {"count": 1})
    remove_member(membership=place, by=cast.organiser)
    assert valid_tokens(account).count() == 0


def test_there_is_one_place_a_role_whether_removed_or_not(planned: Campaign, cast: Cast) -> None:
    remove_member(membership=_place(planned, cast.annotator), by=None)
    with pytest.raises(IntegrityError):
        Membership.objects.create(campaign=planned, account=cast.annotator, role=Role.ANNOTATOR)
