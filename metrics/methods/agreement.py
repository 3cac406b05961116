"""Sentences on how far people agree: on scores, on errors and on what has none, and one person beside metrics."""

from collections.abc import Iterator

from metrics.analyses.error_free import OF_PENALTY
from metrics.analyses.preferences import PreferenceKappa
from metrics.automatic import metric_title
from metrics.methods.changes import counted, counted_list, plain
from metrics.methods.facts import Facts
from metrics.results.values import Ends, Missing


def agreement_sentences(facts: Facts) -> Iterator[str]:
    """Each where its numbers were computed."""
    yield from _measures(facts)
    yield from _matched_errors(facts)
    yield from _gamma(facts)
    yield from _error_free(facts)


def interval_in_words(facts: Facts, interval: Ends, around: str) -> str:
    """An interval of the recipe's level in place of the braces of `around`; empty where there is none."""
    return _ends(interval, f"{100 * facts.recipe.interval_level:g}", around)


def _ends(interval: Ends, percent: str, around: str) -> str:
    if isinstance(interval, Missing):
        return ""
    return around.format(f"{percent}% interval {interval[0]:.2f} to {interval[1]:.2f}")


def _measures(facts: Facts) -> Iterator[str]:
    if not isinstance(facts.agreement.preference, Missing):
        yield _preferences(facts.agreement.preference.inter)
        return
    for measure in (one for one in facts.agreement.measures if one.measure == facts.ranking.main.main_measure):
        level = "ordinal" if measure.measure in facts.short_scales else "interval"
        alpha, interval = measure.alpha[level], measure.alpha_interval[level]
        if not measure.items or alpha == Missing("no_overlap"):
            yield "No output was judged by more than one annotator, so agreement could not be measured."
        elif isinstance(alpha, Missing):
            yield "Agreement between annotators could not be computed from these judgments."
        else:
            resampled = interval_in_words(facts, interval, ", {} by resampling items")
            yield (
                f"On {counted(measure.items, 'output')} judged by more than one annotator, Krippendorff's alpha is "
                f"{alpha:.2f} ({level} level{resampled}; {{krippendorff-2019-content}})."
            )


def _preferences(inter: PreferenceKappa) -> str:
    if isinstance(inter.kappa, Missing):
        return "Agreement between annotators on preferences could not be computed from these judgments."
    return (
        f"On {counted(inter.comparable, 'pair')} of preferences by different annotators, with ties as a label, kappa "
        f"is {inter.kappa:.2f} (chance from the share of ties{_ends(inter.interval, '95', ', {}')}; "
        "{cohen-1960-coefficient}; {bojar-2016-findings})."
    )


def _matched_errors(facts: Facts) -> Iterator[str]:
    """Where two annotators marked errors in one output."""
    spans = facts.agreement.spans
    matched = None if isinstance(spans, Missing) else spans.mpp
    if matched is not None and not isinstance(matched.f, Missing):
        yield (
            f"Marked errors of every two annotators of an output, matched one to one with credit for the characters "
            f"that both cover, agree with F = {matched.f:.2f} ({counted(matched.comparisons, 'comparison')}; "
            f"{matched.signature})."
        )


def _gamma(facts: Facts) -> Iterator[str]:
    """Where several judged an output and somebody marked errors."""
    result = facts.gamma
    if result is None or isinstance(result.gamma, Missing):
        return
    drawn = f", drawn at random from {result.marked:,}" if result.items < result.marked else ""
    greedy = f"; the marks of {counted(result.greedy, 'output')} were aligned greedily" if result.greedy else ""
    yield (
        f"On {counted(result.items, 'output')} that several annotators judged and somebody marked{drawn}, gamma of the "
        f"places and main categories of errors is {result.gamma:.2f}"
        f"{interval_in_words(facts, result.interval, ' ({}; ') or ' ('}{{mathet-2015-unified}}{greedy})."
    )


def _error_free(facts: Facts) -> Iterator[str]:
    """What counts as free of errors, how often that is, and who agrees with whom."""
    result = facts.error_free
    if result is None or result.label is None or not result.judgments:
        return
    if result.label == OF_PENALTY:
        rule = "its penalty is 0"
    else:
        rule = "its score is 85 or more and nothing in it is marked"
    yield (
        f"A translation counts as free of errors if {rule}: {100 * result.all / result.judgments:.1f}% of "
        f"{counted(result.judgments, 'judgment')}."
    )
    if not isinstance(result.f, Missing):
        yield f"Two annotators of an output agree on what is free of errors with F = {result.f:.2f}."
    for one in result.metrics:
        if isinstance(one.precision, Missing) or isinstance(one.recall, Missing):
            continue
        yield (
            f"Outputs that {plain(metric_title(one.metric))} scores {one.threshold:g} or better are free of errors "
            f"with precision {one.precision:.2f} and recall {one.recall:.2f}."
        )


def ceiling_sentences(facts: Facts) -> Iterator[str]:
    """What one person reaches against the others, and what metrics do on the same outputs."""
    result = facts.ceiling
    if result is None or isinstance(result.human.pearson, Missing):
        return
    reached = f"Pearson's r = {result.human.pearson:.2f}"
    if not isinstance(result.human.kendall_b, Missing):
        reached += f" and Kendall's tau-b = {result.human.kendall_b:.2f}"
    yield (
        f"On {counted(result.cells, 'output')} judged by several annotators, one annotator reaches {reached} against "
        f"the mean of the others (mean over {counted(result.human.annotators, 'annotator')}, weighted by outputs"
        f"{interval_in_words(facts, result.human.interval, '; {} of r by resampling segments')})."
    )
    beside = [
        f"{plain(metric_title(one.metric))} {one.pearson:.2f}"
        for one in result.metrics
        if not isinstance(one.pearson, Missing)
    ]
    if beside:
        yield f"Against the same means on the same outputs, r of metrics is: {counted_list(beside)}."
