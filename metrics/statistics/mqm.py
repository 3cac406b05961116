"""MQM: what marked errors weigh, what a text's errors add up to, and quality scores that follow from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.statistics.arrays import FloatArray, as_floats

NO_ERROR = "no-error"
_HUNDREDTHS = 100  # every weight is a whole number of these, so that sums are exact


@dataclass(frozen=True)
class Weights:
    """A profile: what an error weighs by its severity, and by severity and category where that differs.

    `special` maps (severity, category) to a weight; the severity "" means any, a category for all below it.
    `remark` says, for signatures, what the profile decides beyond its source.
    """

    name: str
    by_severity: Mapping[str, float]
    special: Mapping[tuple[str, str], float]
    remark: str = ""

    @property
    def signature(self) -> str:
        return f"{self.name},{self.remark}" if self.remark else self.name

    def of(self, category: str, severity: str) -> float:
        """Of the longest category that fits, the entry that names the severity; else what the severity weighs."""
        severity = plain_label(severity)
        if severity not in self.by_severity:
            known = ", ".join(self.by_severity)
            raise ValueError(f"the severity {severity!r} is unknown to the profile {self.name}; known: {known}")
        if severity == NO_ERROR:
            return 0.0
        path = plain_label(category).split("/")
        for length in range(len(path), 0, -1):
            prefix = "/".join(path[:length])
            for key in ((severity, prefix), ("", prefix)):
                if key in self.special:
                    return self.special[key]
        return self.by_severity[severity]


def _severities(critical: float) -> dict[str, float]:
    return {NO_ERROR: 0.0, "neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": critical}


_PUNCTUATION = {("minor", "fluency/punctuation"): 0.1}
_NO_TRANSLATION = {(severity, "non-translation"): 25.0 for severity in ("minor", "major", "critical")}
# What the organisers of 2024 leave out. Google's typology of 2021 calls a source issue a source error.
_LEFT_OUT = ("source-issue", "source-error", "accuracy/creative-reinterpretation", "accuracy/reinterpretation")

WEIGHTS: Mapping[str, Weights] = {
    profile.name: profile
    for profile in (
        Weights("wmt2021", _severities(5.0), {**_PUNCTUATION, **_NO_TRANSLATION}, "critical-as-major"),
        Weights("mt-metrics-eval", _severities(5.0), {**_PUNCTUATION, ("major", "non-translation"): 25.0}),
        Weights(
            "wmt2024",
            _severities(5.0),
            {**_PUNCTUATION, ("", "non-translation"): 25.0, **{("", category): 0.0 for category in _LEFT_OUT}},
        ),
        Weights("mqm-core", _severities(25.0), {}),
    )
}
DEFAULT_WEIGHTS = "wmt2021"


@dataclass(frozen=True)
class Errors:
    """Marked errors in columns: category path, severity, and the number of the text each was marked in."""

    categories: Sequence[str]
    severities: Sequence[str]
    texts: Sequence[int]
    n_texts: int


def plain_label(label: str) -> str:
    """A category or severity as profiles write it: files of different years write one category in different ways.

    Letters become small, spaces and underscores hyphens; an exclamation mark behind a level goes.

    >>> plain_label("Non-translation!"), plain_label("Terminology/Inappropriate for context")
    ('non-translation', 'terminology/inappropriate-for-context')
    """
    levels = label.casefold().split("/")
    return "/".join("-".join(level.strip().rstrip("!").replace("_", " ").split()) for level in levels)


def error_weights(
    categories: Sequence[str], severities: Sequence[str], *, weights: str | Weights = DEFAULT_WEIGHTS
) -> FloatArray:
    """What each error weighs.

    Shape: `categories`, `severities`: (n_errors,) labels.
    Unit and range: Penalty points, from 0.
    Missing data: A category may be empty: then the severity alone counts.
    Degenerate input: No errors give an empty array. A severity the profile does not know raises ValueError; a category
        it does not know weighs what its severity does. Columns of different length raise ValueError.
    Method: The most specific rule of the profile: the longest category that fits, with this severity before any
        severity; else the severity. "No-error" weighs 0. Letters' case does not matter.
    Source: Freitag et al. 2021, table 1 (`wmt2021`); the scripts of mt-metrics-eval and of WMT24; MQM-Core's
        multipliers.

    Example:
        A comma, a wrong word, and a text that is not a translation.

        >>> categories = ["Fluency/Punctuation", "Accuracy/Mistranslation", "Non-translation!"]
        >>> error_weights(categories, ["Minor", "Major", "Major"])
        array([ 0.1,  5. , 25. ])
        >>> error_weights(categories, ["Minor", "Major", "Major"], weights="mqm-core")
        array([1., 5., 5.])
    """
    profile = WEIGHTS[weights] if isinstance(weights, str) else weights
    if len(categories) != len(severities):
        raise ValueError(f"{len(categories)} categories, but {len(severities)} severities")
    known = {pair: profile.of(*pair) for pair in set(zip(categories, severities, strict=True))}
    return np.array([known[pair] for pair in zip(categories, severities, strict=True)], dtype=np.float64)


def penalties(errors: Errors, *, weights: str | Weights = DEFAULT_WEIGHTS) -> FloatArray:
    """What the errors of each text add up to.

    Shape: `errors`: columns of (n_errors,); the result is (n_texts,), in the order of the texts' numbers.
    Unit and range: Penalty points, from 0; lower is better.
    Missing data: A text without errors has penalty 0: leave out of the numbering what was not judged.
    Degenerate input: No texts give an empty array. A number outside 0 to n_texts - 1 raises ValueError.
    Method: The sum of `error_weights`, added up in whole hundredths, so that three times 0.1 is 0.3 and equal penalties
        are equal numbers.
    Source: As `error_weights`.

    Example:
        Two errors in the first text, none in the second.

        >>> marked = Errors(["Accuracy/Omission", "Style/Awkward"], ["Major", "Minor"], [0, 0], 2)
        >>> penalties(marked)
        array([6., 0.])
    """
    texts = np.asarray(errors.texts, dtype=np.int64)
    if texts.size and not 0 <= texts.min() <= texts.max() < errors.n_texts:
        raise ValueError(f"texts are numbered from 0 to {errors.n_texts - 1}")
    weighed = error_weights(errors.categories, errors.severities, weights=weights)
    hundredths = np.rint(weighed * _HUNDREDTHS)
    return np.bincount(texts, weights=hundredths, minlength=errors.n_texts) / _HUNDREDTHS


def per_word(penalties: ArrayLike, words: ArrayLike, *, per: float = 1.0) -> float:
    """Penalty points for each word of many texts together.

    Shape: `penalties`, `words`: (n_texts,).
    Unit and range: Points by words (by 1,000 words with `per=1000`), from 0. Say whether source or target words were
        counted.
    Missing data: Texts in which either is NaN are left out.
    Degenerate input: NaN where no words are left.
    Method: The ratio of the sums, not the mean of ratios: a short text does not count as much as a long one.
    Source: Lommel et al. 2024 (MQM-Core).

    Example:
        Six points in thirty words.

        >>> per_word([5, 1], [10, 20])
        0.2
    """
    points, counts = as_floats(penalties), as_floats(words)
    known = ~np.isnan(points) & ~np.isnan(counts)
    total = float(counts[known].sum())
    return float(points[known].sum()) * per / total if total else float("nan")


def quality_score(penalties: ArrayLike, words: ArrayLike) -> float:
    """MQM-Core's raw quality score of many texts together.

    Shape: `penalties`, `words`: (n_texts,).
    Unit and range: Points up to 100, which is a text without errors; negative where there is more penalty than words.
    Missing data: As `per_word`.
    Degenerate input: As `per_word`.
    Method: 100 × (1 − penalty / words). Not clamped: a page that shows it may.
    Source: Lommel et al. 2024 (MQM-Core), the linear model without calibration.

    Example:
        Six points in thirty words.

        >>> quality_score([5, 1], [10, 20])
        80.0
    """
    return 100.0 * (1.0 - per_word(penalties, words))
