"""Options of a recipe that are more than one word of a list: read, put into their one form, or named with a problem.

Each function takes the option's name, its value, and the list that a sentence is added to where the value is wrong.
"""

import math
from typing import Any

from django.utils.translation import gettext as _

from metrics.filters import ANSWERS, FilterError, is_answer, read_filter
from metrics.statistics.mixed.design import TERMS as MODEL_TERMS
from metrics.thresholds import ThresholdError, canonical_thresholds
from metrics.tolerances import ToleranceError, tolerance_named

LONGEST_METRIC = 200


def read_share(key: str, value: Any, errors: list[str]) -> float | None:
    try:
        share = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        share = math.nan
    if 0 <= share <= 1:
        return share
    errors.append(_("%(option)s must be a number from 0 to 1, not “%(value)s”.") % {"option": key, "value": value})
    return None


def read_by(key: str, value: Any, errors: list[str]) -> str:
    """Of slices, what is no domain, tag or document: an answer of annotators."""
    if isinstance(value, str) and is_answer(value):
        return value
    known = ", ".join(("domain, tag, document", *ANSWERS))
    message = _("%(option)s must be one of %(known)s, not “%(value)s”.")
    errors.append(message % {"option": key, "known": known, "value": value})
    return "domain"


def read_names(key: str, value: Any, errors: list[str]) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(sorted(set(value)))
    errors.append(_("%(option)s must be a list of annotators, not “%(value)s”.") % {"option": key, "value": value})
    return ()


def read_where(key: str, value: Any, errors: list[str]) -> str:
    try:
        if isinstance(value, str):
            return str(read_filter(value))
        errors.append(_("%(option)s must be a text, not “%(value)s”.") % {"option": key, "value": value})
    except FilterError as error:
        errors.append(str(error))
    return ""


def read_tolerance(key: str, value: Any, errors: list[str]) -> str | None:
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return tolerance_named(str(value)).name
        errors.append(_("%(option)s must be a text, not “%(value)s”.") % {"option": key, "value": value})
    except ToleranceError as error:
        errors.append(str(error))
    return None


def read_metric(key: str, value: Any, errors: list[str]) -> str | None:
    if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_METRIC:
        return value.strip()
    errors.append(_("%(option)s must be the name of a metric, not “%(value)s”.") % {"option": key, "value": value})
    return None


def read_threshold(key: str, value: Any, errors: list[str]) -> str | None:
    try:
        if isinstance(value, str):
            return canonical_thresholds(value)
        errors.append(_("%(option)s must be a text, not “%(value)s”.") % {"option": key, "value": value})
    except ThresholdError as error:
        errors.append(str(error))
    return None


def read_terms(key: str, value: Any, errors: list[str]) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        errors.append(_("%(option)s must be a text, not “%(value)s”.") % {"option": key, "value": value})
        return ()
    chosen = {name.strip() for name in names if name.strip()}
    if unknown := sorted(chosen - set(MODEL_TERMS)):
        errors.append(
            _("Unknown term “%(name)s”. Allowed: %(known)s.")
            % {"name": "”, “".join(unknown), "known": ", ".join(MODEL_TERMS)}
        )
    return tuple(name for name in MODEL_TERMS if name in chosen)
