"""What annotators practise on, as its organiser sets it."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import extend_schema_field

from annotation.actions.practising import MOST_ATTEMPTS, PracticeRecord, set_practice
from annotation.models import PracticeAnswer
from annotation.queries.practice import practice_by_annotator, protocol_of
from campaigns.models import Campaign
from exchange.formats.practice_lines import MOST_ITEMS, read_practice
from exchange.reading import ImportFileError
from frontend.access import RUNS_IT, get_campaign_for
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read
from frontend.api.views import ListView, ResourceView, listed, operation


class PracticeWishSerializer(serializers.Serializer[Any]):
    items = serializers.ListField(
        child=serializers.DictField(), max_length=MOST_ITEMS, help_text="As docs/formats.md describes a line each."
    )
    pass_mark = serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, default=None, help_text="Null: practice is offered, not asked."
    )
    attempts = serializers.IntegerField(min_value=1, max_value=MOST_ATTEMPTS, default=3)


class PractisedSerializer(serializers.Serializer[Any]):
    """In the attempt in hand; first answers count."""

    annotator = serializers.CharField(source="account.username")
    attempt = serializers.IntegerField()
    answered = serializers.IntegerField()
    right = serializers.IntegerField()
    qualified_at = serializers.DateTimeField(allow_null=True)


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
    is_right = serializers.BooleanField()
    submitted_at = serializers.DateTimeField()


class PracticeSettingsView(ResourceView):
    @operation("practice", "Practice settings, and how far annotators are", PracticeSettingsSerializer)
    def get(self, _request: Request, slug: str) -> Response:
        return Response(PracticeSettingsSerializer(get_campaign_for(self.account, slug, *RUNS_IT)).data)

    @operation(
        "set_practice",
        "Replace the practice items; annotators who have passed stay qualified",
        PracticeSettingsSerializer,
        request=PracticeWishSerializer,
    )
    def put(self, request: Request, slug: str) -> Response:
        campaign = get_campaign_for(self.account, slug, *RUNS_IT)
        body = read(request, PracticeWishSerializer)
        changed = set_practice(
            campaign=campaign,
            records=_records(body["items"], campaign),
            pass_mark=body["pass_mark"],
            attempts=body["attempts"],
            by=self.account,
        )
        return Response(PracticeSettingsSerializer(changed).data)


@listed("practice_answers", "First answers of every attempt at practice", PracticeAnswer, PracticeAnswerSerializer)
class PracticeResultsView(ListView):
    def rows(self, **place: Any) -> Any:
        campaign = get_campaign_for(self.account, place["slug"], *RUNS_IT)
        return PracticeAnswer.objects.filter(item__campaign=campaign).select_related("annotator", "item")


def _records(items: Sequence[dict[str, Any]], campaign: Campaign) -> list[PracticeRecord]:
    """Checked as the lines of a file are."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as stored:
        stored.writelines(f"{json.dumps(item, ensure_ascii=False)}\n" for item in items)
        stored.flush()
        try:
            return read_practice(Path(stored.name), "items", protocol_of(campaign))
        except ImportFileError as error:
            raise InvalidPayload({"items": str(error).splitlines()}) from error
