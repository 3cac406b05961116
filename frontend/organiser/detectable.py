"""What a plan is good for: by how much two systems must differ to be told apart, and what that rests on."""

from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.planning import PlanCounts, PlanningOptions
from annotation.protocols.base import ExpectedScatter, Measure, Protocol
from campaigns.models import Account, Role
from campaigns.queries import campaigns_of
from metrics.derivations import derivations_of
from metrics.pilots import Pilot, difference_by_pilot, difference_by_plan, newest_pilot


def detectable(protocol: Protocol[Any], counts: PlanCounts, options: PlanningOptions, account: Account) -> list[str]:
    """Two sentences, or none where nothing is known of the protocol's numbers or there is one system."""
    scatter = protocol.expected_scatter
    measure = _main_measure(protocol)
    judgments = _of_each_system(counts, options, scatter) if scatter else 0
    if scatter is None or measure is None or counts.systems < 2 or not judgments:
        return []
    pilot = newest_pilot(campaigns_of(account, Role.ORGANISER), protocol.name) if not scatter.by_document else None
    if pilot is not None and pilot.measure == measure.name:
        return _by_pilot(judgments, pilot, scatter, measure)
    return _by_scatter(judgments, scatter, measure, counts, options)


def _by_pilot(judgments: int, pilot: Pilot, scatter: ExpectedScatter, measure: Measure) -> list[str]:
    found = difference_by_pilot(judgments, half_width=pilot.half_width, pilot_judgments=pilot.judgments)
    rests_on = _("As scores scatter in your campaign “%(name)s”, four times out of five.") % {"name": pilot.campaign}
    return [_enough(found, scatter, measure), f"{rests_on} {_two_systems()}"]


def _by_scatter(
    judgments: int, scatter: ExpectedScatter, measure: Measure, counts: PlanCounts, options: PlanningOptions
) -> list[str]:
    length = 1.0 if scatter.by_document or not counts.documents else counts.segments / counts.documents
    deviation = scatter.deviation * ((measure.high - measure.low) if scatter.of_scale else 1.0)
    found = difference_by_plan(
        judgments, deviation=deviation, redundancy=options.redundancy, segments_per_document=length
    )
    rests_on = _(
        "Four times out of five, if single judgments scatter as in published campaigns (standard deviation "
        "%(deviation)s) and segments of one document resemble each other a little."
    ) % {"deviation": _amount(deviation, scatter, measure)}
    return [_enough(found, scatter, measure), f"{rests_on} {_two_systems()}"]


def _two_systems() -> str:
    return _("For two systems; to tell many apart at once takes more.")


def _enough(difference: float, scatter: ExpectedScatter, measure: Measure) -> str:
    return _("Enough to tell apart systems that differ by about %(difference)s.") % {
        "difference": _amount(difference, scatter, measure)
    }


def _amount(number: float, scatter: ExpectedScatter, measure: Measure) -> str:
    if scatter.is_share:
        return _("%(number)s percentage points") % {"number": _rounded(100 * number)}
    return _("%(number)s %(unit)s") % {"number": _rounded(number), "unit": measure.unit}


def _rounded(number: float) -> str:
    """Two digits that count: more would promise what an estimate cannot keep."""
    places = 0 if number >= 10 else 1 if number >= 1 else 2
    return number_format(round(number, places), decimal_pos=places)


def _main_measure(protocol: Protocol[Any]) -> Measure | None:
    derived = [derivation.measure for derivation in derivations_of(protocol.name) if derivation.is_main]
    return next(iter([*derived, *protocol.measures]), None)


def _of_each_system(counts: PlanCounts, options: PlanningOptions, scatter: ExpectedScatter) -> int:
    """Judgments of one system: of its share of the segments, or of the documents that are read."""
    units = counts.documents if scatter.by_document else counts.segments
    asked = options.systems_of(counts.systems)
    return round(units * asked / counts.systems * options.redundancy) if counts.systems else 0
