"""Unfinished work, kept as one goes."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.submission_error import SubmissionError
from annotation.models import Draft, Item


def save_draft(*, item: Item, answer: Mapping[str, Any], base_revision: int) -> Draft | None:
    """The newest draft of an item, in one statement. None for one that a judgment has overtaken: it is void.

    A draft that comes late, in the wake of the judgment it led to, must not stand beside it as something newer.
    """
    if base_revision > item.revision:
        raise SubmissionError({"base_revision": [_("There is no such revision yet.")]})
    if base_revision < item.revision:
        return None
    draft = Draft(item=item, answer=dict(answer), base_revision=base_revision)
    Draft.objects.bulk_create(
        [draft],
        update_conflicts=True,
        unique_fields=["item"],
        update_fields=["answer", "base_revision", "saved_at"],
    )
    return draft
