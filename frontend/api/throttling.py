"""How often an account may ask for what organisers and researchers see. Judging is never throttled."""

from django.conf import settings
from rest_framework.throttling import UserRateThrottle


class AccountThrottle(UserRateThrottle):
    """Requests a minute of one account, counted in each web process by itself."""

    scope = "account"

    def get_rate(self) -> str:
        return f"{settings.API_REQUESTS_PER_MINUTE}/minute"
