"""The list of campaigns in words and positions: what needs a look in all of them, and a line for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.protocols import PROTOCOLS
from annotation.protocols.base import Text
from campaigns.models import Campaign, CampaignStatus
from frontend.organiser.overview_words import Alert, AlertStep, Spark, alerts_of, end_of, spark
from metrics.progress.expectation import Outlook
from metrics.progress.overview import Overview, overviews_of

SHOWN = 3  # alerts; the others are folded
_LEVELS = ("bad", "warn")


@dataclass(frozen=True)
class Look:
    """One line and one action about a campaign."""

    campaign: Campaign
    alert: Alert
    step: AlertStep


@dataclass(frozen=True)
class CampaignLine:
    """`meter` is the class of the bar; `end_note` explains the end, or is its range."""

    campaign: Campaign
    overview: Overview
    end: str
    end_note: str
    days: Spark

    @property
    def protocol_title(self) -> Text:
        protocol = PROTOCOLS.get(self.campaign.protocol)
        return protocol.title if protocol else self.campaign.protocol

    @property
    def share(self) -> float:
        state = self.overview.state
        return state.done / state.total if state.total else 0.0

    @property
    def is_finished(self) -> bool:
        return self.overview.expectation.outlook == Outlook.FINISHED

    @property
    def is_archived(self) -> bool:
        return self.campaign.archived_at is not None

    @property
    def is_collecting(self) -> bool:
        return self.campaign.status == CampaignStatus.OPEN and not self.is_finished and not self.is_archived

    @property
    def pause(self) -> tuple[str, Text] | None:
        """The state that one press leads to, and what the button says; None where there is nothing to pause."""
        next_steps: dict[str, tuple[str, Text]] = {
            CampaignStatus.OPEN: (CampaignStatus.PAUSED, gettext_lazy("Pause")),
            CampaignStatus.PAUSED: (CampaignStatus.OPEN, gettext_lazy("Resume")),
        }
        return next_steps.get(self.campaign.status)

    @property
    def meter(self) -> str:
        if self.is_finished:
            return "done"
        return "" if self.campaign.status == CampaignStatus.OPEN else "still"

    @property
    def last_judgment(self) -> datetime | None:
        return max((line.last_judgment for line in self.overview.lines if line.last_judgment), default=None)


def lines_and_looks(shown: Sequence[Campaign], watched: Iterable[Campaign]) -> tuple[list[CampaignLine], list[Look]]:
    """The campaigns that are listed; of those that are watched, whatever needs a look, the most serious first."""
    of_all = {campaign.pk: campaign for campaign in (*shown, *watched)}
    overviews = overviews_of(list(of_all.values()), timezone.now())
    looks = [
        Look(campaign, alert, _one_step(campaign, alert))
        for campaign in watched
        for alert in alerts_of(overviews[campaign.pk], campaign.slug)
    ]
    looks.sort(key=lambda look: _LEVELS.index(look.alert.level))
    return [_line(campaign, overviews[campaign.pk]) for campaign in shown], looks


def _one_step(campaign: Campaign, alert: Alert) -> AlertStep:
    """Its own; where each person has one, the campaign's overview has them all."""
    if len(alert.steps) == 1:
        return alert.steps[0]
    overview = reverse("organiser-overview", args=[campaign.slug])
    return AlertStep(_("Look"), f"{overview}#alert-{alert.key}", _("Look at %(name)s") % {"name": campaign.name})


def _line(campaign: Campaign, overview: Overview) -> CampaignLine:
    """Each campaign's columns are as high as its own busiest day: they show its rhythm."""
    end, note = end_of(overview.expectation)
    return CampaignLine(campaign, overview, end, note, spark(overview.two_weeks, most=max(overview.two_weeks)))
