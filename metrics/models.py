"""Numbers that are stored: scores from elsewhere, counts of metrics, what follows from answers, disagreement, flags."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Judgment
from campaigns.models import Segment, System, TestSet, Translation
from jobs.models import Run


class ScoreLevel(models.TextChoices):
    SYSTEM = "system"
    SEGMENT = "segment"


class ImportedScores(models.Model):
    """One metric's scores of one level, brought from elsewhere: from which file, when and by whom.

    Rows come in short batches while `is_whole` is False; nobody reads them before it is True.
    """

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="imported_scores")
    metric = models.CharField(max_length=100)
    level = models.CharField(max_length=10, choices=ScoreLevel)
    higher_is_better = models.BooleanField(default=True)
    references = models.JSONField(default=list, blank=True, help_text="names of those the metric compared with")
    file_name = models.CharField(max_length=255)
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the file")
    is_whole = models.BooleanField(default=False)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["metric", "level"]
        constraints = [
            models.UniqueConstraint(
                fields=["test_set", "metric", "level"], condition=Q(is_whole=True), name="imported_scores_once"
            ),
            models.CheckConstraint(condition=Q(level__in=ScoreLevel.values), name="imported_scores_level_known"),
            models.CheckConstraint(condition=~Q(metric=""), name="imported_scores_named"),
        ]

    def __str__(self) -> str:
        return f"{self.metric}, {self.level}, from {self.file_name}"

    @property
    def signature(self) -> str:
        """What distinguishes these numbers from others of the same name."""
        return f"imported|file:{self.file_name}|sha256:{self.content_hash[:12]}"


class SystemScore(models.Model):
    """An imported metric's score of one system."""

    scores = models.ForeignKey(ImportedScores, on_delete=models.CASCADE, related_name="system_scores")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="imported_scores")
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scores", "system"], name="system_score_once")]

    def __str__(self) -> str:
        return f"{self.value} of {self.system_id}"


class SegmentScore(models.Model):
    """An imported metric's score of one translation."""

    scores = models.ForeignKey(ImportedScores, on_delete=models.CASCADE, related_name="segment_scores")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="segment_scores")
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scores", "translation"], name="segment_score_once")]

    def __str__(self) -> str:
        return f"{self.value} of {self.translation_id}"


class SegmentStatistic(models.Model):
    """A model's sufficient statistics for one translation, stored so that resampling need not score again.

    Other metrics have `SystemCounts`; older versions stored theirs here as well, which is still read.
    """

    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="segment_statistics")
    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500, blank=True)
    texts = models.CharField(max_length=64, blank=True, help_text="hash of what was counted: it and its references")
    values = models.JSONField()
    marks = models.JSONField(null=True, help_text="errors that the metric marks: start, end and severity of each")
    # Equal texts of other test sets get the same counts, unless these came with an archive, which people can change.
    counted_here = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["translation", "metric", "signature"], name="segment_statistic_once"),
        ]
        indexes = [models.Index(fields=["texts", "metric"], name="statistic_of_texts")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.translation_id}"


class SystemCounts(models.Model):
    """A metric's counts of all translations of a system: of a metric that counts fast, so that storing must be fast.

    `texts` and `counts` are packed by `metrics/scoring/packed_counts.py`, one entry a translation.
    """

    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="metric_counts")
    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500, blank=True)
    translations = models.PositiveIntegerField(help_text="how many are counted")
    whole = models.CharField(max_length=64, blank=True, help_text="hash of all that was counted, where it is all")
    texts = models.TextField(help_text="hashes of what was counted: each translation and its references")
    counts = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "metric", "signature"], name="system_counts_once"),
        ]

    def __str__(self) -> str:
        return f"{self.metric} of system {self.system_id}"


class DerivedScore(models.Model):
    """A number that follows from an answer by a formula that may change (HTER, a penalty), with its signature.

    `weight` is what the formula divided by (the words of a post-edit): values of many judgments, each by its weight,
    make the value of the whole.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="derived_scores")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="+")
    slot = models.CharField(max_length=2, default="A")
    measure = models.CharField(max_length=50)
    signature = models.CharField(max_length=500, blank=True)
    value = models.FloatField()
    weight = models.FloatField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "translation", "measure", "signature"], name="derived_score_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.value}"


class Disagreement(models.Model):
    """How far apart a run found the judgments of one output, or, where `system` is empty, of all outputs of a segment.

    Of a segment, `spread` and `metric_gap` are those of the output with the widest; `judgments` are all of them.
    `by_spread`, `by_gap` and `by_text` number the rows of each of the two sorts in three orders, so that every page
    of a list costs the same.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="disagreements")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="disagreements")
    system = models.ForeignKey(System, null=True, on_delete=models.CASCADE, related_name="+")
    judgments = models.PositiveIntegerField(default=0)
    mean = models.FloatField(null=True)
    spread = models.FloatField(null=True, help_text="null with fewer than two judgments of any output")
    metric_gap = models.FloatField(null=True, help_text="share of outputs by which metrics place it higher than people")
    metrics = models.JSONField(default=dict, help_text="metric scores of an output")
    by_spread = models.PositiveIntegerField()
    by_gap = models.PositiveIntegerField()
    by_text = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "segment", "system"], condition=Q(system__isnull=False), name="disagreement_output_once"
            ),
            models.UniqueConstraint(
                fields=["run", "segment"], condition=Q(system=None), name="disagreement_segment_once"
            ),
        ]
        indexes = [
            models.Index(fields=["run", order], condition=condition, name=f"{rows}_{order}")
            for rows, condition in (("segments", Q(system=None)), ("outputs", Q(system__isnull=False)))
            for order in ("by_spread", "by_gap", "by_text")
        ]

    def __str__(self) -> str:
        return f"segment {self.segment_id} in run {self.run_id}"


class OutputValues(models.Model):
    """What a finished analysis by the usual recipe found of each output, for pages that compare large campaigns.

    `packed` is written and read by `metrics/analyses/judged_outputs.py`.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="output_values")
    packed = models.BinaryField()

    def __str__(self) -> str:
        return f"outputs of run {self.run_id}"


class OutputFlag(models.Model):
    """Something that an organiser should look at in an output. Rows of a run are in the order of documents.

    `detail` has the fields of `metrics.flagging.outputs.Flag` that are not empty, with systems by their names.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="output_flags")
    translation = models.ForeignKey(Translation, on_delete=models.CASCADE, related_name="flags")
    name = models.CharField(max_length=20)
    detail = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "translation", "name"], name="output_flag_once")]

    def __str__(self) -> str:
        return f"{self.name} of {self.translation_id}"
