"""Enumerated sentences, each with the condition under which it is true. No sentence is written without its rule.

A source is named as `{key}` of `SOURCES`; how it looks is the writer's business. In English, as the papers are.
"""

from collections.abc import Iterator

from annotation.protocols import PROTOCOLS
from metrics.analyses.scope import PerOutput
from metrics.analyses.screens import CORRECTED_BELOW, ScreenSlope
from metrics.filters import OF_ERRORS
from metrics.methods.agreement import agreement_sentences, ceiling_sentences, interval_in_words
from metrics.methods.changes import counted, counted_list, dropped_systems, late_texts, plain, were
from metrics.methods.facts import Facts
from metrics.methods.fewer_judgments import assisted_sentences, chosen_sentences
from metrics.recipes import MIXED
from metrics.results.values import Missing

AGAINST = {
    "source": "Translations were judged against the source.",
    "reference": "Translations were judged against a reference translation; the source was not shown.",
    "both": "Translations were judged with both the source and a reference translation in view.",
}
KIND_NAMES = {"repeat": "repeated", "degraded": "degraded", "reference": "reference"}
PROFILES = {
    "wmt2021": "the weights of {freitag-2021-experts}",
    "mt-metrics-eval": "the profile “mt-metrics-eval”",
    "wmt2024": "the profile “wmt2024”",
    "mqm-core": "the profile “mqm-core”",
}
DECIDED_BY = {
    "no_shared_segments": "some systems have no segments in common",
    "annotators_uneven": "annotators are not spread evenly over the systems",
}


def sentences(facts: Facts) -> list[str]:
    """The paragraph, sentence by sentence."""
    return [
        *_task(facts),
        *_selection(facts),
        *chosen_sentences(facts),
        *_amounts(facts),
        *late_texts(facts),
        *dropped_systems(facts),
        *_controls(facts),
        *_left_out(facts),
        *_tried_out(facts),
        *_decided(facts),
        *agreement_sentences(facts),
        *_recipe_taken(facts),
        *_values(facts),
        *_intervals(facts),
        *_tests(facts),
        *_ordinal(facts),
        *_placebo(facts),
        *_screens(facts),
        *_metrics(facts),
        *ceiling_sentences(facts),
        *assisted_sentences(facts),
        *_caution(facts),
        f"Numbers were computed by Assay {facts.version}, starting from its recipe “{facts.recipe.name}”.",
    ]


def _task(facts: Facts) -> Iterator[str]:
    languages = f"from {plain(facts.source_language)} into {plain(facts.target_language)}"
    yield f"Translations {languages} were judged by people."
    if facts.protocol in PROTOCOLS and (sentence := PROTOCOLS[facts.protocol].methods_sentence):
        yield sentence
    against = getattr(facts.options, "judge_against", None)
    if against in AGAINST:
        yield AGAINST[against]
    typology = getattr(facts.options, "typology", None)
    if typology is not None:
        yield f"The error typology was “{plain(str(typology.title))}”."


def _selection(facts: Facts) -> Iterator[str]:
    """A filter, and what it does not change."""
    recipe = facts.recipe
    if not recipe.where:
        return
    yield f"This analysis is exploratory: it is of the judgments where {plain(recipe.where)}, chosen for it."
    if recipe.filter.of(*OF_ERRORS):
        yield "Errors outside this condition are not part of the penalties; all judgments of translations are."
    if facts.ordered_by == "z":
        yield "Means and standard deviations of annotators are those of all their judgments."


def _amounts(facts: Facts) -> Iterator[str]:
    scope = facts.scope
    regular = scope.judgments["regular"]
    if not regular:
        yield "No regular judgment is among them." if facts.recipe.where else "No judgment counts so far."
        return
    of = counted(scope.documents, "document")
    if scope.segments:
        of = f"{counted(scope.segments, 'segment')} of {of}"
    yield (
        f"The results rest on {counted(regular, 'judgment')} by {counted(scope.annotators, 'annotator')} "
        f"of {counted(scope.systems, 'system')} on {of}."
    )
    if not isinstance(scope.per_output, Missing):
        yield _redundancy(scope.per_output)


def _redundancy(per_output: PerOutput) -> str:
    fewest, most = per_output.fewest, per_output.most
    if fewest == most:
        return f"Each judged output has judgments by {counted(most, 'annotator')}."
    mean = per_output.mean
    return f"Each judged output has judgments by {fewest} to {most} annotators ({mean:.2f} on average)."


def _controls(facts: Facts) -> Iterator[str]:
    judgments, recipe = facts.scope.judgments, facts.recipe
    planted = [
        f"{counted(judgments[kind], 'judgment')} of {name} items"
        for kind, name in KIND_NAMES.items()
        if judgments[kind]
    ]
    if planted:
        yield f"Annotators also gave {counted_list(planted)}."
        entering = [name for kind, name in KIND_NAMES.items() if judgments[kind] and kind in recipe.rows]
        yield (
            f"Of these, judgments of {counted_list(entering)} items are part of the systems' scores."
            if entering
            else "These are not part of any system's score."
        )
    controls = facts.scope.controls
    if controls.tested:
        test = {
            "paired-t": "a paired t-test ({student-1908-probable})",
            "signed-rank": "a Wilcoxon signed-rank test ({wilcoxon-1945-individual})",
        }
        yield (
            f"Whether degraded items were judged lower than their originals was tested by {test[recipe.control_test]} "
            f"for {counted(controls.tested, 'annotator')} with enough degraded items ({{graham-2017-crowd}}); "
            f"{controls.passed:,} passed."
        )


def _left_out(facts: Facts) -> Iterator[str]:
    decided, failed = (facts.scope.left_out[name] for name in ("by_decision", "by_controls"))
    if decided.annotators:
        reasons = "; ".join(f"“{plain(reason)}”" for reason in facts.reasons)
        on_record = f" (reasons on record: {reasons})" if reasons else ""
        yield (
            f"{counted(decided.judgments, 'judgment')} of {counted(decided.annotators, 'annotator')} "
            f"{were(decided.judgments)} excluded by decision of the organisers{on_record}."
        )
    if failed.annotators:
        yield (
            f"{counted(failed.judgments, 'judgment')} of {counted(failed.annotators, 'annotator')} who did not "
            f"pass the test on degraded items, or had too few of them, {were(failed.judgments)} excluded."
        )
    misfits = facts.scope.left_out.get("by_fit")
    if misfits is not None and misfits.annotators:
        yield (
            f"{counted(misfits.judgments, 'judgment')} of {counted(misfits.annotators, 'annotator')} whose differences "
            f"between systems fitted those of all annotators less than {facts.recipe.lowest_fit:g} "
            f"{were(misfits.judgments)} excluded."
        )
    if facts.scope.surplus:
        verdict = "are included" if facts.recipe.surplus else "are excluded"
        yield f"{counted(facts.scope.surplus, 'judgment')} beyond the plan {verdict}."


def _tried_out(facts: Facts) -> Iterator[str]:
    """Exclusions that were tried in this run only."""
    without, readmitted = len(facts.recipe.without), len(facts.recipe.readmitted)
    if without:
        yield f"In this analysis only, {counted(without, 'annotator')} {were(without)} excluded to see the effect."
    if readmitted:
        yield (
            f"In this analysis only, {counted(readmitted, 'excluded annotator')} {were(readmitted)} included "
            "to see the effect."
        )


def _decided(facts: Facts) -> Iterator[str]:
    if facts.recipe.adjudicated == "yes":
        count = facts.adjudications
        yield (
            f"For {counted(count, 'output')}, an adjudicated answer replaces the annotators' answers in the systems' "
            "scores; agreement is computed from the annotators' answers."
            if count
            else "Adjudicated answers were to replace those of annotators; there were none."
        )


def _recipe_taken(facts: Facts) -> Iterator[str]:
    """Where nobody chose the recipe, and the protocol's own does not decide."""
    reasons = [DECIDED_BY[name] for name in facts.ranking.decided_by or () if name in DECIDED_BY]
    if reasons:
        yield (
            f"The usual recipe “{facts.ranking.own_recipe}” does not decide here, because {counted_list(reasons)}; "
            "a mixed model takes its place."
        )


def _values(facts: Facts) -> Iterator[str]:
    recipe, order = facts.recipe, facts.ordered_by
    if order == "expected_wins":
        yield (
            "Systems are ordered by expected wins: how often a system is preferred to one drawn at random, without "
            "ties ({koehn-2012-simulating})."
        )
    elif order == "z":
        rows = "regular judgments" if recipe.normalisation == "regular" else "judgments, control items included"
        yield (
            "Scores were standardised by annotator: the score minus the mean of that annotator's "
            f"{rows}, divided by their standard deviation ({{graham-2013-continuous}})."
        )
    if order in ("mean", "model") and facts.ranking.main.main_measure == "penalty":
        own = f"weights chosen for this analysis ({plain(str(recipe.weights))})"
        yield f"Penalties weigh errors by {PROFILES.get(recipe.weights or 'wmt2021', own)}."
    if order == "mean" and recipe.units == "score":
        yield "A system's score is the mean of its raw scores; each of several scores of a segment counts by itself."
    elif order == "model":
        yield (
            f"Scores were modelled as {plain(facts.ranking.main.formula or '')}: systems are fixed effects, the terms "
            "in brackets are random effects, and all were estimated together by restricted maximum likelihood "
            "({bates-2015-fitting}). A system's score is its mean in this model, as if every annotator had judged it "
            "on every text."
        )
    elif order in ("z", "mean"):
        unit = "documents" if facts.is_of_documents else "segments"
        over = f"{unit} within a domain, averaged over domains," if recipe.average == "domain" else unit
        scores = "standardised score" if order == "z" else "raw score"
        yield f"A system's score is the mean over {over} of the mean {scores} of each."


def _intervals(facts: Facts) -> Iterator[str]:
    recipe = facts.recipe
    if facts.has_intervals and facts.ordered_by == "model":
        yield (
            f"Intervals are {100 * recipe.interval_level:g}% intervals of the model, for other texts and other "
            "annotators of the same kind."
        )
    elif facts.has_intervals:
        unit = "segments" if facts.ordered_by == "expected_wins" else "documents"
        yield (
            f"Intervals are {100 * recipe.interval_level:g}% percentile bootstrap intervals over {unit} "
            f"({recipe.interval_resamples:,} resamples, seed {recipe.seed}; {{efron-1993-bootstrap}}); they hold for "
            f"other {unit} judged by the same annotators."
        )


def _tests(facts: Facts) -> Iterator[str]:
    recipe, tests = facts.recipe, facts.tests
    if any(test.paired for test in tests):
        yield (
            f"{counted(len(tests), 'pair')} of systems {were(len(tests))} compared by the rule of WMT 2026: one is "
            f"better if the one-sided {100 * (1 - recipe.alpha):g}% bootstrap bound (BCa, {recipe.resamples:,} draws "
            f"of segments with seed {recipe.seed}; {{efron-1993-bootstrap}}) of the paired differences or of the "
            "unpaired difference is above 0, without correction for the number of comparisons."
        )
    possible = [test for test in tests if not isinstance(test.p, Missing)]
    if not possible:
        return
    yield f"{counted(len(possible), 'pair')} of systems {were(len(possible))} compared by {_test_in_words(facts)}."
    if len(possible) < len(tests):
        missing = len(tests) - len(possible)
        yield f"For {counted(missing, 'further pair')} no test was possible."
    if recipe.correction == "holm":
        yield (
            f"A difference counts as significant below {recipe.alpha:g} after Holm's correction over all pairs "
            "({holm-1979-simple})."
        )
    else:
        yield (
            f"A difference counts as significant below {recipe.alpha:g}; p-values are not corrected for the number of "
            "comparisons."
        )


def _test_in_words(facts: Facts) -> str:
    recipe, unit = facts.recipe, "documents" if facts.is_of_documents else "segments"
    if recipe.test == MIXED:
        return (
            "a two-sided t-test of the difference of their means in the model "
            f"({counted(facts.ranking.main.df or 0, 'degree')} of freedom; {{student-1908-probable}})"
        )
    if recipe.test == "permutation":
        return (
            f"a two-sided paired permutation test that swaps whole documents, on the {unit} that both systems have "
            f"({recipe.resamples:,} random swaps with seed {recipe.seed}, or all possible swaps if fewer; "
            "{phipson-2010-permutation})"
        )
    if recipe.test == "bootstrap":
        return (
            f"a one-sided paired bootstrap test that draws whole documents, on the {unit} that both systems have "
            f"({recipe.resamples:,} draws with seed {recipe.seed}; {{koehn-2004-statistical}})"
        )
    shared = f" on the {unit} that both systems have" if recipe.needs_shared_segments else ""
    by_domain = recipe.average == "domain"
    combined = (
        ", a test for each domain, several combined by Stouffer's method ({stouffer-1949-american})"
        if by_domain
        else ""
    )
    if recipe.test == "rank-sum":
        return f"a one-sided Wilcoxon rank-sum test{shared}{combined} ({{mann-1947-test}})"
    if recipe.test == "signed-rank-greater":
        return f"a one-sided Wilcoxon signed-rank test{shared}{combined} ({{wilcoxon-1945-individual}})"
    return f"a two-sided Wilcoxon signed-rank test{shared}{combined} ({{wilcoxon-1945-individual}})"


def _placebo(facts: Facts) -> Iterator[str]:
    """How often the test differs where nothing can, where that was tried."""
    rule = facts.placebo.deciding if facts.placebo else None
    if facts.placebo is None or rule is None or isinstance(rule.rate, Missing) or isinstance(rule.interval, Missing):
        return
    low, high = rule.interval
    yield (
        f"Where the labels of two systems were exchanged at random by whole documents, so that nothing can differ, "
        f"this test called {100 * rule.rate:.1f}% of {counted(facts.placebo.trials, 'comparison')} different "
        f"(95% interval {100 * low:.1f}% to {100 * high:.1f}%, {{wilson-1927-probable}}; it promises "
        f"{100 * rule.nominal:g}%)."
    )


def _screens(facts: Facts) -> Iterator[str]:
    """What outputs side by side do to each other, where their places are known."""
    result = facts.screens
    if result is None or isinstance(result.position_p, Missing):
        return
    p = f"p = {result.position_p:.3f}" if result.position_p >= 0.001 else "p < 0.001"
    tested = f"({p} by permuting places within {counted(result.screens, 'screen')}; {{good-2005-permutation}})"
    if result.position_p >= CORRECTED_BELOW:
        yield f"Outputs side by side were scored without a clear effect of their places {tested}."
    else:
        yield (
            f"The places of outputs side by side had an effect on their scores {tested}; means are reported with and "
            "without it, and the ranking is not corrected for it."
        )
    slopes = (
        ("a score changes by {} for each point that the systems beside it are better", result.dominance),
        ("the distance of two scores by {} for each point of chrF between their outputs", result.similarity),
    )
    known = [words.format(_slope(facts, one)) for words, one in slopes if not isinstance(one.slope, Missing)]
    if known:
        yield f"On one screen {counted_list(known)}."


def _slope(facts: Facts, one: ScreenSlope) -> str:
    return f"{one.slope:.2f}{interval_in_words(facts, one.interval, ' ({})')}"


def _ordinal(facts: Facts) -> Iterator[str]:
    """Of scales of few points, beside what ranks the systems."""
    if facts.ordinal_terms:
        yield (
            "Points of the scale were also modelled as ordered bands, by a cumulative logit model "
            f"({{mccullagh-1980-regression}}) with random effects of {counted_list(list(facts.ordinal_terms))}, "
            "estimated by Laplace's approximation."
        )


def _metrics(facts: Facts) -> Iterator[str]:
    """The licence says what the numbers may be used for: it stands wherever the model does."""
    named = [plain(f"{each.title} ({each.licence})" if each.licence else each.title) for each in facts.metrics]
    if named:
        yield f"Human scores were set beside those of automatic metrics: {counted_list(named)}."


def _caution(facts: Facts) -> Iterator[str]:
    if facts.ranking.too_early:
        yield "There are too few judgments for a ranking so far; these numbers are preliminary."
    if "few_documents" in facts.ranking.notes:
        needed = facts.ranking.documents_needed or 6
        yield f"At least {needed} documents are needed for a difference between this many systems to be significant."
