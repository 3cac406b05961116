"""Addresses that leave the site, in files and in people's hands: of the one address it has, not of the request's."""

from django.conf import settings


def site_address(path: str) -> str:
    """`path` begins with a slash."""
    return f"{settings.BASE_URL}{path}"
