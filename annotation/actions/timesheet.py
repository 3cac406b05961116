"""Notes to a day of a timesheet, which pauses count, and organisers' notes for themselves."""

from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import OrganiserNote, TimesheetNote
from annotation.queries.timesheet import timesheet_of
from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Segment
from campaigns.reading.problems import text_error

LONGEST_NOTE = 2000
PAUSE_SECONDS = (10, 1800)
WORDS_PER_MINUTE = (20, 1000)


def dispute_day(*, campaign: Campaign, annotator: Account, day: date, note: str) -> TimesheetNote | None:
    """Writes or changes an annotator's note to a day with work; an empty one takes it back. Until it is answered."""
    text = _checked(note, "note")
    with transaction.atomic():
        locked = TimesheetNote.objects.select_for_update()
        before = locked.filter(campaign=campaign, annotator=annotator, day=day).first()
        if before is not None and before.answer:
            raise InvalidInput.of("note", _("The organiser has answered this note, so it cannot change any more."))
        if not text:
            if before is not None:
                before.delete()
            return None
        worked = {each.day for each in timesheet_of(campaign=campaign, annotator=annotator)}
        if before is None and day not in worked:
            raise InvalidInput.of("day", _("You have no time in this campaign on this day."))
        return TimesheetNote.objects.update_or_create(
            campaign=campaign, annotator=annotator, day=day, defaults={"note": text, "noted_at": timezone.now()}
        )[0]


def answer_dispute(*, campaign: Campaign, annotator: Account, day: date, answer: str, by: Account) -> TimesheetNote:
    """The organiser's answer, which can be changed; the annotator reads it."""
    text = _checked(answer, "answer")
    note = TimesheetNote.objects.filter(campaign=campaign, annotator=annotator, day=day).first()
    if note is None:
        raise InvalidInput.of("answer", _("There is no note for this day any more."))
    if not text:
        raise InvalidInput.of("answer", _("Write an answer."))
    note.answer, note.answered_at, note.answered_by = text, timezone.now(), by
    note.save(update_fields=["answer", "answered_at", "answered_by"])
    record(action="dispute_answered", by=by, campaign=campaign, annotator=annotator.username, day=day.isoformat())
    return note


def set_pauses(*, campaign: Campaign, seconds: int, words_per_minute: int, by: Account | None) -> Campaign:
    """How long a pause counts as work, from the next page that an annotator opens. All errors at once."""
    message = _("Enter a whole number from %(low)d to %(high)d.")
    limits = {"pause_seconds": (seconds, PAUSE_SECONDS), "words_per_minute": (words_per_minute, WORDS_PER_MINUTE)}
    errors = {
        name: [message % {"low": low, "high": high}]
        for name, (value, (low, high)) in limits.items()
        if not low <= value <= high
    }
    if errors:
        raise InvalidInput(errors)
    if (seconds, words_per_minute) != (campaign.pause_seconds, campaign.words_per_minute):
        campaign.pause_seconds, campaign.words_per_minute = seconds, words_per_minute
        campaign.save(update_fields=["pause_seconds", "words_per_minute"])
        record(action="pauses_set", by=by, campaign=campaign, seconds=seconds, words_per_minute=words_per_minute)
    return campaign


def write_own_note(
    *, campaign: Campaign, by: Account, text: str, annotator: Account | None = None, segment: Segment | None = None
) -> None:
    """An organiser's note on an annotator or a segment, for organisers alone; an empty one is removed."""
    words = _checked(text, "text")
    place: dict[str, Any] = {"campaign": campaign, "annotator": annotator, "segment": segment}
    if words:
        values = {"text": words, "written_by": by, "written_at": timezone.now()}
        OrganiserNote.objects.update_or_create(**place, defaults=values)
    else:
        OrganiserNote.objects.filter(**place).delete()


def _checked(text: str, field: str) -> str:
    stripped = text.strip()
    if len(stripped) > LONGEST_NOTE:
        raise InvalidInput.of(field, _("At most %(most)d characters.") % {"most": LONGEST_NOTE})
    if error := text_error(stripped):
        raise InvalidInput.of(field, error)
    return stripped
