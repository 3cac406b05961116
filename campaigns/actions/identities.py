"""Accounts of people whom a provider signs in: found by issuer and subject, made, connected, and given rights."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from campaigns.actions.accounts import NAME_LIMIT, create_account, own_link
from campaigns.actions.audit import record
from campaigns.actions.endings import lock, may_make_campaigns
from campaigns.invalid_input import AccountError
from campaigns.models import Account, Campaign, Identity, Membership

_NOT_IN_NAMES = re.compile(r"[^\w.@+-]+")
_LONGEST_USERNAME = 100


@dataclass(frozen=True)
class ProvedPerson:
    """What a provider said of somebody, after all of it was verified. `email` is empty unless the provider checked it.

    `organises` is None where the site does not ask the provider who organises.
    """

    issuer: str
    subject: str
    name: str = ""
    username: str = ""
    email: str = ""
    organises: bool | None = None


class Refused(Enum):
    """Why somebody whom the provider knows does not come in, or is not connected."""

    DOMAIN = auto()
    NO_ACCOUNT = auto()
    CLOSED = auto()
    TAKEN = auto()


class IdentityRefused(Exception):
    def __init__(self, reason: Refused) -> None:
        self.reason = reason
        super().__init__(reason.name)


def sign_in_person(person: ProvedPerson) -> Account:
    """Their account, made at the first time. Never one that only has the same address. Raises IdentityRefused."""
    _check_domain(person)
    try:
        return _sign_in(person)
    except (IntegrityError, AccountError):  # two first sign-ins at once: the other one has made it, or took the name
        return _sign_in(person)


def _sign_in(person: ProvedPerson) -> Account:
    with transaction.atomic():
        identity = _identity_of(person) or _new_identity(person)
        if not identity.account.is_active:
            raise IdentityRefused(Refused.CLOSED)
        _set_rights(identity, person)
        Identity.objects.filter(pk=identity.pk).update(last_used_at=timezone.now())
    return identity.account


def connect_person(*, account: Account, person: ProvedPerson, link: str = "") -> Identity:
    """From now on the provider signs this person in to the account.

    `link` is the invitation's by which the account is proved to be theirs, where it has no password. An account that
    the provider's first sign-in made, and that nothing was done with, makes way. Raises AccountError, IdentityRefused.
    """
    _check_domain(person)
    with transaction.atomic():
        lock(account)
        came_of = own_link(account, link) if link else None
        known = _identity_of(person)
        if known is not None and known.account_id != account.pk:
            if not _is_bare(known.account):
                raise IdentityRefused(Refused.TAKEN)
            _remove(known.account)
            known = None
        if known is None:
            known = Identity.objects.create(
                account=account, issuer=person.issuer, subject=person.subject, came_of=came_of
            )
            record(action="identity_connected", by=account)
        _set_rights(known, person)
    return known


def disconnect(account: Account) -> None:
    with transaction.atomic():
        lock(account)
        for identity in Identity.objects.filter(account=account).select_related("account"):
            _take_rights(identity)
            identity.delete()
            record(action="identity_disconnected", by=account)


def _check_domain(person: ProvedPerson) -> None:
    """Only of an address that the provider checked."""
    if settings.PROVIDER_DOMAINS and person.email.rpartition("@")[2].lower() not in settings.PROVIDER_DOMAINS:
        raise IdentityRefused(Refused.DOMAIN)


def _identity_of(person: ProvedPerson) -> Identity | None:
    known = Identity.objects.filter(issuer=person.issuer, subject=person.subject)
    return known.select_related("account").first()


def _new_identity(person: ProvedPerson) -> Identity:
    if not settings.PROVIDER_NEW_ACCOUNTS and not person.organises:
        raise IdentityRefused(Refused.NO_ACCOUNT)
    account = create_account(username=_free_username(person), name=person.name[:NAME_LIMIT].replace("\x00", ""))
    if person.email:
        account.email = person.email
        account.save(update_fields=["email"])
    return Identity.objects.create(account=account, issuer=person.issuer, subject=person.subject)


def _free_username(person: ProvedPerson) -> str:
    """As the provider calls them, or the beginning of their address; with a number where it is taken."""
    called = _NOT_IN_NAMES.sub("-", person.username or person.email.partition("@")[0]).strip("-")
    called = called[:_LONGEST_USERNAME] or "person"
    taken = set(Account.objects.filter(username__istartswith=called).values_list("username", flat=True))
    lowered = {name.lower() for name in taken}
    names = (called if number == 1 else f"{called}-{number}" for number in range(1, len(lowered) + 2))
    return next(name for name in names if name.lower() not in lowered)


def _set_rights(identity: Identity, person: ProvedPerson) -> None:
    """Whoever is not in the group any more loses what the group had given, and nothing else."""
    account = identity.account
    if person.organises is False:
        _take_rights(identity)
    elif person.organises and not account.may_create_campaigns:
        account.may_create_campaigns = identity.made_organiser = True
        account.save(update_fields=["may_create_campaigns"])
        identity.save(update_fields=["made_organiser"])
        record(action="organising_allowed", by=None, account=account.username)


def _take_rights(identity: Identity) -> None:
    if identity.made_organiser:
        identity.account.may_create_campaigns = identity.made_organiser = False
        identity.account.save(update_fields=["may_create_campaigns"])
        identity.save(update_fields=["made_organiser"])
        record(action="organising_ended", by=None, account=identity.account.username)


def _remove(bare: Account) -> None:
    try:
        bare.delete()
    except ProtectedError as error:
        raise IdentityRefused(Refused.TAKEN) from error


def _is_bare(account: Account) -> bool:
    """Whether nobody would miss it."""
    return (
        not account.has_usable_password()
        and not may_make_campaigns(account)
        and not Membership.ever.filter(account=account).exists()
        and not Campaign.objects.filter(created_by=account).exists()
    )
