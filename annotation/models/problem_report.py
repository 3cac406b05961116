from django.conf import settings
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models.item import Item

PROBLEM_REASONS: dict[str, Promise] = {
    "wrong_source": _("The source is damaged or incomplete"),
    "wrong_reference": _("The reference does not belong to this source"),
    "mixed_up": _("Source and translation are of different segments"),
    "display": _("The text is not displayed properly"),
    "offensive": _("The translation is offensive or biased"),
    "private": _("The text contains private information"),
    "other": _("Something else (explain in the note)"),
}


class ProblemReport(models.Model):
    """An annotator's word that something is wrong with an item."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="problem_reports")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=30)
    note = models.TextField(blank=True)
    reported_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.reason} on {self.item_id}"
