"""Sentences on how judgments were saved: what was chosen to be judged, and a metric that sharpened means."""

from collections.abc import Iterator

from metrics.methods.changes import counted, plain
from metrics.methods.facts import Facts


def assisted_sentences(facts: Facts) -> Iterator[str]:
    """Where a metric was named, and what came of it."""
    result = facts.assisted
    if result is None:
        return
    metric = plain(result.metric)
    if result.reason is not None:
        yield f"Means were to be sharpened by {metric}, which was not possible here."
        return
    yield (
        "Means of the whole test set were also estimated with "
        f"{metric} as a control variate {{angelopoulos-2023-ppi}}, "
        "the variances by documents, from the scores of "
        f"{counted(round(result.judgments or 0), 'segment')} of each system that people judged."
    )
    if result.judgments and result.equivalent_judgments and result.equivalent_judgments - result.judgments >= 1:
        yield (
            f"The intervals are as narrow as those of people alone on about {round(result.equivalent_judgments):,} "
            "segments."
        )


BY_UTILITY = {
    "variance": "the variance of {metric} over systems",
    "average": "the lowest scores of {metric}",
    "consistency": "how far {metric} orders systems there as over the whole test set",
    "diversity-unigram": "how few words the outputs share",
    "diversity-chrf": "how little the outputs overlap by chrF",
}


def chosen_sentences(facts: Facts) -> Iterator[str]:
    """What was judged of the test set, where that was decided beforehand."""
    method, _comma, rest = facts.chosen.partition(",")
    if method == "random":
        yield "What was judged is a random part of the test set."
    elif method in BY_UTILITY:
        metric = next((each.removeprefix("metric-") for each in rest.split(",") if each.startswith("metric-")), "")
        by = BY_UTILITY[method].format(metric=plain(metric))
        yield (
            f"What was judged of the test set was chosen before by {by} {{zouhar-2025-select}}; means are those of the "
            "chosen segments and biased for the whole test set."
        )
