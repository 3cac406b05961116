from django.db import models

from campaigns.models.test_set import TestSet


class StandsFor(models.TextChoices):
    """What is read in place of translations; "" is a system of its own."""

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
