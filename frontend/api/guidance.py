"""What annotators are told beside the texts of a test set: instructions, and terms of glossaries."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from drf_spectacular.utils import OpenApiParameter

from campaigns.actions.text_guidance import (
    INSTRUCTION_LIMIT,
    MOST_TERMS,
    MOST_TRANSLATIONS,
    NOTE_LIMIT,
    TERM_LIMIT,
    GlossaryTerm,
    Scope,
    document_of,
    instruction_error,
    set_glossary,
    set_instruction,
    term_errors,
)
from campaigns.invalid_input import InvalidInput
from campaigns.models import Document, TestSet, TextGuidance
from frontend.access import get_own_test_set_for
from frontend.api.errors import InvalidPayload
from frontend.api.requests import read_what_is_valid, refuse_unknown, unknown_names
from frontend.api.views import ListView, ResourceView, listed, nothing_left, operation
from frontend.filters import GuidanceFilter

TAG = "Test sets"
PLACE = ("document", "domain")


class TextsSerializer(serializers.Serializer[Any]):
    """A document by its name, or a domain; with neither all texts of the test set."""

    document = serializers.CharField(allow_blank=True, default="")
    domain = serializers.CharField(allow_blank=True, default="")


class GlossaryTermSerializer(serializers.Serializer[Any]):
    """Of these, `term` and one of the others must say something."""

    term = serializers.CharField(allow_blank=True, help_text=f"At most {TERM_LIMIT} characters.")
    required = serializers.ListField(  # type: ignore[assignment] # the name of the field in files, too
        child=serializers.CharField(),
        default=list,
        help_text=f"One of these must translate it: at most {MOST_TRANSLATIONS} of at most {TERM_LIMIT} characters.",
    )
    forbidden = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="None of these may translate it; as many, as long."
    )
    note = serializers.CharField(
        allow_blank=True, default="", help_text=f"For annotators; at most {NOTE_LIMIT} characters."
    )

    def to_internal_value(self, data: Any) -> GlossaryTerm:
        """A misspelt part is refused: it would be lost."""
        unknown = unknown_names(data, self.fields) if isinstance(data, Mapping) else {}
        try:
            term = GlossaryTerm(**super().to_internal_value(data))
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**unknown, **_by_part(error)}) from error
        if errors := {**unknown, **{part: [message] for part, message in term_errors(term).items()}}:
            raise serializers.ValidationError(errors)
        return term


class TermsField(serializers.ListField):
    """Every problem of every term, by its place in the list; a term twice is one."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"child": GlossaryTermSerializer(), "max_length": MOST_TERMS, **given})

    def run_child_validation(self, data: list[Any]) -> list[GlossaryTerm]:
        again = _("The glossary has this term already. Change it there.")
        errors: dict[Any, Any] = {place: {"term": [again]} for place in _repeated(data)}
        terms: list[GlossaryTerm] = []
        try:
            terms = super().run_child_validation(data)
        except serializers.ValidationError as error:
            for place, wrong in _by_part(error).items():
                errors[place] = {**errors.get(place, {}), **wrong}
        if errors:
            raise serializers.ValidationError(dict(sorted(errors.items())))
        return terms


class InstructionRequestSerializer(TextsSerializer):
    instruction = serializers.CharField(
        allow_blank=True, help_text=f"At most {INSTRUCTION_LIMIT} characters; an empty text takes it away."
    )

    def validate_instruction(self, text: str) -> str:
        if error := instruction_error(text):
            raise serializers.ValidationError(error)
        return text


class TermsRequestSerializer(TextsSerializer):
    terms = TermsField(help_text="All terms of these texts; none takes the glossary away.")


class GuidanceSerializer(serializers.Serializer[Any]):
    """Both names are empty for all texts of the test set."""

    document = serializers.CharField(source="document.name", default="")
    domain = serializers.CharField()
    instruction = serializers.CharField()
    terms = serializers.ListField(child=GlossaryTermSerializer(), source="glossary")


@listed("guidance", "Instructions and terms of a test set", TextGuidance, GuidanceSerializer, GuidanceFilter)
class GuidanceView(ListView):
    def rows(self, **place: Any) -> Any:
        test_set = get_own_test_set_for(self.account, place["slug"])
        return TextGuidance.objects.filter(test_set=test_set).select_related("document")


class InstructionView(ResourceView):
    @operation("set_instruction", GuidanceSerializer, request=InstructionRequestSerializer)
    def put(self, request: Request, slug: str) -> Any:
        """Set the instruction for a test set, a domain or a document.

        The nearest one counts: a document's own, else that of its domain, else that of the test set.
        """
        test_set = get_own_test_set_for(self.account, slug)
        body, scope, document = _read(request, InstructionRequestSerializer, test_set)
        told = set_instruction(test_set=test_set, scope=scope, text=body["instruction"], by=self.account)
        return told or TextGuidance(test_set=test_set, document=document, domain=scope.domain)

    @operation(
        "remove_instruction",
        nothing_left("There is none any more; terms stay."),
        parameters=[OpenApiParameter(name, str) for name in PLACE],
    )
    def delete(self, request: Request, slug: str) -> None:
        """Take an instruction away."""
        test_set = get_own_test_set_for(self.account, slug)
        refuse_unknown(request, PLACE)
        filled = TextsSerializer(data=request.query_params)
        filled.is_valid(raise_exception=True)
        set_instruction(test_set=test_set, scope=Scope(**filled.validated_data), text="", by=self.account)


class TermsView(ResourceView):
    @operation("set_terms", GuidanceSerializer, request=TermsRequestSerializer)
    def put(self, request: Request, slug: str) -> Any:
        """Replace the terms for a test set, a domain or a document.

        All problems are told at once, each by its place, such as `terms.0.required`; then nothing is changed.
        """
        test_set = get_own_test_set_for(self.account, slug)
        body, scope, document = _read(request, TermsRequestSerializer, test_set)
        told = set_glossary(test_set=test_set, scope=scope, terms=body["terms"], by=self.account)
        return told or TextGuidance(test_set=test_set, document=document, domain=scope.domain)


def _read(
    request: Request, serializer: type[TextsSerializer], test_set: TestSet
) -> tuple[Mapping[str, Any], Scope, Document | None]:
    """What is said, and for which texts; every problem of both."""
    body, errors = read_what_is_valid(request, serializer)
    scope, document = Scope(body.get("document", ""), body.get("domain", "")), None
    try:
        document = document_of(test_set, scope)
    except InvalidInput as error:
        errors = {**error.errors, **errors}
    if errors:
        raise InvalidPayload(errors)
    return body, scope, document


def _repeated(sent: Sequence[Any]) -> list[int]:
    """Places of terms that stand before in the list."""
    seen: set[str] = set()
    places = []
    for place, each in enumerate(sent):
        name = each.get("term") if isinstance(each, Mapping) else None
        key = name.strip().casefold() if isinstance(name, str) else ""
        if key and key in seen:
            places.append(place)
        seen.add(key)
    return places


def _by_part(error: serializers.ValidationError) -> dict[Any, Any]:
    return error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
