"""A campaign's own options as planning has them."""

from typing import Any

from annotation.planning import PlanningOptions
from annotation.protocols.base import Protocol
from campaigns.models import Campaign


def plan_options(campaign: Campaign, protocol: Protocol[Any], *, systems: int, redundancy: int) -> PlanningOptions:
    """`systems` without what stands for source or reference."""
    return PlanningOptions(
        redundancy=redundancy,
        items_per_assignment=campaign.items_per_assignment,
        systems_per_segment=campaign.systems_per_segment,
        repeats_share=campaign.repeats_share,
        degraded_share=campaign.degraded_share,
        document_scores=protocol.asks_documents,
        slots_per_item=protocol.slots_among(campaign.systems_per_segment or systems),
        shuffle_slots=protocol.shuffles_slots,
        reads_once=protocol.reads_once,
    )
