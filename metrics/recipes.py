"""Named bundles of statistical options, so that a reader need not choose; each option can be overridden.

A recipe with its overrides is one frozen `Recipe`; `signature` writes everything in it that can change a number as one
string, which travels with every number shown or exported. `docs/statistics.md` has a heading for each recipe.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from django.utils.translation import gettext as _

import numpy as np

from annotation.protocols import PROTOCOLS
from metrics import VERSION
from metrics.filters import Filter, is_answer, read_filter
from metrics.option_values import (
    read_by,
    read_metric,
    read_names,
    read_share,
    read_terms,
    read_threshold,
    read_tolerance,
    read_where,
)
from metrics.weights import WeightsError, weights_named

BY = "by"  # slices: also `entry.NAME`, `exit.NAME` or `label.NAME`, which are of annotators
CHOICES: dict[str, tuple[str, ...]] = {
    "normalisation": ("all", "regular", "none"),
    "test": ("permutation", "bootstrap", "rank-sum", "signed-rank", "signed-rank-greater", "bca", "mixed"),
    "correction": ("none", "holm"),
    "average": ("segment", "domain"),
    "include": ("all", "passed"),
    "control_test": ("paired-t", "signed-rank"),
    "weights": ("wmt2021", "mt-metrics-eval", "wmt2024", "mqm-core"),
    BY: ("domain", "tag", "document"),
    "humans": ("in", "out"),
    "outliers": ("in", "out"),
    "adjudicated": ("no", "yes"),
}
LOWEST: dict[str, int] = {"seed": 0, "resamples": 1, "interval_resamples": 1, "bins": 2}
HIGHEST: dict[str, int] = {"seed": 2**32 - 1, "resamples": 1_000_000, "interval_resamples": 100_000, "bins": 100}
SHARES = ("lowest_fit",)  # numbers from 0 to 1
SWITCHES = ("surplus",)
NAMES = ("without", "readmitted")  # annotators: a decision tried out before it is taken
WHERE = "where"  # a filter of judgments
MIXED = "mixed"
INCOMPLETE = "incomplete"  # the recipe that decides where a design does not allow the usual test
TOLERANCE = "tolerance"
THRESHOLD = "threshold"
TERMS = "terms"  # of the mixed model
METRIC = "metric"  # that sharpens means
OPTIONS = (*CHOICES, *LOWEST, *SHARES, *SWITCHES, *NAMES, WHERE, TOLERANCE, THRESHOLD, TERMS, METRIC)
_SAME_JUDGMENTS = ("seed", "weights", "include", "control_test", "adjudicated", *SWITCHES, *NAMES, WHERE)
COMPARING = ("normalisation", "test", "correction")


class AnalysisError(Exception):
    """An analysis that cannot be made as requested: a sentence for the reader that names all problems at once."""


@dataclass(frozen=True)
class Recipe:
    """`rows` are the kinds whose scores make a system's value; `z_from` the fewest judgments a z is ordered by.

    `normalisation` says which of an annotator's rows give mean and deviation; `shared_segments` restricts even an
    unpaired test to segments both systems have; `combination` is how a test per domain becomes one. `by` says what
    slices are, `bins` into how many bands a long scale is cut where categories are needed. `humans` and `outliers` say
    whether such systems are correlated with metrics. `without` and `readmitted` name annotators who are to be left out,
    or to count again, in this run alone. Where `adjudicated` is yes, decisions replace annotators'
    answers in all results about systems. `where` is the canonical form of a filter: only such judgments are read.
    `lowest_fit` drops annotators whose differences between systems fit those of all others less; None: no such filter.
    `units` says whether a segment's scores are averaged or each is a unit; `ranks` whether a range counts wins and
    losses or ends at the first neighbour that is beaten; `clusters` whether they follow from wins or from ranges.
    Beside numbers that are for `reproducing` others, pages show those of the protocol's own recipe. `tolerance` is the
    canonical form of how many penalty points a text may have; None: no text passes or fails. `threshold` is that of the
    scores from which on metrics call a translation free of errors. `terms` are those of the mixed model, in its order;
    none: as it has them by default. `metric` is the one that sharpens means, if any.
    """

    name: str
    normalisation: str = "all"
    rows: tuple[str, ...] = ("regular",)
    z_from: int = 2
    average: str = "segment"
    test: str = "permutation"
    shared_segments: bool = False
    combination: str = "signed"
    correction: str = "holm"
    alpha: float = 0.05
    include: str = "all"
    control_test: str = "paired-t"
    surplus: bool = False
    weights: str | None = None
    seed: int = 12345
    resamples: int = 10_000
    interval_resamples: int = 1_000
    interval_level: float = 0.95
    by: str = "domain"
    bins: int = 7
    humans: str = "in"
    outliers: str = "in"
    without: tuple[str, ...] = ()
    readmitted: tuple[str, ...] = ()
    adjudicated: str = "no"
    where: str = ""
    lowest_fit: float | None = None
    units: str = "segment"
    ranks: str = "wins"
    clusters: str = "wins"
    reproducing: bool = False
    tolerance: str | None = None
    threshold: str | None = None
    terms: tuple[str, ...] = ()
    metric: str | None = None

    @property
    def filter(self) -> Filter:
        return read_filter(self.where)

    @property
    def by_text(self) -> str:
        """What texts are parted by: an answer of annotators parts none."""
        return "domain" if is_answer(self.by) else self.by

    @property
    def one_sided(self) -> bool:
        """These ask whether the better system is better; the others, whether the two differ."""
        return self.test in {"rank-sum", "bootstrap", "signed-rank-greater", "bca"}

    @property
    def draws_documents(self) -> bool:
        """Rank tests take one segment as one piece of evidence; the others resample whole documents."""
        return self.test in {"permutation", "bootstrap"}

    @property
    def needs_shared_segments(self) -> bool:
        return self.shared_segments or self.test not in {"rank-sum", "bca", MIXED}

    @property
    def rng(self) -> np.random.Generator:
        """From the seed anew, so that no number depends on which others are computed."""
        return np.random.default_rng(self.seed)

    @property
    def bootstrap(self) -> dict[str, Any]:
        """What a function that makes percentile intervals takes."""
        return {"resamples": self.interval_resamples, "level": self.interval_level, "rng": self.rng}

    @property
    def stored_weights(self) -> str | None:
        """The profile whose penalties are stored; a reader's own weights are applied when they are read."""
        return self.weights if self.weights in CHOICES["weights"] else None

    def signature(self, *, protocol: str, excluded: int = 0) -> str:
        """Everything that can change a number; `excluded` annotators were left out by decision."""
        normalised = f"{self.normalisation},ddof1,ordered-from-{self.z_from}"
        parts = {
            "exploratory": self.where.replace("|", ",") or None,
            "recipe": self.name,
            "protocol": protocol,
            "normalisation": "none" if self.normalisation == "none" else normalised,
            "rows": "+".join(self.rows),
            "surplus": "yes" if self.surplus else "no",
            "include": self.include,
            "lowest-fit": self.lowest_fit,
            "adjudicated": None if self.adjudicated == "no" else self.adjudicated,
            "excluded": excluded,
            "without": _joined(self.without),
            "readmitted": _joined(self.readmitted),
            "controls": self.control_test,
            "average": self.average,
            "units": None if self.units == "segment" else self.units,
            "weights": self.weights,
            "test": self._test_part,
            "correction": self.correction,
            "alpha": self.alpha,
            "ranks": None if self.ranks == "wins" else self.ranks,
            "clusters": None if self.clusters == "wins" else self.clusters,
            "interval": f"model,{self.interval_level}"
            if self.test == MIXED
            else f"bootstrap,documents,{self.interval_resamples},{self.interval_level}",
            "agreement": f"bootstrap,items,{self.interval_resamples},{self.interval_level},bins-{self.bins}",
            "slices": self.by,
            "tolerance": self.tolerance,
            "threshold": self.threshold,
            "terms": "+".join(self.terms) or None,
            "assisted": self.metric and self.metric.replace("|", ","),
            "correlation": f"humans-{self.humans},outliers-{self.outliers}",
            "seed": self.seed,
            "version": f"assay-{VERSION}",
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items() if value is not None)

    @property
    def _test_part(self) -> str:
        parts = [self.test, "one-sided" if self.one_sided else "two-sided"]
        if self.draws_documents:
            parts += ["documents", str(self.resamples)]
        if self.test == "bca":
            parts += ["segments", str(self.resamples)]
        parts.append("shared-segments" if self.needs_shared_segments else "all-segments")
        if self.average == "domain" and self.test != MIXED:
            parts.append("domains-pooled" if self.draws_documents else f"stouffer-{self.combination}")
        return ",".join(parts)


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("assay", z_from=10),
        Recipe("wmt-crowd", rows=("regular", "repeat"), test="rank-sum", correction="none"),
        Recipe("wmt-appraise", normalisation="regular", test="rank-sum", shared_segments=True, correction="none"),
        Recipe(
            "wmt24",
            normalisation="none",
            average="domain",
            test="signed-rank",
            combination="wmt24",
            correction="none",
        ),
        Recipe("mqm", normalisation="none", weights="wmt2021"),
        Recipe(INCOMPLETE, normalisation="none", test=MIXED),
        Recipe(
            "wmt25",
            normalisation="none",
            test="signed-rank-greater",
            correction="none",
            units="score",
            ranks="neighbours",
            clusters="ranges",
            reproducing=True,
        ),
        Recipe(
            "wmt26",
            normalisation="none",
            rows=("regular", "repeat"),
            test="bca",
            correction="none",
            resamples=100,
            lowest_fit=0.75,
            ranks="neighbours",
            reproducing=True,
        ),
    )
}


def recipe_for(protocol: str, name: str | None = None, options: Mapping[str, Any] | None = None) -> Recipe:
    """The requested recipe, or the protocol's own, with single options overridden; an option that is None is not set.

    Without a name, options with the normalisation, test and correction of one recipe select that whole recipe:
    `all`, `rank-sum` and `none` are `wmt-crowd`, which also counts repeats. Raises AnalysisError with all problems.
    """
    chosen = {key: value for key, value in (options or {}).items() if value is not None}
    errors: list[str] = []
    parsed = {key: _parsed(key, value, errors) for key, value in chosen.items()}
    base, defaults = _named(name, protocol, parsed, errors)
    if errors:
        raise AnalysisError("\n".join(errors))
    known = {field.name for field in fields(Recipe)}
    made = replace(base, **{key: value for key, value in {**defaults, **parsed}.items() if key in known})
    return replace(made, rows=made.filter.rows(made.rows))


def own_recipe(protocol: str, beside: Recipe) -> Recipe:
    """The protocol's own recipe on the same judgments, to be read beside numbers that reproduce others."""
    return same_judgments(recipe_for(protocol), beside)


def same_judgments(recipe: Recipe, beside: Recipe) -> Recipe:
    """A recipe on the judgments that another one reads."""
    same = {name: getattr(beside, name) for name in _SAME_JUDGMENTS}
    return replace(recipe, **same, rows=beside.filter.rows(recipe.rows))


def usual_recipe_name(protocol: str) -> str:
    """The recipe of a protocol unless another is requested; not normalised where the protocol does not say."""
    return PROTOCOLS[protocol].recipe if protocol in PROTOCOLS else "assay"


def _named(
    name: str | None, protocol: str, parsed: Mapping[str, Any], errors: list[str]
) -> tuple[Recipe, Mapping[str, str]]:
    if name is None:
        alike = [recipe for recipe in RECIPES.values() if all(parsed.get(k) == getattr(recipe, k) for k in COMPARING)]
        if len(alike) == 1:
            return alike[0], {}
        made = PROTOCOLS.get(protocol)
        return RECIPES[usual_recipe_name(protocol)], {} if made and made.is_normalised else {"normalisation": "none"}
    if name not in RECIPES:
        errors.append(_("Unknown recipe “%(name)s”. Allowed: %(known)s.") % _listed(name, RECIPES))
        return RECIPES["assay"], {}
    return RECIPES[name], {}


def _parsed(key: str, value: Any, errors: list[str]) -> Any:
    if (key in CHOICES and value in CHOICES[key]) or (key in SWITCHES and isinstance(value, bool)):
        return value
    if key == "weights" and isinstance(value, str):
        try:
            return weights_named(value).name  # in the one order in which own weights are stored and signed
        except WeightsError as error:
            errors.append(str(error))
            return None
    if key in _READ_BY:
        return _READ_BY[key](key, value, errors)
    if key in LOWEST:
        number = _whole_number(value)
        if number is not None and LOWEST[key] <= number <= HIGHEST[key]:
            return number
        errors.append(
            _("%(option)s must be a whole number from %(low)d to %(high)d, not “%(value)s”.")
            % {"option": key, "low": LOWEST[key], "high": HIGHEST[key], "value": value}
        )
    elif key in CHOICES:
        errors.append(
            _("%(option)s must be one of %(known)s, not “%(value)s”.")
            % {"option": key, "known": ", ".join(CHOICES[key]), "value": value}
        )
    elif key in SWITCHES:
        errors.append(_("%(option)s must be true or false, not “%(value)s”.") % {"option": key, "value": value})
    else:
        errors.append(_("Unknown option “%(name)s”. Allowed: %(known)s.") % _listed(key, OPTIONS))
    return None


_READ_BY: Mapping[str, Callable[[str, Any, list[str]], Any]] = {
    BY: read_by,
    **dict.fromkeys(NAMES, read_names),
    **dict.fromkeys(SHARES, read_share),
    WHERE: read_where,
    TOLERANCE: read_tolerance,
    THRESHOLD: read_threshold,
    TERMS: read_terms,
    METRIC: read_metric,
}


def _joined(names: tuple[str, ...]) -> str | None:
    return "+".join(name.replace("|", ",") for name in names) or None


def _whole_number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        return None
    return number if not isinstance(value, float) or value == number else None


def _listed(name: str, known: Any) -> dict[str, str]:
    return {"name": name, "known": ", ".join(known)}
