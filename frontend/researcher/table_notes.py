"""The sentences under a table of systems: what its numbers are, by what was measured and how it was computed."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from annotation.protocols.base import Measure
from metrics.recipes import Recipe

TESTS = {
    "permutation": lambda: _("a permutation test that flips whole documents"),
    "rank-sum": lambda: _("a rank-sum test"),
    "signed-rank": lambda: _("a signed-rank test"),
}


def table_notes(measure: Measure | None, recipe: Recipe, *, ordered_by: str | None, has_humans: bool) -> list[str]:
    """`ordered_by` as the analysis `ranking` says it: z, mean or expected_wins."""
    return list(_notes(measure, recipe, ordered_by=ordered_by, has_humans=has_humans))


def _notes(measure: Measure | None, recipe: Recipe, *, ordered_by: str | None, has_humans: bool) -> Iterator[str]:
    resamples = {"count": recipe.interval_resamples}
    if ordered_by == "expected_wins":
        yield _("Expected wins: the share of comparisons won, averaged over opponents; ties are left out.")
        yield _("Intervals and rank ranges: 95%% of %(count)d resamples of segments.") % resamples
        yield _("A dark line stands where the rank ranges above and below it do not overlap.")
    else:
        yield _mean(measure, recipe)
        yield _("Intervals: percentile bootstrap over documents, %(count)d resamples.") % resamples
        if ordered_by == "z":
            yield _("Systems are ordered and tested by z-scores.")
        yield _tests(recipe)
        yield _("A dark line stands where every system above beats every system below it.")
        yield _("A rank range counts wins and losses.")
    if has_humans:
        yield _("Hollow: human.")


def _mean(measure: Measure | None, recipe: Recipe) -> str:
    if measure is not None and measure.level == "document":
        return _("Mean over documents of the mean judgment.")
    if recipe.average == "domain":
        return _("Mean over domains of the mean over their segments.")
    return _("Mean over segments of the mean judgment.")


def _tests(recipe: Recipe) -> str:
    test = {"test": TESTS[recipe.test](), "alpha": recipe.alpha}
    if recipe.correction == "holm":
        return _("Every two systems are compared by %(test)s, p < %(alpha)s after Holm’s correction.") % test
    return _("Every two systems are compared by %(test)s, p < %(alpha)s, without a correction for many tests.") % test
