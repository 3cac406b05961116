from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from campaigns.models.invitation import Invitation


class Session(AbstractBaseSession):
    """Somebody signed in on one device, and by what: the session ends with what it came of.

    `invitation` is the link, directly or by way of a password that was set with it. The row of a session that ended
    stays until it would have expired: it tells whose it was, and so what to say to its holder. The key is a secret,
    and not the primary key as with Django: pages and programs name a session by its `id`.
    """

    id = models.BigAutoField(primary_key=True)
    session_key = models.CharField(max_length=40, unique=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="sessions")
    invitation = models.ForeignKey(Invitation, null=True, on_delete=models.CASCADE, related_name="sessions")
    by_password = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"session of {self.account_id}"
