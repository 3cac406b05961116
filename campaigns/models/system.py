from django.db import models

from campaigns.models.test_set import TestSet


class System(models.Model):
    """A producer of translations; a human reference may be one."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=150)
    is_human = models.BooleanField(default=False)

    class Meta:
        ordering = ["test_set_id", "name"]
        constraints = [models.UniqueConstraint(fields=["test_set", "name"], name="system_name_once")]

    def __str__(self) -> str:
        return self.name
