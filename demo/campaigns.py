"""The campaigns of the demo, in the order annotators meet them. A protocol's are a file beside this and a line here."""

from demo import direct_assessment, esa, gisting, likert, mqm, post_editing, ranking
from demo.campaign import DemoCampaign

DEMO_CAMPAIGNS: tuple[DemoCampaign, ...] = (
    *direct_assessment.CAMPAIGNS,
    *likert.CAMPAIGNS,
    *ranking.CAMPAIGNS,
    *post_editing.CAMPAIGNS,
    *gisting.CAMPAIGNS,
    *mqm.CAMPAIGNS,
    *esa.CAMPAIGNS,
)
