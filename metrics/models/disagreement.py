from django.db import models
from django.db.models import Q

from campaigns.models import Segment, System
from jobs.models import Run


class Disagreement(models.Model):
    """How far apart a run found the judgments of one output, or, where `system` is empty, of all outputs of a segment.

    Of a segment, `spread` and `metric_gap` are those of the output with the widest; `judgments` are all of them.
    `by_spread`, `by_gap` and `by_text` number the rows of each of the two sorts in three orders, so that a page of a
    list costs the same wherever it stands in it.
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
            *(
                models.Index(fields=["run", order], condition=Q(system=None), name=f"segments_{order}")
                for order in ("by_spread", "by_gap", "by_text")
            ),
            *(
                models.Index(fields=["run", order], condition=Q(system__isnull=False), name=f"outputs_{order}")
                for order in ("by_spread", "by_gap", "by_text")
            ),
        ]

    def __str__(self) -> str:
        return f"segment {self.segment_id} in run {self.run_id}"
