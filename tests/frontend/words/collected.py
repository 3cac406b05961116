"""All messages of the code, gathered once for all tests: it takes seconds."""

from functools import cache

from babel.messages.catalog import Catalog

from frontend.words.collecting import collect


@cache
def collected() -> Catalog:
    return collect()
