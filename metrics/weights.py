"""What errors weigh: a named profile, or weights as a reader writes them, `minor=1,major=5,non-translation=25`."""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from metrics.statistics.mqm import DEFAULT_WEIGHTS, NO_ERROR, WEIGHTS, Weights, plain_label

SEVERITIES = ("neutral", "minor", "major", "critical")
HEAVIEST = 1000
MOST_ENTRIES = 40
_NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?")
_PLACE = re.compile(r"[^\s,=|:]+")


class WeightsError(Exception):
    """Weights that cannot be read, with a sentence for who wrote them."""


def weights_named(text: str | None) -> Weights:
    """The profile of this name, or own weights; an empty name is the usual profile. Raises WeightsError."""
    if not text or text in WEIGHTS:
        return WEIGHTS[text or DEFAULT_WEIGHTS]
    return own_weights(_entries(text))


def own_weights(entries: Mapping[str, str]) -> Weights:
    """By severity (`minor`), category (`non-translation`), or both (`minor fluency/punctuation`).

    Its name says all of it in one order, so that equal weights have one name. A severity that is not named weighs
    what it does in the usual profile. Weights have at most two decimals: sums stay exact.
    """
    by_severity = {severity: WEIGHTS[DEFAULT_WEIGHTS].by_severity[severity] for severity in SEVERITIES}
    special: dict[tuple[str, str], float] = {}
    for place, value in entries.items():
        severity, _space, category = place.strip().rpartition(" ")
        number = _number(place, value.strip())
        if not severity and category in by_severity:
            by_severity[category] = number
        elif _PLACE.fullmatch(category) and severity in ("", *SEVERITIES):
            special[severity, plain_label(category)] = number
        else:
            raise WeightsError(
                _("“%(place)s” is neither a severity (%(known)s) nor a category.")
                % {"place": place.strip(), "known": ", ".join(SEVERITIES)}
            )
    named = [f"{severity}={_written(weight)}" for severity, weight in by_severity.items()]
    named += [
        f"{f'{severity} {category}'.strip()}={_written(weight)}"
        for (severity, category), weight in sorted(special.items())
    ]
    return Weights(",".join(named), {NO_ERROR: 0.0, **by_severity}, special)


def _entries(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",")]
    if len(parts) > MOST_ENTRIES or not all(sign for _place, sign, _value in parts):
        raise WeightsError(
            _("Weights are one of %(known)s, or your own, such as %(example)s; not “%(text)s”.")
            % {"known": ", ".join(WEIGHTS), "example": "minor=1,major=5,critical=10", "text": text[:100]}
        )
    return {place: value for place, _sign, value in parts}


def _number(place: str, text: str) -> float:
    if not _NUMBER.fullmatch(text) or float(text) > HEAVIEST:
        raise WeightsError(
            _("The weight of %(place)s is a number from 0 to %(most)d with at most two decimals, not “%(value)s”.")
            % {"place": place.strip(), "most": HEAVIEST, "value": text[:20]}
        )
    return float(text)


def _written(weight: float) -> str:
    return f"{weight:g}" if weight < HEAVIEST else str(HEAVIEST)
