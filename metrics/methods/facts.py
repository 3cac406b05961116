"""What a methods paragraph uses: a finished run's own counts and choices, and the decisions before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from annotation.models import Exclusion
from annotation.protocols import protocol_for
from campaigns.languages import language_name
from campaigns.models import Campaign
from jobs.models import Run, RunStatus
from jobs.queries import parts_of, runs_of
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.allocation import Allocation
from metrics.analyses.assisted import Assisted
from metrics.analyses.ceiling import HumanCeiling
from metrics.analyses.deciding import recipe_of_run
from metrics.analyses.error_free import ErrorFreeOutputs
from metrics.analyses.gamma import SpanGamma
from metrics.analyses.mixed import Mixed
from metrics.analyses.placebo import Placebo, PlaceboMeasure
from metrics.analyses.ranked_systems import PairTest
from metrics.analyses.ranking import Ranking
from metrics.analyses.scope import Scope
from metrics.analyses.screens import ScreenEffects
from metrics.analysis_runs import TRIED, USUAL
from metrics.automatic import has_model_name, metric_title
from metrics.derivations import measures_of
from metrics.neural.light_model import LIGHT
from metrics.pseudonyms import People
from metrics.recipes import Recipe
from metrics.results.codec import read_part
from metrics.results.values import Missing
from metrics.scoring.light_models import uses_model
from metrics.scoring.neural_states import licence_of

RANDOM_TERMS = {
    "annotator": "annotators",
    "document": "documents",
    "segment": "segments",
    "document:system": "systems within documents",
    "segment:system": "outputs",
}
NEEDED = ("scope", "ranking", "agreement")
OPTIONAL = ("allocation", "assisted", "mixed", "gamma", "error_free", "screens", "ceiling", "correlation")


@dataclass(frozen=True)
class NamedMetric:
    """`licence` is that of the weights of its model, empty without one or where it is not known."""

    title: str
    licence: str = ""


@dataclass(frozen=True)
class Facts:
    """`parts` are the run's analyses `scope`, `ranking` and `agreement`, and `allocation` if it has one.

    `reasons` are why annotators were left out. `short_scales` are measures of few points, whose agreement is of ranks;
    `options` are those of the protocol, `ordinal_terms` the random terms, in words, of the ordinal models of the run.
    `placebo` is how often the recipe saw a difference on these judgments where there is none, if that was tried.
    """

    source_language: str
    target_language: str
    protocol: str
    options: Any
    recipe: Recipe
    scope: Scope
    ranking: Ranking
    agreement: AnnotatorAgreement
    signature: str
    reasons: Sequence[str] = ()
    metrics: Sequence[NamedMetric] = ()
    short_scales: frozenset[str] = frozenset()
    allocation: Allocation | None = None
    placebo: PlaceboMeasure | None = None
    ordinal_terms: Sequence[str] = ()
    assisted: Assisted | None = None
    gamma: SpanGamma | None = None
    error_free: ErrorFreeOutputs | None = None
    screens: ScreenEffects | None = None
    ceiling: HumanCeiling | None = None

    @property
    def version(self) -> str:
        """The version that computed the run, which may differ from the running one."""
        return self._signed("version:assay-")

    @property
    def adjudications(self) -> int:
        """How many decisions replace answers."""
        return int(self._signed("adjudications:") or 0)

    @property
    def chosen(self) -> str:
        """By what the judged segments were chosen; empty where all were to be judged."""
        return self._signed("items:")

    def _signed(self, name: str) -> str:
        parts = self.signature.split("|")
        return next((part.removeprefix(name) for part in parts if part.startswith(name)), "")

    @property
    def ordered_by(self) -> str:
        """What the main measure's order rests on: z, mean or expected_wins; "" where nothing was ranked."""
        return next(iter(self.ranking.main.ordered_by.values()), "")

    @property
    def is_of_documents(self) -> bool:
        return self.ranking.main is not self.ranking

    @property
    def tests(self) -> list[PairTest]:
        return [test for test in self.ranking.main.tests if test.measure == self.ranking.main.main_measure]

    @property
    def has_intervals(self) -> bool:
        return any(not isinstance(system.interval, Missing) for system in self.ranking.main.systems)


def facts_of(run: Run) -> Facts | None:
    """None where the run was made before its scope was counted, or not all was computed that the sentences need."""
    campaign, parts = run.campaign, parts_of(run, *NEEDED, *OPTIONAL)
    scope, ranking = read_part(Scope, parts, "scope"), read_part(Ranking, parts, "ranking")
    agreement = read_part(AnnotatorAgreement, parts, "agreement")
    if campaign is None or scope is None or ranking is None or agreement is None:
        return None
    test_set = campaign.test_set
    measures = [measure for measure, _formula in measures_of(campaign)]
    return Facts(
        source_language=language_name(test_set.source_language),
        target_language=language_name(test_set.target_language),
        protocol=campaign.protocol,
        options=protocol_for(campaign.protocol, campaign.options).options,
        recipe=recipe_of_run(
            campaign.protocol,
            run.arguments.get("recipe"),
            run.arguments.get("options"),
            (run.result or {}).get("recipe"),
        ),
        scope=scope,
        ranking=ranking,
        agreement=agreement,
        signature=run.signature,
        reasons=_reasons(campaign, run),
        metrics=metrics_in(run.signature),
        allocation=read_part(Allocation, parts, "allocation"),
        ordinal_terms=_ordinal_terms(read_part(Mixed, parts, "mixed")),
        assisted=read_part(Assisted, parts, "assisted"),
        short_scales=frozenset(each.name for each in measures if each.high - each.low <= 10),
        placebo=_placebo(run, campaign),
        gamma=read_part(SpanGamma, parts, "gamma"),
        error_free=read_part(ErrorFreeOutputs, parts, "error_free"),
        screens=read_part(ScreenEffects, parts, "screens"),
        ceiling=ceiling_in(parts),
    )


def ceiling_in(parts: dict[str, Any]) -> HumanCeiling | None:
    """By itself, or as correlations with metrics have it."""
    return read_part(HumanCeiling, parts if "ceiling" in parts else parts.get("correlation") or {}, "ceiling")


def _placebo(run: Run, campaign: Campaign) -> PlaceboMeasure | None:
    """Of the newest run that tried the same rules on the same judgments."""
    arguments = {**USUAL, **run.arguments, "analyses": [*TRIED]}
    tried = runs_of(campaign, run.kind, status=RunStatus.DONE, arguments=arguments).first()
    signed = [part for part in run.signature.split("|") if not part.startswith("metric:")]
    if tried is None or tried.signature.split("|") != signed:
        return None
    if (tried.result or {}).get("judgments") != (run.result or {}).get("judgments"):
        return None
    result = read_part(Placebo, parts_of(tried, "placebo"), "placebo")
    return result.main if result else None


def _ordinal_terms(mixed: Mixed | None) -> list[str]:
    """In words, each once, of all measures that have the model."""
    used = {term for one in mixed.ordinal if not one.reason for term in one.levels} if mixed else set()
    return [words for term, words in RANDOM_TERMS.items() if term in used]


def metrics_in(signature: str) -> list[NamedMetric]:
    """The automatic metrics that a run compared with people, from its signature: without a query."""
    signed = [part.removeprefix("metric:") for part in signature.split("|") if part.startswith("metric:")]
    rests = {name: rest for name, _comma, rest in (each.partition(",") for each in signed)}
    return [
        NamedMetric(metric_title(name), "" if rest.startswith("imported,") else _licence_of(name))
        for name, rest in rests.items()
    ]


def _licence_of(metric: str) -> str:
    return f"weights {LIGHT.licence}" if uses_model(metric) and not has_model_name(metric) else licence_of(metric)


def _reasons(campaign: Campaign, run: Run) -> list[str]:
    """Why people were left out when the run began, in the words of who decided, without the names in them."""
    in_force = Q(lifted_at=None) | Q(lifted_at__gt=run.started_at)
    decided = Exclusion.objects.filter(in_force, campaign=campaign, decided_at__lte=run.started_at).order_by("pk")
    rows = list(decided.values_list("annotator__username", "reason"))
    nameless = People({}, {}, {name: "the annotator" for name, _reason in rows})
    return list(dict.fromkeys(nameless.in_text(" ".join(reason.split())) for _name, reason in rows))
