"""People into a campaign: accounts made for it, and what lets their holders in, shown once."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher, get_hasher, make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.actions.endings import end_sessions, end_tokens, lock, may_make_campaigns, refuse_closed
from campaigns.actions.links import IssuedInvitation, new_invitation
from campaigns.actions.tokens import hand_out_tokens
from campaigns.invalid_input import AccountError
from campaigns.models import Account, Campaign, Invitation, Membership, Role, Session
from campaigns.new_people import Person, check_people
from campaigns.queries import people_waiting
from campaigns.reading.problems import Problem
from campaigns.secret_keys import new_password

_LONGEST_STEM = 125  # a role, a number and the hyphens fit into the 150 characters of a name


class Access(StrEnum):
    """The way in: a link, a password, or both."""

    LINK = "link"
    PASSWORD = "password"  # noqa: S105 - the word for it
    BOTH = "both"


class PeopleError(Exception):
    """A refused list of people; `problems` are all of its errors."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in problems))


@dataclass(frozen=True)
class Admission:
    """The only moment at which link, password and token are known. `password` is empty where the organiser chose it."""

    account: Account
    issued: IssuedInvitation | None = None
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    @property
    def link(self) -> str:
        return self.issued.link if self.issued else ""


class _MadePasswordHasher(Argon2PasswordHasher):
    """For 79 random bits there is no dictionary to try: quick, and made slow at the first sign-in."""

    time_cost, memory_cost, parallelism = 1, 1024, 1


def invite_people(
    *,
    campaign: Campaign,
    people: Sequence[Person],
    by: Account | None,
    role: Role = Role.ANNOTATOR,
    access: Access = Access.LINK,
    are_programs: bool = False,
) -> list[Admission]:
    """All of them or none: accounts, memberships, and links or passwords; programs get tokens that may judge."""
    ready = with_hashes(people, campaign)
    with transaction.atomic():
        accounts = enrol_people(campaign=campaign, people=ready, by=by, role=role)
        admitted = _admit(campaign, accounts, access, role, by)
        return _with_tokens(campaign, admitted, by) if are_programs else admitted


def nameless(count: int) -> list[Person]:
    if count < 1:
        raise AccountError(_("Invite at least one person."))
    return [Person()] * count


def with_hashes(people: Sequence[Person], campaign: Campaign | None) -> list[Person]:
    """Checked, and with hashes in the place of passwords, which takes a while: outside of any transaction."""
    if problems := check_people(people, campaign):
        raise PeopleError(problems)
    return [
        replace(each, password="", password_hash=make_password(each.password)) if each.password else each
        for each in people
    ]


def enrol_people(
    *, campaign: Campaign, people: Sequence[Person], by: Account | None, role: Role = Role.ANNOTATOR
) -> list[Account]:
    """Accounts with their places; until they are admitted, only a password from the list lets them in."""
    if not people:
        raise AccountError(_("Invite at least one person."))
    try:
        with transaction.atomic():
            # one list of a campaign at a time, so that no two number their people alike; judging is not held up
            Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
            if problems := check_people(people, campaign):
                raise PeopleError(problems)
            accounts = Account.objects.bulk_create(_accounts(campaign, people, role))
            Membership.objects.bulk_create(
                [Membership(campaign=campaign, account=account, role=role) for account in accounts]
            )
            names = {"first": accounts[0].username, "last": accounts[-1].username}
            record(action="people_invited", by=by, campaign=campaign, role=str(role), count=len(accounts), **names)
    except IntegrityError as error:
        message = _("Somebody else has taken one of the user names in the meantime. Send the list again.")
        raise PeopleError([Problem("", None, "username", message)]) from error
    return accounts


def admit_waiting(*, campaign: Campaign, access: Access, by: Account | None) -> list[Admission]:
    """Links or passwords for annotators who have neither."""
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        accounts = list(people_waiting(campaign))
        admitted = _admit(campaign, accounts, access, Role.ANNOTATOR, by)
        if admitted:
            record(action="people_admitted", by=by, campaign=campaign, access=str(access), count=len(admitted))
    return admitted


def replace_password(*, campaign: Campaign, account: Account, by: Account | None) -> Admission:
    """A new link or password after a loss, only for accounts that were made for this campaign and used nowhere else.

    Access by the old one ends.
    """
    _refuse_useless_passwords()
    is_elsewhere = Membership.ever.filter(account=account).exclude(campaign=campaign).exists()
    serves_it_alone = account.made_for_id == campaign.pk and not is_elsewhere and not may_make_campaigns(account)
    if not serves_it_alone and not (by and by.is_superuser):
        raise AccountError(
            _("This account does not belong to this campaign alone: only its holder can change its password.")
        )
    password = new_password()
    account.password, account.password_came_of = _hash_of_made(password), None
    with transaction.atomic():
        lock(account)
        account.refresh_from_db(fields=["is_active"])
        refuse_closed(account)
        account.save(update_fields=["password", "password_came_of"])
        end_sessions(Session.objects.filter(account=account))
        end_tokens(account.api_tokens.filter(by_password=True))
        record(action="password_replaced", by=by, campaign=campaign, account=account.username)
    return Admission(account, password=password)


def _admit(
    campaign: Campaign, accounts: Sequence[Account], access: Access, role: Role, by: Account | None
) -> list[Admission]:
    made: dict[int, str] = {}
    if access in (Access.PASSWORD, Access.BOTH):
        _refuse_useless_passwords()
        without = [account for account in accounts if not account.has_usable_password()]
        for account in without:
            made[account.pk] = new_password()
            account.password = _hash_of_made(made[account.pk])
        Account.objects.bulk_update(without, ["password"], batch_size=100)
    issued: dict[int, IssuedInvitation] = {}
    if access in (Access.LINK, Access.BOTH):
        issued = {account.pk: new_invitation(campaign, account, role, by) for account in accounts}
        Invitation.objects.bulk_create([each.invitation for each in issued.values()])
    return [Admission(account, issued.get(account.pk), made.get(account.pk, "")) for account in accounts]


def _refuse_useless_passwords() -> None:
    if not settings.PASSWORDS:
        raise AccountError(_("Nobody signs in to this site with a password. Choose links."))


def _with_tokens(campaign: Campaign, admitted: Sequence[Admission], by: Account | None) -> list[Admission]:
    accounts = [each.account for each in admitted]
    links = {each.account.pk: each.issued.invitation for each in admitted if each.issued}
    secrets = hand_out_tokens(campaign=campaign, accounts=accounts, links=links, by=by)
    return [replace(each, token=secrets[each.account.pk]) for each in admitted]


def _hash_of_made(password: str) -> str:
    """Quickly where passwords are kept by Argon2, whose parameters stand in the hash."""
    preferred = get_hasher()
    if not isinstance(preferred, Argon2PasswordHasher):
        return make_password(password)
    quick = _MadePasswordHasher()
    return quick.encode(password, quick.salt())


def _accounts(campaign: Campaign, people: Sequence[Person], role: Role) -> Iterator[Account]:
    chosen = {person.username.lower() for person in people if person.username}
    free = (name for name in _free_names(campaign, role) if name.lower() not in chosen)
    names = iter(list(islice(free, sum(not person.username for person in people))))
    for person in people:
        yield Account(
            username=person.username or next(names),
            name=person.name,
            email=person.email,
            languages=list(person.languages),
            password=person.password_hash or make_password(None),
            made_for=campaign,
        )


def _free_names(campaign: Campaign, role: Role) -> Iterator[str]:
    """`campaign-07`: the campaign's address and a running number, so that a name says nothing about a person."""
    stem = campaign.slug[:_LONGEST_STEM].rstrip("-")
    if role != Role.ANNOTATOR:
        stem = f"{stem}-{role}"
    taken = Account.objects.filter(username__startswith=f"{stem}-").values_list("username", flat=True)
    numbered = re.compile(re.escape(stem) + r"-(\d{1,9})")
    number = max((int(match[1]) for name in taken if (match := numbered.fullmatch(name))), default=0)
    while True:
        number += 1
        yield f"{stem}-{number:02d}"
