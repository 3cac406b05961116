"""Which run a page of segments is fed by: the newest that compared people with the metric the reader chose."""

from collections.abc import Mapping
from typing import ClassVar

from django.http import HttpRequest
from django.utils.http import urlencode

from campaigns.models import Campaign
from frontend.researcher.analysis_runs import AnalysisRuns


class DisagreementRuns(AnalysisRuns):
    kind: ClassVar[str] = "disagreement"
    routes: ClassVar[Mapping[str, str]] = {
        "page": "researcher-segments",
        "state": "researcher-segments-state",
        "refresh": "researcher-segments-refresh",
        "cancel": "researcher-segments-cancel",
    }

    @property
    def printed_recipe(self) -> str:
        """Where people differ is looked for in one way only."""
        return ""

    @property
    def query(self) -> str:
        metric = self.arguments["metric"]
        return urlencode({"metric": metric}) if metric else ""


def disagreement_runs(request: HttpRequest, campaign: Campaign) -> DisagreementRuns:
    metric = request.GET.get("metric", "").replace("\x00", "")  # a database would refuse to look for it
    return DisagreementRuns(campaign, {"metric": metric or None})
