"""How far the texts of an assignment are served."""

from django.db.models import Count, IntegerField, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Item, ItemLevel

BLOCKS_AT_ONCE = 3
_PAST_ALL = 2**31 - 1


def last_served_block(assignment: int) -> Coalesce:
    """The last text served: the third of those not finished, all where there are fewer."""
    open_blocks = items_to_judge(assignment).filter(revision=0).order_by("block").values("block").distinct()
    third = Subquery(open_blocks[BLOCKS_AT_ONCE - 1 : BLOCKS_AT_ONCE], output_field=IntegerField())
    return Coalesce(third, _PAST_ALL)


def items_to_judge(assignment: int) -> QuerySet[Item]:
    return Item.objects.filter(assignment=assignment).exclude(level=ItemLevel.CONTEXT)


def blocks_in(items: QuerySet[Item]) -> Coalesce:
    """How many texts they are."""
    counted = items.order_by().values("assignment").annotate(blocks=Count("block", distinct=True)).values("blocks")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
