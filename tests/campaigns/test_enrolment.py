"""People by list: all of them or none, nobody twice, nobody's account given away, no password kept."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.actions.endings import remove_member
from campaigns.actions.enrolment import (
    Access,
    PeopleError,
    admit_waiting,
    enrol_people,
    invite_people,
    replace_password,
)
from campaigns.actions.forgetting import forget_in_records, forget_names_on_record
from campaigns.invalid_input import AccountError
from campaigns.models import Account, AuditEntry, Campaign, Invitation, Membership, Role
from campaigns.new_people import Person
from campaigns.queries import people_waiting
from campaigns.reading.people_list import read_people, without_passwords
from tests.cast import Cast

LIST = """name;email;languages;username;password
Ana Duarte;ana@example.org;pt, en;ana;nine patient otters
Ben Ito;;ja;;
;;;cleo;
"""


def messages(error: PeopleError) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.column) for problem in error.problems]


@pytest.mark.parametrize("text", [LIST, LIST.replace(",", " ").replace(";", "\t"), "\ufeff" + LIST])
def test_a_table_of_people_is_read(text: str) -> None:
    people, problems = read_people(text)
    assert problems == []
    assert [(person.name, person.username, person.line) for person in people] == [
        ("Ana Duarte", "ana", 2),
        ("Ben Ito", "", 3),
        ("", "cleo", 4),
    ]
    assert (people[0].languages, people[0].password) == (("pt", "en"), "nine patient otters")
    assert "otters" not in repr(people)
    assert "otters" not in without_passwords(people)
    assert read_people(without_passwords(people))[0][1] == people[1]


def test_names_alone_need_no_header() -> None:
    people, problems = read_people('Ana Duarte, ana@example.org\n\nBen Ito <ben@example.org>\n"Cho, Kim"\nÉlodie\n')
    assert problems == []
    assert [(each.name, each.email) for each in people] == [
        ("Ana Duarte", "ana@example.org"),
        ("Ben Ito", "ben@example.org"),
        ("Cho, Kim", ""),
        ("Élodie", ""),
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("PK\x03\x04\x14", (None, ""), "Excel"),
        ("name,phone\nAna,1\n", (1, "phone"), "Unknown column"),
        ("name,name\nAna,1\n", (1, "name"), "occurs twice"),
        ("name,email\nAna\n", (2, ""), "Cells in this row: 1, in the header: 2"),
        ("Cho, Kim\n", (1, ""), "Only an e-mail address"),
        ('"Ana\n', (1, ""), "cannot be read from here"),
    ],
)
def test_a_list_that_cannot_be_read_says_where(text: str, place: tuple[int | None, str], words: str) -> None:
    _people, problems = read_people(text)
    assert [(problem.line, problem.column) for problem in problems][:1] == [place]
    assert words in problems[0].message


def test_people_get_accounts_places_and_what_lets_them_in(campaign: Campaign, cast: Cast) -> None:
    people, _problems = read_people(LIST)
    admitted = invite_people(campaign=campaign, people=people, by=cast.organiser, access=Access.BOTH)
    assert [each.account.username for each in admitted] == ["ana", "harbour-campaign-01", "cleo"]
    assert [bool(each.password) for each in admitted] == [False, True, True]
    assert all(each.link for each in admitted)
    ana, ben, _cleo = (Account.objects.get(pk=each.account.pk) for each in admitted)
    assert (ana.name, ana.email, ana.languages) == ("Ana Duarte", "ana@example.org", ["pt", "en"])
    assert ana.check_password("nine patient otters")
    assert ben.check_password(admitted[1].password)
    assert Membership.objects.filter(campaign=campaign, account__made_for=campaign).count() == 3
    stored = repr(
        [*Account.objects.values_list(), *AuditEntry.objects.values_list(), *Invitation.objects.values_list()]
    )
    assert "otters" not in stored
    assert admitted[1].password not in stored
    assert "otters" not in repr(admitted)


def test_all_errors_are_reported_at_once_and_nobody_is_stored(campaign: Campaign, cast: Cast) -> None:
    before = Account.objects.count()
    Account.objects.filter(pk=cast.annotator.pk).update(email="Anna@Example.org")
    people = [
        Person("Ana", "ana@example.org", line=1),
        Person("Ana again", "ANA@example.org", line=2),
        Person("Ben", "no address", ("deutsch!",), line=3),
        Person("Olive", username="OLIVE", line=4),
        Person("Anna", "anna@example.org", line=5),
        Person("x" * 151, username="a b", line=6),
        Person(email="z@example.org", line=7),
        Person("Lost \ufffd", line=8),
        Person("Cho", line=9),
        Person("Cho", line=10),
    ]
    with pytest.raises(PeopleError) as refused:
        invite_people(campaign=campaign, people=people, by=cast.organiser)
    assert messages(refused.value) == [
        (2, "email"), (3, "email"), (3, "languages"), (4, "username"), (5, "email"), (6, "name"), (6, "username"),
        (7, "name"), (8, "name"), (10, "name"),
    ]  # fmt: skip
    assert Account.objects.count() == before
    assert cast.organiser.check_password("seven quiet herons")


@pytest.mark.parametrize(
    ("password", "words"), [("tiny1", "too short"), ("password123", "common"), ("anaduarte1", "similar")]
)
def test_a_weak_password_is_refused_without_being_repeated(
    campaign: Campaign, cast: Cast, password: str, words: str
) -> None:
    people = [Person("Ana Duarte", username="anaduarte", password=password, line=3)]
    with pytest.raises(PeopleError) as refused:
        invite_people(campaign=campaign, people=people, by=cast.organiser)
    assert words in refused.value.problems[0].message
    assert password not in str(refused.value)


def test_who_was_listed_waits_until_let_in_and_only_once(campaign: Campaign, cast: Cast) -> None:
    people = [Person("Ana"), Person("Ben", password_hash="argon2$x")]
    enrol_people(campaign=campaign, people=people, by=cast.organiser)
    assert [account.name for account in people_waiting(campaign)] == ["Ana"]
    (admitted,) = admit_waiting(campaign=campaign, access=Access.LINK, by=cast.organiser)
    assert (admitted.account.name, admitted.password) == ("Ana", "")
    assert admit_waiting(campaign=campaign, access=Access.BOTH, by=cast.organiser) == []


def test_where_nobody_signs_in_with_a_password_none_is_made(campaign: Campaign, cast: Cast, settings: Settings) -> None:
    settings.PASSWORDS = False
    with pytest.raises(AccountError, match="Choose links"):
        invite_people(campaign=campaign, people=[Person(name="Ana")], by=cast.organiser, access=Access.BOTH)
    [admitted] = invite_people(campaign=campaign, people=[Person(name="Ana")], by=cast.organiser)
    with pytest.raises(AccountError, match="Choose links"):
        replace_password(campaign=campaign, account=admitted.account, by=cast.organiser)


def test_a_lost_password_is_replaced_for_the_campaigns_own_people_alone(
    campaign: Campaign, cast: Cast, test_set: Any
) -> None:
    (admitted,) = invite_people(campaign=campaign, people=[Person("Ana")], by=None, access=Access.PASSWORD)
    made = replace_password(campaign=campaign, account=admitted.account, by=cast.organiser)
    assert made.password != admitted.password
    assert Account.objects.get(pk=made.account.pk).check_password(made.password)
    with pytest.raises(AccountError, match="only its holder"):
        replace_password(campaign=campaign, account=cast.annotator, by=cast.organiser)
    other = Campaign.objects.create(name="O", slug="o", test_set=test_set, protocol="esa", created_by=cast.organiser)
    place = Membership.objects.create(campaign=other, account=made.account, role=Role.RESEARCHER)
    with pytest.raises(AccountError, match="only its holder"):
        replace_password(campaign=campaign, account=made.account, by=cast.organiser)
    remove_member(membership=place, by=None)
    with pytest.raises(AccountError, match="only its holder"):
        replace_password(campaign=campaign, account=made.account, by=cast.organiser)


def test_the_record_of_an_invitation_forgets_names(campaign: Campaign, cast: Cast) -> None:
    people = [Person(username="zelda-quist"), Person(username="yann-moss")]
    invite_people(campaign=campaign, people=people, by=cast.organiser)
    own = AuditEntry.objects.filter(action="people_invited")
    forget_in_records(Account.objects.get(username="zelda-quist"), campaign)
    assert (own.get().detail["first"], own.get().detail["last"]) == ("erased", "yann-moss")
    forget_names_on_record(timezone.now() + timedelta(days=1))
    assert (own.get().detail["first"], own.get().detail["last"]) == ("erased", "erased")
