"""Why a number of a result is null: each object says it beside its numbers, under `reasons`.

The analyses leave out what does not exist; here is said why, in one place, by the name of the number. A rule is a
reason, or a function of where the number stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from metrics.analyses.evidence import Evidence
from metrics.statistics.resampling import FEWEST_RESAMPLES

UNKNOWN = "undefined"
FEW = "few_resamples"
# Null here means something: nothing is early, nobody is left out, there is a value and no reason to give.
MEANINGFUL = frozenset({"too_early", "reason", "everybody", "weights", "left_out", "by"})
# Numbers by level or system, whose reasons stand one object further out, as `alpha_interval.nominal`.
_BY_SYSTEM = frozenset({"expected_wins", "bradley_terry", "davidson", "rao_kupper", "trueskill"})
_MAPS = frozenset({"alpha_interval", "intervals", "scores", *_BY_SYSTEM})
_BY_LEVEL = "alpha"  # its reasons are there already
_LONG = frozenset({"segments", "categories"})  # of what there is: nothing in them is null


@dataclass(frozen=True)
class Place:
    """The object a number stands in, and the object around that."""

    entry: Mapping[str, Any]
    within: Mapping[str, Any]
    evidence: Evidence


Rule = str | Callable[[Place], str]


def _z(at: Place) -> str:
    is_relative = any(table.is_relative for table in at.evidence.tables)
    return "not_normalised" if at.evidence.recipe.normalisation == "none" or is_relative else "no_deviation"


_INTERVALS = ("interval", "z_interval", "alpha_interval", "fleiss_interval", "gwet_ac1_interval", "intervals")
RESAMPLED = frozenset({*_INTERVALS, "words_per_hour_interval"})
# What may have an interval of resamples beside it.
_HAVE_INTERVALS = ("mean", "human", "share", "kappa", "alpha")

# The coefficients each level and grouping of a metric has.
_ALWAYS = frozenset({"pearson", "spearman", "kendall_b", "kendall_c"})
_HAS: dict[tuple[str, str], frozenset[str]] = {
    ("system", "none"): _ALWAYS | {"pairwise_accuracy", "soft_pairwise_accuracy"},
    ("segment", "none"): _ALWAYS,
    ("segment", "item"): _ALWAYS | {"kendall_like", "pairwise_accuracy", "accuracy_with_ties", "epsilon"},
    ("segment", "system"): _ALWAYS,
}


def _coefficient(name: str) -> Rule:
    """Of two annotators, who share `n` items, or of a metric with people at some level."""
    of_annotators = _by_count("n", "no_overlap", "too_few")

    def rule(at: Place) -> str:
        if "grouping" not in at.entry:
            return of_annotators(at) if callable(of_annotators) else of_annotators
        if name not in _HAS[at.entry["level"], at.entry["grouping"]]:
            return "not_at_this_level"
        if name == "kendall_like":
            return "no_clear_pairs"
        return "too_few" if at.entry.get("systems", 2) < 2 else "constant"

    return rule


def _p(at: Place) -> str:
    if "test" in at.entry:
        return str(at.entry.get("reason") or "constant")
    if at.evidence.recipe.needs_shared_segments and not at.entry.get("shared"):
        return "no_shared_segments"
    return "no_difference"


def _after(field: str, otherwise: str) -> Rule:
    """Where the number it is about does not exist, that number's reason."""
    return lambda at: _reason(field, at) if at.entry.get(field) is None else _few_or(otherwise, at)


def _has_few_resamples(at: Place) -> bool:
    return at.evidence.recipe.interval_resamples < FEWEST_RESAMPLES


def _few_or(otherwise: str, at: Place) -> str:
    """Of an interval of a number that exists."""
    return FEW if _has_few_resamples(at) else otherwise


def _resampled(otherwise: str) -> Rule:
    return lambda at: _few_or(otherwise, at)


def _interval(at: Place) -> str:
    """Of a mean, a share, a kappa or an alpha, whichever stands beside it."""
    if "human" in at.entry and at.within.get("human") == "expected_wins":
        return "in_ranking"
    if _has_few_resamples(at) and any(at.entry.get(field) is not None for field in _HAVE_INTERVALS):
        return FEW
    if "kappa" in at.entry or "alpha" in at.entry:
        return str(at.entry.get("reason") or "too_few_items")
    if "asked" in at.entry:
        return "one_document" if at.entry["asked"] else "nothing_asked"
    return "never_decided" if "human" not in at.entry and at.entry.get("mean") is None else "one_document"


def _share(at: Place) -> str:
    return "nothing_asked" if "asked" in at.entry else "no_shared_segments"


def _kappa(at: Place) -> str:
    """Two annotators have items in common, and yet there are none in categories: the scale has none."""
    if "reason" in at.entry:
        return str(at.entry["reason"])
    return "no_categories" if at.within.get("fleiss_items") == 0 else "no_variation"


def _own(at: Place) -> str:
    return str(at.entry.get("reason") or UNKNOWN)


def _of(field: str) -> Rule:
    """Of a coefficient: why there is none, or else too little to resample."""
    return lambda at: str((at.entry.get("reasons") or {}).get(field) or _few_or("too_few_items", at))


def _by_count(field: str, none: str, one: str, more: str = "constant") -> Rule:
    def rule(at: Place) -> str:
        count = at.entry.get(field) or 0
        return none if count == 0 else one if count == 1 else more

    return rule


def _words_per_hour(at: Place) -> str:
    return "no_times" if at.entry.get("seconds") is None else "words_unknown"


RULES: dict[str, Rule] = {
    # ranking
    "per_output": "no_judgments",
    "mean": "never_decided",
    "interval": _interval,
    "z_mean": _z,
    "z_interval": _after("z_mean", "one_document"),
    "histogram": "open_scale",
    "histogram_range": "open_scale",
    "p": _p,
    "p_corrected": _p,
    "share": _share,
    "log_likelihood": _own,
    "tie": lambda at: _own(at) if at.entry.get("reason") else "only_ties",
    **dict.fromkeys(sorted(_BY_SYSTEM), "never_decided"),
    # agreement
    "spans": lambda at: "no_spans_asked" if at.evidence.marked is None else "no_overlap",
    "preference": "no_comparisons",
    "alpha_interval": _resampled("too_few_items"),
    "fleiss": "no_categories",
    "gwet_ac1": "no_categories",
    "fleiss_interval": _of("fleiss"),
    "gwet_ac1_interval": _of("gwet_ac1"),
    "bands": "no_bands",
    "cuts": "no_penalties",
    "difference": lambda at: _own(at) if at.entry.get("reason") else "constant",
    "identical": _own,
    "repeats": "no_repeats",
    "kappa": _kappa,
    "kappa_linear": _kappa,
    "kappa_quadratic": _kappa,
    "observed": _own,
    "expected": _own,
    # annotators
    "deviation": "one_judgment",
    "seconds_median": "no_times",
    "control_p": _by_count("control_n", "no_controls", "too_few", "equal_differences"),
    "control_difference": "no_controls",
    "repeat_difference": "no_repeats",
    "repeat_pearson": _by_count("repeat_n", "no_repeats", "too_few"),
    "uniform_share": "no_regular_judgments",
    "others_pearson": _by_count("others_n", "no_overlap", "too_few"),
    "others_interval": _by_count("others_n", "no_overlap", "too_few", "too_few"),
    "others_difference": "no_overlap",
    # correlation
    **{name: _coefficient(name) for name in sorted(frozenset().union(*_HAS.values()))},
    "intervals": _resampled("too_few_draws"),
    "scores": "no_score",
    "human": lambda at: _own(at) if at.entry.get("reason") else "never_decided",
    "measure": _own,
    "group": "not_compared",
    # errors
    "words": "words_unknown",
    "per_word": "words_unknown",
    "quality_score": "words_unknown",
    "suggestions": "nothing_suggested",
    "clean": "no_judgments",
    "penalty": "no_judgments",
    # post_editing
    "hter": "no_judgments",
    "hter_capped": "no_judgments",
    "hter_corpus": "post_edits_unknown",
    "words_per_hour": _words_per_hour,
    "words_per_hour_interval": _after("words_per_hour", "one_document"),
    "seconds": "no_times",
    "seconds_dropped": "no_times",
    "source_words": "words_unknown",
    "unchanged": "no_judgments",
}


# Why a list is empty.
EMPTY: dict[str, str] = {
    "measures": "no_judgments",
    "systems": "no_judgments",
    "tests": "too_few_systems",
    "pairs": "no_overlap",
    "intra": "no_repeats",
    "slices": "one_part",
}


def with_reasons(result: Any, evidence: Evidence, within: Mapping[str, Any] | None = None) -> Any:
    """The result of an analysis, each object with `reasons` for its null numbers and its empty lists.

    Where the recipe takes too few resamples, its intervals are among what does not exist.
    """
    if isinstance(result, list):
        return [with_reasons(one, evidence, within) for one in result]
    if not isinstance(result, Mapping):
        return result
    left = {*_MAPS, *_LONG, _BY_LEVEL}
    entry = {key: one if key in left else with_reasons(one, evidence, result) for key, one in result.items()}
    at = Place(entry, within or {}, evidence)
    if _has_few_resamples(at):
        entry |= {key: _no_interval(one) for key, one in entry.items() if key in RESAMPLED}
    reasons = dict(entry.get("reasons") or {})
    for key, one in entry.items():
        if one is None and key not in MEANINGFUL:
            reasons.setdefault(key, _reason(key, at))
        elif key in _MAPS and isinstance(one, Mapping):
            missing = [part for part, number in one.items() if number is None]
            reasons |= {f"{key}.{part}": reasons.get(part) or _reason(key, at) for part in missing}
        elif key in EMPTY and isinstance(one, list | Mapping) and not one:
            reasons.setdefault(key, EMPTY[key])
    return {**entry, "reasons": reasons} if reasons or "reasons" in entry else entry


def _no_interval(value: Any) -> Any:
    """In place of an interval, or of several by name or in a row; a level of measurement is called interval, too."""
    if isinstance(value, Mapping):
        return dict.fromkeys(value)
    if isinstance(value, list):
        return [None] * len(value) if any(one is None or isinstance(one, list) for one in value) else None
    return value


def _reason(field: str, at: Place) -> str:
    rule = RULES.get(field, str(at.entry.get("reason") or UNKNOWN))
    return rule if isinstance(rule, str) else rule(at)
