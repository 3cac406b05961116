"""Timesheets: working time by day, of a campaign for its organisers, and one's own."""

from datetime import datetime, tzinfo
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.timesheet import (
    LONGEST_NOTE,
    PAUSE_SECONDS,
    WORDS_PER_MINUTE,
    answer_dispute,
    dispute_day,
    set_pauses,
)
from annotation.queries.timesheet import WorkDay, timesheet_of
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign, Scope
from frontend.access import get_annotator_of, get_own_campaign_judged
from frontend.api.requests import read
from frontend.api.views import OrganiserView, ResourceView, operation

TAG = "Timesheets"


class WorkDaySerializer(serializers.Serializer[Any]):
    """A day of the site's time zone; practice is not in it."""

    day = serializers.DateField()
    campaign = serializers.SlugField(source="campaign.slug")
    annotator = serializers.CharField(source="annotator.username")
    begin = serializers.DateTimeField()
    end = serializers.DateTimeField()
    sessions = serializers.IntegerField(help_text="A pause of more than 15 minutes ends one.")
    active_ms = serializers.IntegerField(help_text="What two devices counted at once counts once.")
    reading_ms = serializers.IntegerField(help_text="The part of it in pauses of more than five seconds.")
    screens = serializers.IntegerField()
    judgments = serializers.IntegerField(help_text="With changes.")
    changes = serializers.IntegerField()
    note = serializers.CharField(source="note.note", default="", allow_blank=True)
    answer = serializers.CharField(source="note.answer", default="", allow_blank=True)

    def to_representation(self, instance: WorkDay) -> dict[str, Any]:
        """As the fields would write it, in a fifth of the time: a large campaign has ten thousand days."""
        return {
            "day": instance.day.isoformat(),
            "campaign": instance.campaign.slug,
            "annotator": instance.annotator.username,
            "begin": self._moment(instance.begin),
            "end": self._moment(instance.end),
            "sessions": instance.sessions,
            "active_ms": instance.active_ms,
            "reading_ms": instance.reading_ms,
            "screens": instance.screens,
            "judgments": instance.judgments,
            "changes": instance.changes,
            "note": instance.note.note if instance.note else "",
            "answer": instance.note.answer if instance.note else "",
        }

    @cached_property
    def _zone(self) -> tzinfo:
        """Asked for once: there may be thousands of days."""
        return timezone.get_current_timezone()

    def _moment(self, moment: datetime) -> str:
        return timezone.localtime(moment, self._zone).isoformat().replace("+00:00", "Z")


class TimesheetSerializer(serializers.Serializer[Any]):
    results = WorkDaySerializer(many=True)


class DayNoteSerializer(serializers.Serializer[Any]):
    campaign = serializers.SlugField()
    day = serializers.DateField()
    note = serializers.CharField(allow_blank=True, max_length=LONGEST_NOTE, help_text="Empty: takes it back.")


class DayAnswerSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField()
    day = serializers.DateField()
    answer = serializers.CharField(max_length=LONGEST_NOTE)


class PausesSerializer(serializers.Serializer[Any]):
    """A pause counts as work as long as this, and as reading all that is on the screen takes."""

    pause_seconds = serializers.IntegerField(min_value=PAUSE_SECONDS[0], max_value=PAUSE_SECONDS[1])
    words_per_minute = serializers.IntegerField(
        min_value=WORDS_PER_MINUTE[0], max_value=WORDS_PER_MINUTE[1], help_text="Of reading; smaller allows more time."
    )


class OwnTimesheetView(ResourceView):
    scopes = {"PUT": Scope.JUDGE}

    @operation("own_timesheet", TimesheetSerializer)
    def get(self, _request: Request) -> Any:
        """One's own working days, the newest first."""
        return {"results": timesheet_of(annotator=self.account)}

    @operation("dispute_day", TimesheetSerializer, request=DayNoteSerializer)
    def put(self, request: Request) -> Any:
        """Write a note to a day whose time is not right; until the organiser answers, it can change."""
        body = read(request, DayNoteSerializer)
        try:
            campaign = get_own_campaign_judged(self.account, body["campaign"])
        except Http404:
            raise InvalidInput.of("campaign", _("There is no such campaign among yours.")) from None
        dispute_day(campaign=campaign, annotator=self.account, day=body["day"], note=body["note"])
        return {"results": timesheet_of(annotator=self.account)}


class TimesheetView(OrganiserView):
    @operation("timesheet", TimesheetSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """The working days of all annotators, the newest first."""
        return {"results": timesheet_of(campaign=campaign)}

    @operation("answer_dispute", TimesheetSerializer, request=DayAnswerSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Answer an annotator's note to a day."""
        body = read(request, DayAnswerSerializer)
        annotator = get_annotator_of(campaign, body["annotator"])
        answer_dispute(campaign=campaign, annotator=annotator, day=body["day"], answer=body["answer"], by=self.account)
        return {"results": timesheet_of(campaign=campaign, annotator=annotator)}


class PausesView(OrganiserView):
    @operation("pauses", PausesSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """How long pauses count as work."""
        return campaign

    @operation("set_pauses", PausesSerializer, request=PausesSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Set how long pauses count as work, from the next page that an annotator opens."""
        body = read(request, PausesSerializer)
        seconds, words = body["pause_seconds"], body["words_per_minute"]
        return set_pauses(campaign=campaign, seconds=seconds, words_per_minute=words, by=self.account)
