"""What is wrong with the settings of attention checks, as far as it can be known before a plan is made."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from annotation.campaign_spec import CampaignSpec
from campaigns.models import System

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
