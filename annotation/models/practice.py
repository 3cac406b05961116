import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models import Campaign, Document, Segment


class PracticeItem(models.Model):
    """A screen to practise on, with texts of its own: nothing of it enters the campaign's judgments.

    `slots` are the texts by label; `questions` those on the text, with their accepted answers. What is right, by label:
    `expected` by measure the lowest and the highest right number, `better` the labels it is better than, `accepted` the
    texts that are a right correction, `marks` the errors that are to be marked (an empty list: there are none).
    `row` counts the items of one screen from 1, in the order of positions; most screens have one. `document` and
    `segment` are the place in the test set whose media, instruction and terms lie beside it; none of its own texts.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="practice_items")
    position = models.PositiveIntegerField()
    source = models.TextField(blank=True)
    reference = models.TextField(blank=True)
    slots = models.JSONField()
    questions = models.JSONField(default=list, blank=True)
    expected = models.JSONField(default=dict, blank=True)
    better = models.JSONField(default=dict, blank=True)
    accepted = models.JSONField(default=dict, blank=True)
    feedback = models.TextField(blank=True)
    row = models.PositiveSmallIntegerField(default=1)
    marks = models.JSONField(default=dict, blank=True)
    instruction = models.TextField(blank=True, help_text="above the screen, with its first item")
    may_skip = models.BooleanField(default=True)
    document = models.ForeignKey(Document, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    segment = models.ForeignKey(Segment, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["campaign_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "position"], name="practice_item_position_once"),
        ]

    @property
    def screen(self) -> int:
        """The position of the first item of its screen."""
        return self.position - self.row + 1

    @property
    def mark_words(self) -> list[tuple[str, str]]:
        """By label what is to be marked; an empty text where nothing is."""
        words = []
        for label, marks in self.marks.items():
            words += [(label, self._words_of(mark, label)) for mark in marks] or [(label, "")]
        return words

    def _words_of(self, mark: dict[str, Any], label: str) -> str:
        start, end = (sum(mark.get(name, (0, 0))) // 2 for name in ("start", "end"))  # in the middle of what is right
        place = mark.get("tag") or f"“{self.slots.get(label, '')[start:end]}”"
        return ", ".join(filter(None, (place, mark.get("severity"), mark.get("category"))))

    def __str__(self) -> str:
        return f"practice item {self.position} of {self.campaign_id}"


class PracticeAnswer(models.Model):
    """The first answer an annotator gave on an item in one attempt: the one that counts. To skip is an answer, too.

    `tries` counts all of them, `right_at` is the first try that was right, `newest_try` keeps one sent twice from
    counting twice.
    """

    item = models.ForeignKey(PracticeItem, on_delete=models.CASCADE, related_name="answers")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    attempt = models.PositiveSmallIntegerField()
    client_id = models.UUIDField(unique=True)
    answer = models.JSONField()
    is_right = models.BooleanField()
    is_skipped = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=1)
    right_at = models.PositiveSmallIntegerField(null=True)
    newest_try = models.UUIDField(null=True)
    submitted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator", "attempt"], name="practice_answer_once_an_attempt"),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="practice_attempt_positive"),
        ]

    def __str__(self) -> str:
        return f"answer to {self.item_id}, attempt {self.attempt}"
