"""Flags of a campaign's outputs: listed as on the page, looked for by a run."""

import base64
import binascii
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from campaigns.models import Campaign
from frontend.access import HIGHEST_KEY
from frontend.api.errors import InvalidPayload, messages_by_field
from frontend.api.requests import refuse_unknown
from frontend.api.runs import RunSerializer, queued
from frontend.api.segments import address_with_cursor
from frontend.api.views import MOST_ROWS, ReaderView, no_cursor, operation, whole_number
from frontend.flag_form import FlagForm
from jobs.models import Run
from metrics.flag_runs import is_outdated, newest_flags, request_flags
from metrics.flagged_outputs import TITLES, counts_by_system, detail_of, flagged_outputs, in_words
from metrics.models import OutputFlag

TAG = "Flags"
ON_A_PAGE = 100
FILTERS = [
    OpenApiParameter("flag", OpenApiTypes.STR, enum=list(TITLES)),
    OpenApiParameter("system", OpenApiTypes.STR),
    OpenApiParameter("document", OpenApiTypes.STR),
    OpenApiParameter("cursor", OpenApiTypes.STR, description="As `next` of a page has it."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"By default {ON_A_PAGE} rows, at most {MOST_ROWS}."),
]


class FlagSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(source="translation.segment.document.name")
    segment = serializers.CharField(source="translation.segment.name")
    segment_id = serializers.IntegerField(source="translation.segment_id")
    system = serializers.CharField(source="translation.system.name")
    flag = serializers.ChoiceField(source="name", choices=list(TITLES))
    what = serializers.SerializerMethodField(help_text="What exactly, in words.")
    expected = serializers.SerializerMethodField(help_text="A language.")
    found = serializers.SerializerMethodField(help_text="A language; of `cut`, `short` or `end`.")
    share = serializers.SerializerMethodField(
        help_text="How sure the language is, how many words are equal, how much of the expected length there is."
    )
    missing = serializers.SerializerMethodField(help_text="Numbers or codes of the source.")
    added = serializers.SerializerMethodField(help_text="Numbers or codes that the source does not have.")
    systems = serializers.SerializerMethodField(help_text="Those with the same text.")

    def get_what(self, row: OutputFlag) -> str:
        return in_words(row)

    def get_expected(self, row: OutputFlag) -> str:
        return detail_of(row).expected

    def get_found(self, row: OutputFlag) -> str:
        return detail_of(row).found

    def get_share(self, row: OutputFlag) -> float | None:
        return detail_of(row).share

    def get_missing(self, row: OutputFlag) -> list[str]:
        return list(detail_of(row).missing)

    def get_added(self, row: OutputFlag) -> list[str]:
        return list(detail_of(row).added)

    def get_systems(self, row: OutputFlag) -> list[str]:
        return list(detail_of(row).systems)


class FlagPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    run = serializers.IntegerField(allow_null=True, help_text="The one that looked for them; null: none has yet.")
    is_stale = serializers.BooleanField(help_text="Outputs were added since.")
    systems = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="By system the number of each flag, whatever is listed.",
    )
    results = FlagSerializer(many=True)


class FlagsView(ReaderView):
    @operation("flags", FlagPageSerializer, parameters=FILTERS)
    def get(self, request: Request, campaign: Campaign) -> Any:
        """Flags of outputs, in the order of documents."""
        refuse_unknown(request, [filter.name for filter in FILTERS])
        size = whole_number(request, "page_size", usual=ON_A_PAGE, most=MOST_ROWS)
        form = FlagForm(campaign, request.query_params)
        if not form.is_valid():
            raise InvalidPayload(messages_by_field(form.errors))
        run, after = _from_cursor(request, campaign)
        if run is None:
            return {"next": None, "run": None, "is_stale": False, "systems": {}, "results": []}
        rows = list(flagged_outputs(campaign, run, form.choice).filter(pk__gt=after)[: size + 1])
        return {
            "next": address_with_cursor(request, f"{run.pk}.{rows[size - 1].pk}") if len(rows) > size else None,
            "run": run.pk,
            "is_stale": is_outdated(run),
            "systems": counts_by_system(campaign, run),
            "results": rows[:size],
        }


class FlagRunsView(ReaderView):
    @operation("look_for_flags", {202: RunSerializer, 200: RunSerializer})
    def post(self, request: Request, campaign: Campaign) -> Response:
        """Look for flags in all outputs of the test set, unless a run is doing so."""
        run, is_new = request_flags(campaign.test_set, self.account)
        return queued(run, request, is_new=is_new)


def _from_cursor(request: Request, campaign: Campaign) -> tuple[Run | None, int]:
    """The newest run and where to go on; rows of an older run are gone."""
    newest = newest_flags(campaign.test_set)
    text = request.query_params.get("cursor")
    if text is None:
        return newest, 0
    try:
        run, after = map(int, base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").split("."))
    except (ValueError, binascii.Error) as error:
        raise no_cursor() from error
    if newest is None or newest.pk != run:
        raise no_cursor()
    return newest, min(max(after, 0), HIGHEST_KEY)
