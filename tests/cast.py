"""The people of every test: who they are tells what they may do."""

from dataclasses import dataclass

from campaigns.models import Account

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


def make_cast() -> Cast:
    return Cast(
        organiser=make_person("olive", "Olive Okafor", may_create_campaigns=True),
        annotators=(make_person("anna", "Anna Weidner"), make_person("ben", "Ben Achterberg")),
        researcher=make_person("rhea", "Rhea Lindqvist"),
        # a stranger may well organise campaigns of their own
        stranger=make_person("sasha", "Sasha Moreau", may_create_campaigns=True),
    )
