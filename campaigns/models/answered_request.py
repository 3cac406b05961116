from django.conf import settings
from django.db import models


class AnsweredRequest(models.Model):
    """What a program was answered to a request it named, so that the same one sent again changes nothing more."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "key_hash"], name="answered_request_once")]
        indexes = [models.Index(fields=["created_at"], name="answered_request_by_age")]

    def __str__(self) -> str:
        return f"request {self.key_hash[:8]} of {self.account_id}"
