"""An annotator's word that something is wrong with an item."""

from annotation.models import Item, ProblemReport
from campaigns.models import Account


def report_problem(*, item: Item, annotator: Account, reason: str, note: str = "") -> ProblemReport:
    return ProblemReport.objects.create(item=item, annotator=annotator, reason=reason, note=note)
