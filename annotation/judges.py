"""Who judges in a campaign, by name, and which of them were left out of its results by decision."""

from annotation.models import Exclusion
from campaigns.models import Account, Campaign


def names_of_judges(campaign: Campaign) -> dict[str, str]:
    """By account name, as pages show them; one query."""
    judges = Account.objects.filter(assignments__campaign=campaign).order_by().distinct()
    return {username: name or username for username, name in judges.values_list("username", "name")}


def exclusions_in(campaign: Campaign) -> list[Exclusion]:
    """Every decision, the newest first, those taken back too; one query."""
    decisions = Exclusion.objects.filter(campaign=campaign).select_related("annotator", "decided_by")
    return list(decisions.order_by("-decided_at", "-pk"))
