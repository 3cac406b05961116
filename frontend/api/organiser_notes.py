"""Organisers' notes for themselves, on annotators and segments."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from annotation.actions.timesheet import LONGEST_NOTE, write_own_note
from annotation.models import OrganiserNote
from campaigns.models import Campaign
from frontend.access import get_annotator_of, get_segment_of
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, operation

TAG = "Work"


class OwnNoteSerializer(serializers.Serializer[Any]):
    """On an annotator or on a segment; only organisers read it."""

    annotator = serializers.CharField(source="annotator.username", allow_null=True, default=None)
    segment = serializers.IntegerField(source="segment_id", allow_null=True)
    text = serializers.CharField(allow_blank=True)
    written_by = serializers.CharField(source="written_by.username", allow_null=True, default=None)
    written_at = serializers.DateTimeField(allow_null=True)


class NoteTextSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, max_length=LONGEST_NOTE, help_text="Empty: removes the note.")


@listed("organiser_notes", "Organisers' notes on annotators and segments", OrganiserNote, OwnNoteSerializer)
class OrganiserNotesView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return campaign.organiser_notes.select_related("annotator", "written_by")


class AnnotatorNoteView(OrganiserView):
    @operation("note_on_annotator", OwnNoteSerializer, request=NoteTextSerializer)
    def put(self, request: Request, campaign: Campaign, username: str) -> Any:
        """Write, change or remove the organisers' note on an annotator."""
        annotator = get_annotator_of(campaign, username)
        text = read(request, NoteTextSerializer)["text"]
        write_own_note(campaign=campaign, by=self.account, text=text, annotator=annotator)
        return _note_on(OrganiserNote(campaign=campaign, annotator=annotator))


class SegmentNoteView(OrganiserView):
    @operation("note_on_segment", OwnNoteSerializer, request=NoteTextSerializer)
    def put(self, request: Request, campaign: Campaign, pk: int) -> Any:
        """Write, change or remove the organisers' note on a segment."""
        segment = get_segment_of(campaign, pk)
        text = read(request, NoteTextSerializer)["text"]
        write_own_note(campaign=campaign, by=self.account, text=text, segment=segment)
        return _note_on(OrganiserNote(campaign=campaign, segment=segment))


def _note_on(place: OrganiserNote) -> OrganiserNote:
    """The stored note; an empty one where it was removed."""
    own = OrganiserNote.objects.filter(campaign=place.campaign, annotator=place.annotator, segment=place.segment)
    return own.select_related("annotator", "written_by").first() or place
