"""How much error is tolerated, as a reader writes it: `25` points in 1,000 words, or `250=3,1000=8` for a curve."""

import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from metrics.statistics.arrays import FloatArray
from metrics.statistics.tolerance import LogarithmicCurve, linear_limits, logarithmic_curve, logarithmic_limits

MOST = 1_000_000
_NUMBER = re.compile(r"\d{1,7}(\.\d{1,3})?")


class ToleranceError(Exception):
    """A tolerance that cannot be read, with a sentence for who wrote it."""


@dataclass(frozen=True)
class Tolerance:
    """`name` says all of it in one form; `agreed` are the two points (words, points) of a logarithmic model."""

    name: str
    per_thousand: float | None = None
    agreed: tuple[tuple[float, float], ...] = ()
    curve: LogarithmicCurve | None = None

    @property
    def model(self) -> str:
        return "linear" if self.curve is None else "logarithmic"

    def limits(self, words: FloatArray) -> FloatArray:
        """The penalty points allowed in texts of so many words."""
        if self.curve is not None:
            return logarithmic_limits(words, curve=self.curve)
        return linear_limits(words, per_thousand=self.per_thousand or 0.0)


def tolerance_named(text: str) -> Tolerance:
    """Raises ToleranceError."""
    entries = [part.partition("=") for part in text.split(",")]
    if len(entries) == 1 and not entries[0][1]:
        per_thousand = _number(text, text)
        return Tolerance(f"{per_thousand:.10g}", per_thousand)
    if len(entries) != 2 or not all(sign for _words, sign, _points in entries):
        raise ToleranceError(
            _(
                "A tolerance is points in 1,000 words, such as 25, or two agreed points, such as %(example)s; "
                "not “%(text)s”."
            )
            % {"example": "250=3,1000=8", "text": text[:100]}
        )
    first, second = sorted((_number(words, text), _number(points, text)) for words, _sign, points in entries)
    try:
        curve = logarithmic_curve(first, second)
    except ValueError as error:
        raise ToleranceError(
            _(
                "No curve goes through %(first)s and %(second)s: the longer text must be allowed more points, but "
                "fewer for each word."
            )
            % {"first": _in_words(first), "second": _in_words(second)}
        ) from error
    return Tolerance(
        ",".join(f"{words:.10g}={points:.10g}" for words, points in (first, second)), None, (first, second), curve
    )


def _in_words(agreed: tuple[float, float]) -> str:
    return _("%(points)s points in %(words)s words") % {"words": f"{agreed[0]:.10g}", "points": f"{agreed[1]:.10g}"}


def _number(written: str, text: str) -> float:
    if not _NUMBER.fullmatch(written.strip()) or not 0 < float(written) <= MOST:
        raise ToleranceError(
            _(
                "The numbers of a tolerance are above 0 and at most %(most)s, with at most three decimals; "
                "not “%(text)s”."
            )
            % {"most": f"{MOST:,}", "text": text[:100]}
        )
    return float(written)
