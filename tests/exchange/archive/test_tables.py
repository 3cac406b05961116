"""No model or field that is added later is missing from archives."""

from django.apps import apps

import pytest

from campaigns.models import Account
from exchange.archive.tables import TABLES, Table, keys_of

OURS = ("campaigns", "jobs", "annotation", "metrics")
ARCHIVED = [table.model for table in TABLES]
# with the reason
NOT_ARCHIVED: dict[str, str] = {
    "OutputValues": "follows from the judgments and is computed with results",
    "OutputFlag": "told by the texts alone, and looked for again where they are rebuilt",
    "Account": "annotators have a file of their own, with their names alone; other people are not part of the data",
    "AnsweredRequest": "a program that repeats a request",
    "ApiToken": "a key",
    "AuditEntry": "names people who organise; what counts of it is in other tables",
    "Delivery": "what was sent to a webhook",
    "Webhook": "leads to other services: a rebuilt campaign calls nobody until its organiser says so",
    "CampaignDraft": "settings that are not a campaign yet",
    "Crowd": "a way in, and where people are sent from there",
    "CrowdPlace": "names people as another site does",
    "DerivedScore": "follows from the answers by a formula and is computed anew",
    "Disagreement": "follows from the answers and is looked for anew",
    "Identity": "of how somebody signs in",
    "Invitation": "a key",
    "Mail": "what was sent to whom",
    "MailSettings": "a rebuilt campaign writes to nobody until its organiser says so",
    "MailStop": "the hash of an address",
    "MailText": "words to people, whose accounts are not part of the data",
    "OrganiserNote": "what organisers wrote for themselves",
    "SecondFactor": "of how somebody signs in",
    "Session": "a key",
    "ShareLink": "a key",
    "ControlScore": "follows from the judgments",
    "PlannedOutputs": "follows from the assignments",
    "TimesheetSums": "follows from the judgments and is summed anew",
    "WorkCount": "follows from the judgments and is counted anew",
}


def test_every_model_is_either_archived_or_left_out_on_purpose() -> None:
    """For a new model: a line in TABLES, after what its rows refer to, or one in NOT_ARCHIVED with the reason."""
    models = {model.__name__ for model in apps.get_models() if model._meta.app_label in OURS}
    archived = {model.__name__ for model in ARCHIVED}
    assert models - archived - set(NOT_ARCHIVED) == set()
    assert not archived & set(NOT_ARCHIVED)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_row_leads_to_rows_that_are_rebuilt_before_it(table: Table) -> None:
    place = TABLES.index(table)
    before = {each.model for each in TABLES[: place + 1]}
    targets = {key.related_model for key in keys_of(TABLES[place])} - {Account}
    assert targets <= before


def test_only_annotators_are_named() -> None:
    """Whoever decided, imported or made something is left out: add such a field to `left_out`."""
    people = {key.name for table in TABLES for key in keys_of(table) if key.related_model is Account}
    assert people <= {"account", "annotator"}


def test_lists_of_rows_are_the_campaigns_systems_alone() -> None:
    """Any other list would have to be written and rebuilt in the same way."""
    lists = {f"{model.__name__}.{field.name}" for model in ARCHIVED for field in model._meta.local_many_to_many}
    assert lists == {"Campaign.systems"}
