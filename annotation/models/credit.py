from django.db import models

from annotation.models.slot import Slot
from campaigns.models import System, Translation


class Credit(models.Model):
    """A further system whose output is identical to a slot's, so that the slot's judgment counts for it too.

    A document-level credit names the system alone.
    """

    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="credits")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="+")
    translation = models.ForeignKey(Translation, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slot", "system"], name="credit_once")]

    def __str__(self) -> str:
        return f"{self.slot_id} also {self.system_id}"
