"""From which score on metrics call a translation free of errors, as a reader writes it: `chrf=60,bleu=30.5`."""

import math

from django.utils.translation import gettext as _


class ThresholdError(Exception):
    """Thresholds that cannot be read, with a sentence for who wrote them."""


def thresholds_named(text: str) -> dict[str, float]:
    """By metric, in the order of their names. Raises ThresholdError."""
    thresholds: dict[str, float] = {}
    for entry in text.split(","):
        metric, sign, written = (part.strip() for part in entry.rpartition("="))
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not (metric and sign and math.isfinite(value)) or metric in thresholds:
            raise ThresholdError(
                _("Thresholds are metrics with a number each, such as %(example)s, every metric once; not “%(text)s”.")
                % {"example": "chrf=60,bleu=30.5", "text": text[:100]}
            )
        thresholds[metric] = value
    return dict(sorted(thresholds.items()))


def canonical_thresholds(text: str) -> str:
    """The one form in which they are stored and signed. Raises ThresholdError."""
    return ",".join(f"{metric}={value:.10g}" for metric, value in thresholds_named(text).items())
