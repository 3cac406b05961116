"""A difference of two systems in words, and whether it is small enough to tell systems apart."""

from dataclasses import dataclass
from math import isinf

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.protocols.base import Measure

# No two systems that anybody would compare are farther apart: half of a scale, or a deviation of single judgments.
HOPELESS_SHARE, HOPELESS_Z = 0.5, 1.0


@dataclass(frozen=True)
class Difference:
    """`amount` is in units of the measure, or standard deviations where it is `in_z`, or a share of 1."""

    amount: float
    measure: Measure
    in_z: bool = False
    is_share: bool = False

    @property
    def can_tell_apart(self) -> bool:
        """Whether a judge of such differences could find one between real systems; always on a scale without an end."""
        if self.in_z:
            return self.amount < HOPELESS_Z
        scale = 1.0 if self.is_share else self.measure.high - self.measure.low
        return isinf(scale) or self.amount < HOPELESS_SHARE * scale

    def __str__(self) -> str:
        """Two significant digits: an estimate is not more precise."""
        number = 100 * self.amount if self.is_share else self.amount
        places = 0 if number >= 10 else 1 if number >= 1 else 2
        shown = number_format(round(number, places), decimal_pos=places)
        if self.in_z:
            return _("%(number)s standard deviations") % {"number": shown}
        if self.is_share:
            return _("%(number)s percentage points") % {"number": shown}
        return _("%(number)s %(unit)s") % {"number": shown, "unit": self.measure.unit}
