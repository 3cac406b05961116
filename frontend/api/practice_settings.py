"""The practice items of a campaign, as its organiser sets them."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request

from drf_spectacular.utils import extend_schema_field

from annotation.actions.practising import MOST_ATTEMPTS, MOST_ITEMS, lesson_on, set_practice
from annotation.models import PracticeAnswer, PracticeItem
from annotation.queries.practice import practice_by_annotator, protocol_of, shown_item
from campaigns.models import Campaign
from exchange.formats.practice_lines import read_practice
from exchange.reading import ImportFileError
from frontend.access import get_practice_item_of
from frontend.api.errors import InvalidPayload
from frontend.api.judging_shapes import FeedbackSerializer
from frontend.api.requests import read
from frontend.api.views import ListView, OrganiserView, listed, operation
from frontend.workbench import AnswerSerializer

TAG = "Practice"


class PracticeRequestSerializer(serializers.Serializer[Any]):
    items = serializers.ListField(
        child=serializers.DictField(), max_length=MOST_ITEMS, help_text="As docs/formats.md describes a line each."
    )
    pass_mark = serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, default=None, help_text="Null: practice is offered, not required."
    )
    attempts = serializers.IntegerField(min_value=1, max_value=MOST_ATTEMPTS, default=3)


class PractisedSerializer(serializers.Serializer[Any]):
    """Of the current attempt; first answers count."""

    annotator = serializers.CharField(source="account.username")
    attempt = serializers.IntegerField()
    answered = serializers.IntegerField()
    right = serializers.IntegerField()
    qualified_at = serializers.DateTimeField(allow_null=True)
    passed_at_attempt = serializers.IntegerField(allow_null=True)
    skipped = serializers.ListField(child=serializers.IntegerField(), help_text="Which items, by their position.")


class PracticeSettingsSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField(source="practice_items.count")
    pass_mark = serializers.FloatField(allow_null=True)
    attempts = serializers.IntegerField(source="practice_attempts")
    annotators = serializers.SerializerMethodField()

    @extend_schema_field(PractisedSerializer(many=True))
    def get_annotators(self, campaign: Campaign) -> Any:
        return PractisedSerializer(practice_by_annotator(campaign), many=True).data


class PracticeAnswerSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="annotator.username")
    attempt = serializers.IntegerField()
    item = serializers.IntegerField(source="item.position")
    screen = serializers.IntegerField(source="item.screen", help_text="The first item shown together with it.")
    is_right = serializers.BooleanField()
    is_skipped = serializers.BooleanField()
    tries = serializers.IntegerField(help_text="0 for what was only skipped.")
    right_at = serializers.IntegerField(allow_null=True, help_text="The first try that was right.")
    submitted_at = serializers.DateTimeField()


class PracticeSettingsView(OrganiserView):
    @operation("practice", PracticeSettingsSerializer)
    def get(self, _request: Request, campaign: Campaign) -> Any:
        """Practice settings, and how far annotators are."""
        return campaign

    @operation("set_practice", PracticeSettingsSerializer, request=PracticeRequestSerializer)
    def put(self, request: Request, campaign: Campaign) -> Any:
        """Replace the practice items; annotators who have passed stay qualified."""
        body = read(request, PracticeRequestSerializer)
        return set_practice(
            campaign=campaign,
            items=_records(body["items"], campaign),
            pass_mark=body["pass_mark"],
            attempts=body["attempts"],
            by=self.account,
        )


class PracticeTrialSerializer(serializers.Serializer[Any]):
    answer = AnswerSerializer()


class PracticeTrialView(OrganiserView):
    @operation("try_practice", FeedbackSerializer, request=PracticeTrialSerializer, is_repeatable=True)
    def post(self, request: Request, campaign: Campaign, item: UUID) -> Any:
        """What an annotator is told who answers a practice item so; nothing is stored."""
        practised, protocol = get_practice_item_of(campaign, item), protocol_of(campaign)
        body = read(request, PracticeTrialSerializer)
        answer = protocol.parse_answer(body["answer"], shown_item(practised, protocol))
        return lesson_on(practised, answer, campaign)


@listed("practice_answers", "First answers of every attempt at practice", PracticeAnswer, PracticeAnswerSerializer)
class PracticeResultsView(OrganiserView, ListView):
    def rows(self, campaign: Campaign) -> Any:
        return PracticeAnswer.objects.filter(item__campaign=campaign).select_related("annotator", "item")


def _records(items: Sequence[dict[str, Any]], campaign: Campaign) -> list[PracticeItem]:
    """Checked like the lines of a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as stored:
        stored.writelines(f"{json.dumps(item, ensure_ascii=False)}\n" for item in items)
        stored.flush()
        try:
            return read_practice(Path(stored.name), "items", protocol_of(campaign), campaign.test_set)
        except ImportFileError as error:
            raise InvalidPayload({"items": str(error).splitlines()}) from error
