"""The shapes of the annotator's API, in and out. The TypeScript types are generated from them."""

from typing import Any

from rest_framework import serializers

from drf_spectacular.utils import extend_schema_field

from annotation.action_log import MOST_ACTIONS
from annotation.models import PROBLEM_REASONS
from annotation.protocols.base import COMMENT_LIMIT
from annotation.protocols.mark_verdicts import OUTCOMES, MarkVerdict
from exchange.cells import is_in_range
from frontend.api.requests import TextUUIDField
from frontend.workbench import WITHDRAWN, AnswerSerializer, ItemsPageSerializer, StoredAnswerField

HIGHEST_REVISION = 2**31 - 2
LONGEST_MS = 2**53 - 1  # what JavaScript counts exactly; larger values than the database can store are capped there


@extend_schema_field(AnswerSerializer)
class AnswerField(serializers.JSONField):
    """An answer that the protocol is going to check."""


class AssignmentSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    campaign = serializers.SlugField(source="campaign.slug")
    protocol = serializers.CharField(source="campaign.protocol")
    status = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class AssignmentsSerializer(serializers.Serializer[Any]):
    results = AssignmentSerializer(many=True)


class DraftSerializer(serializers.Serializer[Any]):
    answer = AnswerSerializer()
    base_revision = serializers.IntegerField(min_value=0, max_value=HIGHEST_REVISION)


class SubmissionSerializer(serializers.Serializer[Any]):
    """`answer` is checked by the protocol."""

    client_id = TextUUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=HIGHEST_REVISION)
    answer = AnswerField()
    started = serializers.DateTimeField(source="started_at", allow_null=True, default=None)
    elapsed_ms = serializers.IntegerField(min_value=0, max_value=LONGEST_MS, allow_null=True, default=None)
    active_ms = serializers.IntegerField(min_value=0, max_value=LONGEST_MS, allow_null=True, default=None)
    reading_ms = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_MS,
        allow_null=True,
        default=None,
        help_text="The part of `active_ms` in pauses of more than five seconds.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A wrong clock, or one that was set in between, must not cost a judgment: active time is at most the elapsed.

        A start that no time zone can tell (the year 1) is not known.
        """
        if attrs["started_at"] is not None and not is_in_range(attrs["started_at"]):
            attrs["started_at"] = None
        elapsed, active = attrs["elapsed_ms"], attrs["active_ms"]
        if elapsed is not None and active is not None:
            active = attrs["active_ms"] = min(active, elapsed)
        if attrs["reading_ms"] is not None and active is not None:
            attrs["reading_ms"] = min(attrs["reading_ms"], active)
        return attrs


_ONLY_IF_TRUE = ("is_withdrawn", "is_paused", "must_redo", "next")


class ReceiptSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    completion_code = serializers.CharField(allow_null=True)
    is_withdrawn = serializers.BooleanField(required=False, help_text=f"{WITHDRAWN} Absent as long as that is not so.")
    is_paused = serializers.BooleanField(required=False, help_text="The campaign is paused. Absent while it is not.")
    must_redo = serializers.BooleanField(
        required=False,
        help_text="The answers missed an attention check: the same items follow again, as new ones. Absent otherwise.",
    )
    next = ItemsPageSerializer(
        required=False, help_text="The texts after the item that `next_after` named. Absent otherwise."
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(instance)
        return {name: value for name, value in shown.items() if value or name not in _ONLY_IF_TRUE}


class ScreenRowSerializer(SubmissionSerializer):
    item = TextUUIDField()


class ScreenSerializer(serializers.Serializer[Any]):
    judgments = ScreenRowSerializer(many=True)
    actions = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField()),
        max_length=MOST_ACTIONS,
        required=False,
        help_text="What was done since the screen was submitted last: [milliseconds since 1970, name, row from 0, "
        "label of the slot, value], as far as an action has them.",
    )


class ScreenReceiptSerializer(ReceiptSerializer):
    """A receipt as of one judgment, with the revision of each item by its id."""

    revision = None  # type: ignore[assignment] # of each item there is one
    revisions = serializers.DictField(child=serializers.IntegerField(), help_text="By item.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        revisions = {str(item): revision for item, revision in instance["revisions"].items()}
        return super().to_representation({**instance, "revisions": revisions})


class ScreenErrorsSerializer(serializers.Serializer[Any]):
    """What is wrong by item, and there by field; `body` for what belongs to no item."""

    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    )


class NumberVerdictSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField()
    measure = serializers.CharField(help_text="Its title.")
    low = serializers.FloatField()
    high = serializers.FloatField()
    value = serializers.FloatField(allow_null=True)
    is_right = serializers.BooleanField()


class OrderVerdictSerializer(serializers.Serializer[Any]):
    better = serializers.CharField(help_text="The slot that is better than the other.")
    worse = serializers.CharField()
    is_right = serializers.BooleanField(help_text="Whether the answer had it so.")


class TextVerdictSerializer(serializers.Serializer[Any]):
    slot = serializers.CharField()
    given = serializers.CharField(source="text", help_text="What was written; empty where nothing was.")
    accepted = serializers.ListField(child=serializers.CharField())
    is_right = serializers.BooleanField(help_text="But for case, punctuation and spaces.")


class GivenMarkSerializer(serializers.Serializer[Any]):
    """A mark that was given: of a tag, neither start nor end."""

    start = serializers.IntegerField(required=False)
    end = serializers.IntegerField(required=False)
    tag = serializers.CharField(required=False)
    severity = serializers.CharField(required=False)
    category = serializers.CharField(required=False)


class ExpectedMarkSerializer(serializers.Serializer[Any]):
    """`start` and `end` are the lowest and the highest right place, in code points; a tag has none."""

    start = serializers.ListField(child=serializers.IntegerField(), required=False)
    end = serializers.ListField(child=serializers.IntegerField(), required=False)
    tag = serializers.CharField(required=False)
    severity = serializers.CharField(required=False, help_text="Absent where any is right; category as well.")
    category = serializers.CharField(required=False)
    note = serializers.CharField(required=False)


class MarkVerdictSerializer(serializers.Serializer[Any]):
    """An expected mark with the one that was given for it, or one that was not expected."""

    slot = serializers.CharField()
    outcome = serializers.ChoiceField(choices=list(OUTCOMES))
    expected = serializers.SerializerMethodField()
    given = GivenMarkSerializer(allow_null=True)
    is_right = serializers.BooleanField(help_text="A mark too many is not wrong where there are errors to find.")

    @extend_schema_field(ExpectedMarkSerializer(allow_null=True))
    def get_expected(self, verdict: MarkVerdict) -> Any:
        return verdict.expected and verdict.expected.as_json()


class FeedbackSerializer(serializers.Serializer[Any]):
    is_right = serializers.BooleanField(help_text="True, too, where nothing is to be right or wrong.")
    text = serializers.CharField(source="feedback")
    verdicts = NumberVerdictSerializer(source="verdicts.numbers", many=True)
    orders = OrderVerdictSerializer(source="verdicts.orders", many=True)
    texts = TextVerdictSerializer(source="verdicts.texts", many=True)
    marks = MarkVerdictSerializer(source="verdicts.marks", many=True)


class PracticeReceiptSerializer(serializers.Serializer[Any]):
    """A receipt as of a judgment, and what there is to learn."""

    revision = serializers.IntegerField()
    done = serializers.IntegerField(source="progress.answered")
    total = serializers.IntegerField(source="progress.items")
    completion_code = serializers.CharField(allow_null=True)
    feedback = FeedbackSerializer(source="lesson")


class SkippedSerializer(serializers.Serializer[Any]):
    """How far the attempt is; what was skipped is answered, and not right."""

    done = serializers.IntegerField(source="answered")
    total = serializers.IntegerField(source="items")
    right = serializers.IntegerField()


class NewerSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    answer = StoredAnswerField(allow_null=True)


class ScreenConflictSerializer(serializers.Serializer[Any]):
    """Nothing was stored: these items were judged meanwhile."""

    newer = serializers.DictField(child=NewerSerializer(), help_text="By item.")


class ReportSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(choices=list(PROBLEM_REASONS))
    note = serializers.CharField(allow_blank=True, default="", max_length=COMMENT_LIMIT, trim_whitespace=False)
