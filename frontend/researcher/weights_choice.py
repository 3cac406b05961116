"""What errors weigh and how much of them is tolerated, as forms."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.taxonomies.typology import category_words
from metrics.analyses.errors import SEVERITY_WORDS, Errors
from metrics.statistics.mqm import WEIGHTS, Weights
from metrics.tolerances import Tolerance
from metrics.weights import SEVERITIES, WeightsError, own_weights

FIELD = "weight-"
TITLES = {"wmt2021": "WMT 2021", "mt-metrics-eval": "mt-metrics-eval", "wmt2024": "WMT 2024", "mqm-core": "MQM-Core"}


@dataclass(frozen=True)
class WeightsChoice:
    """`titles` are those of categories by path, `errors` those that were marked.

    `profiles` are names, titles and which is chosen; `fields` names, titles and values. The name of a field is a
    severity, a category, or both, as own weights name it.
    """

    weights: Weights
    titles: Mapping[str, str]
    errors: Errors

    @property
    def is_own(self) -> bool:
        return self.weights.name not in WEIGHTS

    @property
    def profiles(self) -> list[tuple[str, str, bool]]:
        return [(name, TITLES[name], name == self.weights.name) for name in WEIGHTS]

    @property
    def fields(self) -> list[tuple[str, str, str]]:
        severities = [
            (FIELD + name, str(SEVERITY_WORDS[name]), f"{self.weights.by_severity[name]:g}") for name in SEVERITIES
        ]
        return severities + [
            (FIELD + f"{severity} {category}".strip(), self._title(severity, category), f"{weight:g}")
            for (severity, category), weight in sorted(self.weights.special.items(), key=_by_category)
        ]

    @property
    def others(self) -> list[tuple[str, str]]:
        """Categories that occur and have no weight of their own."""
        named = {category for severity, category in self.weights.special if not severity}
        present = {entry.category for entry in self.errors.categories}
        return [(path, category_words(path, self.titles)) for path in sorted(present - named) if path]

    @property
    def in_words(self) -> str:
        return ", ".join(f"{title} {value}" for _name, title, value in self.fields)

    def _title(self, severity: str, category: str) -> str:
        title = category_words(category, self.titles)
        if not severity:
            return title
        return _("%(category)s, %(severity)s") % {"category": title, "severity": str(SEVERITY_WORDS[severity]).lower()}


@dataclass(frozen=True)
class ToleranceChoice:
    """The current values of the form's fields, empty where there are none; `tolerance` is None where none is agreed."""

    tolerance: Tolerance | None

    @property
    def per_thousand(self) -> str:
        return self.tolerance.name if self.tolerance and self.tolerance.curve is None else ""

    @property
    def points(self) -> list[tuple[str, str]]:
        """Words and points of both agreed texts."""
        agreed = self.tolerance.agreed if self.tolerance else ()
        return [(f"{words:.10g}", f"{points:.10g}") for words, points in agreed] or [("", ""), ("", "")]


def chosen_tolerance(query: Mapping[str, str]) -> str:
    """The form's tolerance as one text; invalid ones stay, to be reported. Nothing where all fields are empty."""
    if query.get("model") != "logarithmic":
        return query.get("per_thousand", "").strip()
    fields = [(query.get(f"words_{place}", "").strip(), query.get(f"points_{place}", "").strip()) for place in "12"]
    return ",".join(f"{words}={points}" for words, points in fields) if any(map(any, fields)) else ""


def _by_category(entry: tuple[tuple[str, str], float]) -> tuple[str, int]:
    (severity, category), _weight = entry
    return category, SEVERITIES.index(severity) if severity else -1


def chosen_weights(query: Mapping[str, str]) -> str:
    """The form's weights as one text; a profile's name if they are equal. Invalid ones stay, to be reported."""
    entries = {name.removeprefix(FIELD): value for name, value in query.items() if name.startswith(FIELD)}
    category, weight = query.get("category", ""), query.get("category_weight", "")
    if category and weight:
        entries[category] = weight
    try:
        own = own_weights(entries)
    except WeightsError:
        return ",".join(f"{place}={value}" for place, value in entries.items())
    alike = (
        profile.name
        for profile in WEIGHTS.values()
        if profile.by_severity == own.by_severity and dict(profile.special) == dict(own.special)
    )
    return next(alike, own.name)
