"""Test sets: listed, made from an upload, read, scored by metrics."""

from typing import Any

from django.db.models import F, Prefetch
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from drf_spectacular.utils import extend_schema_field

from annotation.actions.housekeeping import delete_test_set, rename_test_set
from campaigns.models import Segment, TestSet, TestSetStatus, Translation
from campaigns.queries import systems_of, test_sets_of
from frontend.access import get_own_test_set_for, get_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.requests import TextUUIDField, read
from frontend.api.runs import RunSerializer, queued
from frontend.api.uploads import UploadedTextsSerializer, uploaded_texts
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation
from frontend.filters import SegmentFilter, TestSetFilter
from jobs.actions import queue_run

TAG = "Test sets"

LONGEST_NAME = 150


class TestSetRequestSerializer(UploadedTextsSerializer):
    __test__ = False

    name = serializers.CharField(max_length=LONGEST_NAME)
    upload = TextUUIDField()


class TestSetSerializer(serializers.Serializer[Any]):
    __test__ = False

    slug = serializers.SlugField()
    name = serializers.CharField()
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    created_at = serializers.DateTimeField()


class SystemSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_human = serializers.BooleanField()


class WholeTestSetSerializer(TestSetSerializer):
    documents = serializers.SerializerMethodField()
    segments = serializers.SerializerMethodField()
    systems = serializers.SerializerMethodField()

    def get_documents(self, test_set: TestSet) -> int:
        return test_set.documents.count()

    def get_segments(self, test_set: TestSet) -> int:
        return Segment.objects.filter(document__test_set=test_set).count()

    @extend_schema_field(SystemSerializer(many=True))
    def get_systems(self, test_set: TestSet) -> Any:
        return systems_of(test_set).order_by("name").values("name", "is_human")


class SegmentSerializer(serializers.Serializer[Any]):
    document = serializers.CharField(source="document.name")
    segment = serializers.CharField(source="name")
    domain = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    references = serializers.SerializerMethodField(help_text="Texts by name.")
    translations = serializers.SerializerMethodField(help_text="Texts by system.")

    def get_references(self, segment: Segment) -> dict[str, str]:
        return {reference.name: reference.text for reference in segment.references.all()}

    def get_translations(self, segment: Segment) -> dict[str, str | None]:
        named: Any = segment.translations.all()
        return {translation.system_name: translation.text for translation in named}


@listed("test_sets", "Test sets I may use", TestSet, TestSetSerializer, TestSetFilter, is_newest_first=True)
class TestSetsView(ListView):
    __test__ = False

    def rows(self, **_place: Any) -> Any:
        return test_sets_of(self.account).filter(status=TestSetStatus.READY)

    @operation("make_test_set", {202: RunSerializer}, request=TestSetRequestSerializer)
    def post(self, request: Request) -> Response:
        """Make a test set from an upload; the run's result names it."""
        account, body, errors = self.creator, read(request, TestSetRequestSerializer), dict[str, list[str]]()
        arguments = {**body, **uploaded_texts(body, account, errors), "test_set": None}
        if errors:
            raise InvalidPayload(errors)
        return queued(queue_run(kind="new_test_set", arguments=arguments, created_by=account), request)


class TestSetNameSerializer(serializers.Serializer[Any]):
    __test__ = False

    name = serializers.CharField()


class TestSetView(ResourceView):
    __test__ = False

    @operation("test_set", WholeTestSetSerializer)
    def get(self, _request: Request, slug: str) -> Any:
        """A test set."""
        return get_test_set_for(self.account, slug)

    @operation("rename_test_set", WholeTestSetSerializer, request=TestSetNameSerializer)
    def patch(self, request: Request, slug: str) -> Any:
        """Rename a test set; its address stays."""
        test_set, body = get_own_test_set_for(self.account, slug), read(request, TestSetNameSerializer)
        return rename_test_set(test_set=test_set, name=body["name"], by=self.account)

    @operation("delete_test_set", nothing_left("It is gone."))
    def delete(self, _request: Request, slug: str) -> None:
        """Delete a test set that no campaign uses."""
        delete_test_set(test_set=get_own_test_set_for(self.account, slug), by=self.account)


@listed(
    "segments", "The texts of a test set: sources, references, translations", Segment, SegmentSerializer, SegmentFilter
)
class SegmentsView(ListView):
    def rows(self, **place: Any) -> Any:
        test_set = get_test_set_for(self.account, place["slug"])
        own = Segment.objects.filter(document__test_set=test_set).select_related("document")
        translations = Translation.objects.annotate(system_name=F("system__name"))
        return own.prefetch_related("references", Prefetch("translations", translations))
