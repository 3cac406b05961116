"""The address of the page that is read, with some of what it asks for changed."""

from django.http import QueryDict


def changed(query: QueryDict, **changes: str) -> str:
    """What stands after the question mark; what is changed to nothing is taken out, all else stays as it is."""
    made = query.copy()
    for name, value in changes.items():
        made[name] = value
        if not value:
            del made[name]
    return made.urlencode()
