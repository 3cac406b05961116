"""Decisions with a name and a reason, and taking them back: adjudicated answers, and excluding annotators."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Adjudication, Assignment, Exclusion, Judgment
from annotation.protocols import protocol_for
from annotation.queries.adjudications import LABEL, current_adjudications, shown_alone, translation_decided_on
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Membership, Role, Translation

LONGEST_REASON = 2000


def adjudicate(
    *,
    campaign: Campaign,
    translation: Translation,
    answered: Mapping[str, Any],
    reason: str,
    by: Account | None,
    based_on: Judgment | None = None,
    instead_of: int | None = None,
) -> Adjudication:
    """`answered` is what an annotator could have answered of this translation alone, checked as theirs is.

    `instead_of` is the decision that stood when this one was made: one that somebody made meanwhile is not undone.
    """
    first = translation_decided_on(campaign, translation)
    answer = _checked(campaign, first, answered)
    reason = _checked_reason(reason)
    try:
        with transaction.atomic():
            current_adjudications(campaign).filter(translation=first, pk=instead_of or 0).update(
                undone_at=timezone.now(), undone_by=by
            )
            adjudication = Adjudication.objects.create(
                campaign=campaign, translation=first, answer=answer, based_on=based_on, reason=reason, decided_by=by
            )
            place = _place(adjudication)
            record(action="translation_adjudicated", by=by, campaign=campaign, reason=reason, **place)
    except IntegrityError as error:
        message = _("Somebody else has just decided this. Look at their decision first.")
        raise InvalidInput.of("answer", message) from error
    return adjudication


def undo_adjudication(*, adjudication: Adjudication, by: Account | None) -> Adjudication:
    """The annotators' answers count alone again; that it was decided otherwise for a time stays on record."""
    with transaction.atomic():
        undone = current_adjudications(adjudication.campaign).filter(pk=adjudication.pk)
        if not undone.update(undone_at=timezone.now(), undone_by=by):
            raise InvalidInput.of("answer", _("This decision was already undone."))
        record(action="adjudication_undone", by=by, campaign=adjudication.campaign, **_place(adjudication))
    adjudication.refresh_from_db(fields=["undone_at", "undone_by"])
    return adjudication


def exclude_annotator(*, campaign: Campaign, annotator: Account, reason: str, by: Account | None) -> Exclusion:
    """The annotator's judgments do not count from the next computation on; the judgments are not changed."""
    reason = _checked_reason(reason)
    if not _takes_part(campaign, annotator):
        raise InvalidInput.of("annotator", _("%(name)s is not an annotator in this campaign.") % {"name": annotator})
    try:
        with transaction.atomic():
            exclusion = Exclusion.objects.create(campaign=campaign, annotator=annotator, reason=reason, decided_by=by)
            name = annotator.username
            record(action="annotator_excluded", by=by, campaign=campaign, annotator=name, reason=reason)
    except IntegrityError as error:
        raise InvalidInput.of("annotator", _("%(name)s is already excluded.") % {"name": annotator}) from error
    return exclusion


def readmit_annotator(*, campaign: Campaign, annotator: Account, by: Account | None) -> Exclusion:
    """The judgments count again; that they did not for a time stays on record."""
    current = Exclusion.objects.filter(campaign=campaign, annotator=annotator, lifted_at=None)
    with transaction.atomic():
        exclusion = current.first()
        if exclusion is None or not current.filter(pk=exclusion.pk).update(lifted_at=timezone.now()):
            raise InvalidInput.of("annotator", _("%(name)s is not excluded.") % {"name": annotator})
        record(action="annotator_readmitted", by=by, campaign=campaign, annotator=annotator.username)
    exclusion.refresh_from_db(fields=["lifted_at"])
    return exclusion


def _takes_part(campaign: Campaign, annotator: Account) -> bool:
    place = Membership.objects.filter(campaign=campaign, account=annotator, role=Role.ANNOTATOR)
    return place.exists() or Assignment.objects.filter(campaign=campaign, annotator=annotator).exists()


def _checked(campaign: Campaign, translation: Translation, answered: Mapping[str, Any]) -> dict[str, Any]:
    protocol = protocol_for(campaign.protocol, campaign.options)
    if not protocol.decided_fields:
        raise InvalidInput.of(
            "answer", _("This protocol does not judge single translations, so there is nothing to adjudicate.")
        )
    shown = shown_alone(protocol, translation, furthest=_furthest(answered))
    try:
        answer = protocol.parse_answer({"slots": {LABEL: dict(answered)}}, shown)
    except InvalidInput as invalid:
        at = f"slots.{LABEL}."
        raise InvalidInput({name.removeprefix(at): messages for name, messages in invalid.errors.items()}) from invalid
    return dict(answer.slots[LABEL])


def _furthest(answered: Mapping[str, Any]) -> int:
    """How far marked errors reach, for texts that are not known."""
    spans = answered.get("spans")
    ends = [span.get("end") for span in spans if isinstance(span, Mapping)] if isinstance(spans, list) else []
    return max((end for end in ends if type(end) is int), default=0)


def _checked_reason(reason: str) -> str:
    stripped = reason.strip()
    if not stripped:
        raise InvalidInput.of("reason", _("Give a reason. It is recorded with the results."))
    if len(stripped) > LONGEST_REASON:
        raise InvalidInput.of(
            "reason", _("The reason may have at most %(most)d characters.") % {"most": LONGEST_REASON}
        )
    return stripped


def _place(adjudication: Adjudication) -> dict[str, Any]:
    translation = adjudication.translation
    return {
        "adjudication": adjudication.pk,
        "document": translation.segment.document.name,
        "segment": translation.segment.name,
        "system": translation.system.name,
    }
