"""Test sets: texts, their translations and what came with them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class TestSetStatus(models.TextChoices):
    __test__ = False  # as below

    LOADING = "loading"
    READY = "ready"


class TestSet(models.Model):
    """Documents, references and systems of one language pair; several campaigns may share it."""

    __test__ = False  # the name is the field's, not a test case's

    name = models.CharField(max_length=150, unique=True)
    slug = models.SlugField(max_length=160, unique=True)
    source_language = models.CharField(max_length=35)  # BCP 47
    target_language = models.CharField(max_length=35)  # BCP 47
    status = models.CharField(max_length=10, choices=TestSetStatus, default=TestSetStatus.LOADING)
    content_hash = models.CharField(max_length=64, blank=True)  # SHA-256 of the imported files
    format = models.CharField(max_length=20, blank=True)
    report = models.JSONField(default=dict, blank=True)  # what the import counted and left out
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=TestSetStatus.values), name="test_set_status_known"),
            models.CheckConstraint(condition=~models.Q(name=""), name="test_set_named"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def gaps(self) -> dict[str, int]:
        """By system the segments without its output, as its files were imported."""
        return dict(self.report.get("gaps", {}))


class Document(models.Model):
    """An ordered text; `name` is the file's, `title` what people read above it."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=255)
    title = models.CharField(max_length=255, blank=True)
    position = models.PositiveIntegerField()
    domain = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["test_set_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="document_name_once"),
            models.UniqueConstraint(fields=["test_set", "position"], name="document_position_once"),
        ]

    def __str__(self) -> str:
        return self.title or self.name


class Segment(models.Model):
    """A unit of a document. `source` is null where judgments came without texts."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="segments")
    name = models.CharField(max_length=255)  # as in the file
    position = models.PositiveIntegerField()
    source = models.TextField(null=True)  # noqa: DJ001 - an empty source and an absent one differ
    domain = models.CharField(max_length=100, blank=True)
    tags = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["document_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "name"], name="segment_name_once"),
            models.UniqueConstraint(fields=["document", "position"], name="segment_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}:{self.name}"


class Reference(models.Model):
    """A human translation given as such; `name` tells several apart (`A` when the file named none)."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="references")
    name = models.CharField(max_length=100, default="A")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "name"], name="reference_name_once")]

    def __str__(self) -> str:
        return f"{self.segment_id} {self.name}"


class StandsFor(models.TextChoices):
    """Texts that are read like translations; "" is a normal system."""

    SOURCE = "source"
    REFERENCE = "reference"


class System(models.Model):
    """A producer of translations; a human reference may be one.

    One that `stands_for` the source or the reference has no translations: it is these texts, read as a system's are.
    """

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=150)
    is_human = models.BooleanField(default=False)
    stands_for = models.CharField(max_length=10, choices=StandsFor, blank=True)

    class Meta:
        ordering = ["test_set_id", "name"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="system_name_once"),
            models.UniqueConstraint(
                fields=["test_set", "stands_for"], condition=~models.Q(stands_for=""), name="system_stand_in_once"
            ),
            models.CheckConstraint(
                condition=models.Q(stands_for__in=["", *StandsFor.values]), name="system_stands_for_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Translation(models.Model):
    """One system's output for one segment. `text` is null where judgments came without texts.

    `alignment` has pairs of token numbers, source and translation (`0-0 1-2`); null where none came with the text.
    """

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="translations", db_index=False)
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="translations")
    text = models.TextField(null=True)  # noqa: DJ001 - an empty output and an absent one differ
    alignment = models.TextField(null=True)  # noqa: DJ001 - one without pairs and an absent one differ

    class Meta:
        constraints = [models.UniqueConstraint(fields=["segment", "system"], name="translation_once")]

    def __str__(self) -> str:
        return f"{self.segment_id} by {self.system_id}"


class SuggestedSpan(models.Model):
    """An error span that came with the test set, offered to annotators; half-open, in code points."""

    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="suggested_spans")
    side = models.CharField(max_length=6, choices=[("source", "source"), ("target", "target")], default="target")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    category = models.CharField(max_length=150, blank=True)
    severity = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="suggested_span_forward"),
            models.CheckConstraint(condition=Q(side__in=["source", "target"]), name="suggested_span_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.translation_id}[{self.start}:{self.end}]"


class QuestionKind(models.TextChoices):
    CHOICE = "choice"
    TEXT = "text"


class Question(models.Model):
    """A comprehension question on a document; `accepted` never leaves the server for an annotator."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="questions")
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=QuestionKind)
    text = models.TextField()
    choices = models.JSONField(default=list, blank=True)
    accepted = models.JSONField(default=list)

    class Meta:
        ordering = ["document_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["document", "name"], name="question_name_once"),
            models.CheckConstraint(condition=models.Q(kind__in=QuestionKind.values), name="question_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}:{self.name}"
