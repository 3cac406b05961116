"""What a plan that is added to a campaign must know: who knows which documents, and which contents there are."""

from collections import defaultdict

from django.db.models import Max, Q

from annotation.models import IN_HAND, Assignment, AssignmentStatus, Exclusion, Item, ItemLevel
from campaigns.models import Campaign, Membership


def judges_of_documents(campaign: Campaign) -> dict[int, set[int]]:
    """By document the annotators who judged something of it, or have it in hand, and may go on judging: two queries."""
    out = Exclusion.objects.filter(campaign=campaign, lifted_at=None).values("annotator")
    judging = Membership.objects.judging().filter(campaign=campaign, account__is_active=True)
    people = set(judging.exclude(account__in=out).values_list("account", flat=True))
    rows = (
        Item.objects.filter(Q(revision__gt=0) | Q(assignment__status__in=IN_HAND), assignment__campaign=campaign)
        .exclude(level=ItemLevel.CONTEXT)
        .exclude(assignment__status=AssignmentStatus.ARCHIVED)
        .order_by()
        .values_list("document", "assignment__annotator")
        .distinct()
    )
    judges: dict[int, set[int]] = defaultdict(set)
    for document, annotator in rows:
        if annotator in people:
            judges[document].add(annotator)
    return dict(judges)


def documents_of_contents(campaign: Campaign) -> dict[int, set[int]]:
    """By content the documents that its assignments show."""
    rows = Item.objects.filter(assignment__campaign=campaign).order_by()
    contents: dict[int, set[int]] = defaultdict(set)
    for content, document in rows.values_list("assignment__content", "document").distinct():
        contents[content].add(document)
    return dict(contents)


def next_content(campaign: Campaign) -> int:
    last = Assignment.objects.filter(campaign=campaign).aggregate(last=Max("content"))["last"]
    return 0 if last is None else int(last) + 1
