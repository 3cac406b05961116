"""The people of every test: who they are tells what they may do."""

from dataclasses import dataclass

from django.contrib.auth.hashers import make_password

from campaigns.actions.enrolment import invite_people, nameless
from campaigns.actions.links import IssuedInvitation
from campaigns.models import Account, Campaign, Role

PASSWORD = "seven quiet herons"


@dataclass(frozen=True)
class Cast:
    """Olive runs the campaign; Anna and Ben judge in it; Rhea reads its results; Sasha must see nothing of it."""

    organiser: Account
    annotators: tuple[Account, Account]
    researcher: Account
    stranger: Account

    @property
    def annotator(self) -> Account:
        return self.annotators[0]

    @property
    def second_annotator(self) -> Account:
        return self.annotators[1]


def make_person(username: str, name: str, *, may_create_campaigns: bool = False) -> Account:
    return Account.objects.create_user(
        username=username, name=name, password=PASSWORD, may_create_campaigns=may_create_campaigns
    )


def invite_annotators(
    *, campaign: Campaign, count: int, by: Account | None, role: Role = Role.ANNOTATOR
) -> list[IssuedInvitation]:
    """New accounts without passwords, each with its link; every call makes new ones."""
    admitted = invite_people(campaign=campaign, people=nameless(count), by=by, role=role)
    return [each.issued for each in admitted if each.issued]


def make_cast() -> Cast:
    """Five people with one password in one statement: nearly every test begins with this."""
    password = make_password(PASSWORD)
    people = {
        "olive": "Olive Okafor",
        "anna": "Anna Weidner",
        "ben": "Ben Achterberg",
        "rhea": "Rhea Lindqvist",
        "sasha": "Sasha Moreau",
    }
    may_create_campaigns = {"olive", "sasha"}  # a stranger may well organise campaigns of their own
    olive, anna, ben, rhea, sasha = Account.objects.bulk_create(
        Account(username=username, name=name, password=password, may_create_campaigns=username in may_create_campaigns)
        for username, name in people.items()
    )
    return Cast(organiser=olive, annotators=(anna, ben), researcher=rhea, stranger=sasha)
