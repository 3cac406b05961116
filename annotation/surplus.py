"""Judgments beyond what was asked: stored like all others, left out of analyses unless a recipe counts them."""

from django.db.models import BooleanField, ExpressionWrapper, Q

from annotation.models import AssignmentStatus


def is_surplus(judgment: str = "") -> "ExpressionWrapper[Q]":
    """Marked as such, or of an assignment that was archived to be done anew; `judgment` is the way to it, with `__`."""
    archived = {f"{judgment}item__assignment__status": AssignmentStatus.ARCHIVED}
    return ExpressionWrapper(Q(**{f"{judgment}surplus": True}) | Q(**archived), output_field=BooleanField())
