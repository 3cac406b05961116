"""Names and routes of the whole site."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


def site_map() -> dict[str, str]:
    return dict(_routes(get_resolver().url_patterns))


def _routes(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or f"({route} has no name)", route
