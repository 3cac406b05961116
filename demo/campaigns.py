"""The demo's campaigns, in the order annotators meet them. Each protocol has a file here and a line here."""

from demo import cesa, direct_assessment, esa, gisting, likert, mqm, post_editing, ranking
from demo.campaign import DemoCampaign

DEMO_CAMPAIGNS: tuple[DemoCampaign, ...] = (
    *direct_assessment.CAMPAIGNS,
    *likert.CAMPAIGNS,
    *ranking.CAMPAIGNS,
    *post_editing.CAMPAIGNS,
    *gisting.CAMPAIGNS,
    *mqm.CAMPAIGNS,
    *esa.CAMPAIGNS,
    *cesa.CAMPAIGNS,
)
