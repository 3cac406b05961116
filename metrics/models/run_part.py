from django.db import models

from metrics.models.run import Run


class RunPart(models.Model):
    """One analysis of a run that made several: a page reads the part it shows, however long the others are."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="parts")
    name = models.CharField(max_length=40)
    result = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="run_part_once")]

    def __str__(self) -> str:
        return f"{self.name} of run {self.run_id}"
