"""The judging page's data, and its items as JSON, for the preview page and the API."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _
from rest_framework import serializers

from drf_spectacular.utils import extend_schema_field

from annotation.models import PROBLEM_REASONS
from annotation.protocols import protocol_for
from annotation.protocols.base import CANNOT_JUDGE_REASONS, COMMENT_LIMIT, Text
from campaigns.actions.desk_settings import desk_settings_of
from campaigns.guideline_text import render_markdown
from campaigns.languages import language_direction, language_name
from campaigns.models import Account, Campaign, Medium
from frontend.words.catalogues import script_words

REDO = gettext_noop(
    "It was an attention check, and your scores or marks do not fit these translations. Read them once more. Your "
    "first answer stays on record."
)
REASON_LIMIT = 30
OF_SOME_ITEMS = ("skippable", "instruction", "media", "beside")
OF_SCREENS = ("screens_done", "screens_total")
SCREENS = "Texts of the assignment, where each is submitted as one. Absent elsewhere."
WITHDRAWN = "The rest was given to others: answers are stored as surplus."


def workbench_data(
    assignment: int | str, campaign: Campaign, account: Account, *, review: bool = False, redo: Sequence[str] = ()
) -> dict[str, Any]:
    """`assignment` is what the script asks the API for: a number, or the practice of a campaign.

    `redo` are the items of a screen that must be judged again, with a note that says why.
    """
    protocol = protocol_for(campaign.protocol, campaign.options)
    return {
        "assignment": assignment,
        "account": account.pk,
        "campaign": {
            "name": campaign.name,
            "slug": campaign.slug,
            "planning": campaign.planning,
            "protocol": protocol.name,
            "title": str(protocol.title),
            "options": asdict(protocol.options),
        },
        "source": _language(campaign.test_set.source_language),
        "target": _language(campaign.test_set.target_language),
        "guidelines": render_markdown(campaign.guidelines),
        "single_keys": account.single_keys,
        "desk_settings": asdict(desk_settings_of(account)),
        "pauses": [campaign.pause_seconds, campaign.words_per_minute],
        "review": review,
        "redo": {"items": list(redo), "title": _("Please judge this screen again."), "text": _(REDO)} if redo else None,
        "urls": {
            "api": "/api/v1/",
            "home": reverse("home"),
            "sign_in": reverse("sign-in"),
            "settings": reverse("settings"),
            "desk": reverse("settings-desk"),
            "guidelines": reverse("annotator-guidelines", args=[campaign.slug]),
            "media": media_address(assignment, campaign),
            "done": reverse("annotator-done", args=[assignment]) if isinstance(assignment, int) else None,
        },
        "beside": [static("build/beside.js"), static("css/beside.css")],
        "desk": [static("build/desk.js"), static("css/desk.css")],
        "reasons": {"cannot_judge": _words(CANNOT_JUDGE_REASONS), "report": _words(PROBLEM_REASONS)},
        "catalogue": script_words(get_language() or ""),
    }


def media_address(assignment: int | str, campaign: Campaign) -> str | None:
    """Below it are the files beside the texts: of an assignment or practice for annotators, else for who runs it.

    None where the texts have none: then the page does without the script that shows them.
    """
    if not Medium.objects.filter(document__test_set=campaign.test_set_id).exists():
        return None
    if isinstance(assignment, int):
        return f"{reverse('annotator-assignment', args=[assignment])}media/"
    if assignment.startswith("practice:"):
        return f"{reverse('annotator-practice', args=[campaign.slug])}media/"
    return f"/campaigns/{campaign.slug}/media/"


def _language(tag: str) -> dict[str, str]:
    return {"language": tag, "name": language_name(tag), "direction": language_direction(tag)}


def _words(texts: Mapping[str, Text]) -> dict[str, str]:
    return {key: str(text) for key, text in texts.items()}


class AnswerSerializer(serializers.Serializer[Any]):
    """`slots` goes by the labels shown; what is in each is the protocol's. `cannot_judge`: a reason in its place."""

    slots = serializers.DictField(child=serializers.DictField(), default=dict)
    comment = serializers.CharField(allow_blank=True, default="", max_length=COMMENT_LIMIT, trim_whitespace=False)
    cannot_judge = serializers.CharField(allow_null=True, default=None, max_length=REASON_LIMIT)


@extend_schema_field(AnswerSerializer(allow_null=True))
class StoredAnswerField(serializers.JSONField):
    """An answer or a draft as it was entered; null when there is none."""


@extend_schema_field({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}})
class RangesField(serializers.ListField):
    """Pairs of bounds."""


class ShownTextSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField(source="label")
    text = serializers.CharField(allow_null=True)
    columns = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,  # of pages that a device stored before
        help_text="Which columns it fills, from 1: several where their outputs are the same.",
    )
    alignment = serializers.CharField(
        required=False,
        help_text="Pairs of token numbers, of the source and of this text, from 0 (`0-0 1-2`); tokens are parted by "
        "white space. Absent where the test set has none.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in shown.items() if name != "alignment" or value is not None}


class SuggestedSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField()
    suggestion = serializers.IntegerField(help_text="Its number within the slot, which a span that began as it keeps.")
    side = serializers.ChoiceField(choices=["source", "target"])
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    severity = serializers.CharField()


class QuestionSerializer(serializers.Serializer[Any]):
    """Asked about the text; without choices the answer is typed."""

    name = serializers.CharField()
    text = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())


class MediumSerializer(serializers.Serializer[Any]):
    file = serializers.CharField(help_text="The last part of its address, below `media/` of the assignment's page.")
    kind = serializers.ChoiceField(choices=["picture", "audio", "video"])
    type = serializers.CharField()
    width = serializers.IntegerField(allow_null=True)
    height = serializers.IntegerField(allow_null=True)
    duration_ms = serializers.IntegerField(allow_null=True)
    alt = serializers.CharField()
    name = serializers.CharField(help_text="What a message calls it.")
    has_captions = serializers.BooleanField()
    of_document = serializers.BooleanField(help_text="Beside the whole document, not beside one of its segments.")


class CodeSerializer(serializers.Serializer[Any]):
    """A placeholder, tag or key: half-open, in code points."""

    kind = serializers.CharField(help_text="`key` or `code`.")
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class TermSerializer(serializers.Serializer[Any]):
    """A term that the source has, with its translations."""

    term = serializers.CharField()
    required = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    forbidden = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField()


class OutputHitsSerializer(serializers.Serializer[Any]):
    required = RangesField()  # type: ignore[assignment]
    forbidden = RangesField()


class TermHitsSerializer(serializers.Serializer[Any]):
    """Ranges are half-open, in code points; `outputs` are in the order of the slots."""

    term = TermSerializer()
    source = RangesField()  # type: ignore[assignment]
    outputs = OutputHitsSerializer(many=True)


class BesideSerializer(serializers.Serializer[Any]):
    """`codes` of the source are under the empty slot; `lost` are those of the source that an output does not have."""

    codes = serializers.DictField(child=CodeSerializer(many=True), help_text="By slot.")
    lost = serializers.DictField(child=serializers.ListField(child=serializers.CharField()), help_text="By slot.")
    terms = TermHitsSerializer(many=True)


class ItemSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    document = serializers.CharField(help_text="Items of one value stand together as one text.")
    title = serializers.CharField()
    level = serializers.ChoiceField(choices=["segment", "document"], source="shown.level")
    position = serializers.IntegerField(help_text="Orders items and context within the assignment.")
    source = serializers.CharField(allow_null=True, source="shown.source")  # type: ignore[assignment]
    reference = serializers.CharField(allow_null=True, source="shown.reference")
    slots = ShownTextSerializer(many=True, source="shown.slots")
    questions = QuestionSerializer(many=True, source="shown.questions")
    suggested = SuggestedSerializer(many=True, source="shown.suggested")
    draft = StoredAnswerField(allow_null=True)
    answer = StoredAnswerField(allow_null=True)
    revision = serializers.IntegerField()
    instruction = serializers.CharField(
        required=False, help_text="What is told above the text, with its first item. Absent where there is none."
    )

    skippable = serializers.BooleanField(
        required=False, help_text="In practice: its screen can be skipped. Absent otherwise."
    )
    media = MediumSerializer(
        many=True, required=False, help_text="What lies beside the text: pictures, audio, video. Absent without any."
    )
    beside = BesideSerializer(required=False, help_text="Absent where there is nothing to tell.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in shown.items() if value or name not in OF_SOME_ITEMS}


class ContextSerializer(serializers.Serializer[Any]):
    document = serializers.CharField()
    position = serializers.IntegerField()
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    reference = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)


class ItemsPageSerializer(serializers.Serializer[Any]):
    items = ItemSerializer(many=True)
    context = ContextSerializer(many=True)  # type: ignore[assignment]
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    completion_code = serializers.CharField(allow_null=True)
    is_withdrawn = serializers.BooleanField(help_text=WITHDRAWN)
    has_more = serializers.BooleanField(help_text="Further texts follow; they are served as these are finished.")
    screens_done = serializers.IntegerField(required=False, help_text=SCREENS)
    screens_total = serializers.IntegerField(required=False, help_text=SCREENS)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in shown.items() if value is not None or name not in OF_SCREENS}
