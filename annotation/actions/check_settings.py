"""What is wrong with attention checks and adaptive allocation, as far as it can be known before a plan is made."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from annotation.protocols.base import Protocol
from campaigns.models import Planning, System

FEWEST_SYSTEMS = 2


def problems_of_checks(spec: CampaignSpec, systems: Sequence[System]) -> Iterator[tuple[str, str]]:
    """Field and message. Without `systems`, those of the campaign are not known yet."""
    if not isinstance(spec.check_systems, str) or not spec.checks_wanted:
        return
    names = spec.names_for_checks
    if len(set(names)) < FEWEST_SYSTEMS:
        yield "check_systems", _("Name at least two systems for attention checks, separated by commas.")
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield "check_systems", _("Named twice: %(name)s.") % {"name": name}
    known = {system.name for system in systems}
    unknown = [name for name in dict.fromkeys(names) if name not in known] if systems else []
    if unknown:
        message = _("Not among the systems of this campaign: %(names)s.")
        yield "check_systems", message % {"names": ", ".join(unknown)}


def problems_of_allocation(
    spec: CampaignSpec, protocol: Protocol[Any] | None, systems: Sequence[System]
) -> Iterator[tuple[str, str]]:
    """Field and message. Without `systems`, those of the campaign are not known yet."""
    if spec.allocation == "none":
        return
    if spec.planning != Planning.POOL:
        yield "allocation", _("Adaptive allocation needs a shared pool. Choose “Shared pool”, or switch it off.")
    if not 0 < spec.allocation_alpha < 1:
        yield "allocation_alpha", _("Enter a probability above 0 and below 1.")
    if spec.systems_per_segment is not None:
        yield (
            "systems_per_segment",
            _("Adaptive allocation shows every system on each document. Leave this empty, or switch it off."),
        )
    if protocol is not None and (protocol.slots_per_item > 1 or protocol.reads_once):
        message = _("Adaptive allocation needs a protocol that shows one translation at a time. %(protocol)s does not.")
        yield "allocation", message % {"protocol": protocol.title}
    fewest = spec.allocation_top + 1 if spec.allocation == "top" else FEWEST_SYSTEMS
    if systems and len(systems) < fewest:
        field = "allocation_top" if spec.allocation == "top" else "allocation"
        message = _("This needs at least %(fewest)d systems; the campaign has %(count)d.")
        yield field, message % {"fewest": fewest, "count": len(systems)}
