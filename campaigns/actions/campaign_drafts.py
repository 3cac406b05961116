"""Drafts of campaigns, stored as they were typed, without passwords."""

import json
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, CampaignDraft
from campaigns.reading.people_list import read_people, without_passwords

MOST_DRAFTS = 50
LONGEST_DRAFT = 500_000
MOST_FIELDS = 1_500
PEOPLE = "people"

Values = Mapping[str, Sequence[str]]


def keep_campaign_draft(*, account: Account, values: Values, draft: CampaignDraft | None = None) -> CampaignDraft:
    """A new one, or `draft` anew."""
    stored = _without_passwords(values)
    if len(stored) > MOST_FIELDS or len(json.dumps(stored)) > LONGEST_DRAFT:
        raise InvalidInput.of("values", _("This is too long for a draft."))
    if draft is None and CampaignDraft.objects.filter(account=account).count() >= MOST_DRAFTS:
        raise InvalidInput.of(
            "values", _("You can have at most %(most)d drafts. Discard one first.") % {"most": MOST_DRAFTS}
        )
    draft = draft or CampaignDraft(account=account)
    draft.values = stored
    draft.save()
    return draft


def discard_campaign_draft(*, draft: CampaignDraft) -> None:
    CampaignDraft.objects.filter(pk=draft.pk).delete()


def _without_passwords(values: Values) -> dict[str, list[str]]:
    """A list that cannot be read could contain passwords anywhere: it is not stored."""
    stored = {name: list(texts) for name, texts in values.items() if name != PEOPLE}
    for text in values.get(PEOPLE, ()):
        people, problems = read_people(text)
        if problems:
            continue
        has_some = any(person.password for person in people)
        stored.setdefault(PEOPLE, []).append(without_passwords(people) if has_some else text)
    return stored
