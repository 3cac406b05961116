"""What a finished run shows, in sentences that say no more than its tests and intervals do."""

from dataclasses import dataclass

from annotation.queries.annotator_work import annotator_names, exclusions_in
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.annotator_table import AnnotatorContext
from metrics.analyses.annotators import Annotator
from metrics.analyses.correlation import Correlations
from metrics.analyses.ranking import Ranking
from metrics.analyses.score_tables import ScoreTables
from metrics.analysis_runs import AnalysisRuns
from metrics.findings.agreement import finding_of_agreement
from metrics.findings.correlation import findings_of_metrics
from metrics.findings.ranking import finding_of_ranking, notes_on_ranking
from metrics.scoring.reading import read_metric_scores


@dataclass(frozen=True)
class Findings:
    """None where nothing can be concluded, or the run did not analyse it; `notes` are those on `results`."""

    results: str | None
    notes: list[str]
    agreement: str | None
    metrics: str | None


def findings_of(runs: AnalysisRuns) -> Findings:
    runs.parts("ranking", "agreement", "annotators", "correlation")  # in one query
    ranking = runs.result_of(Ranking, "ranking")
    return Findings(
        results=finding_of_ranking(ranking, runs.measures, runs.humans) if ranking else None,
        notes=notes_on_ranking(ranking) if ranking else [],
        agreement=_of_agreement(runs),
        metrics=". ".join(_of_metrics(runs)) or None,
    )


def _of_agreement(runs: AnalysisRuns) -> str | None:
    agreement = runs.result_of(AnnotatorAgreement, "agreement")
    if agreement is None:
        return None
    excluded = frozenset(each.annotator.username for each in exclusions_in(runs.campaign) if each.lifted_at is None)
    context = AnnotatorContext(people=annotator_names(runs.campaign), excluded=excluded)
    return finding_of_agreement(agreement, runs.result_of(tuple[Annotator, ...], "annotators") or (), context)


def _of_metrics(runs: AnalysisRuns) -> list[str]:
    if not runs.parts("correlation"):
        return []
    scores = read_metric_scores(runs.campaign.test_set, with_segments=False)
    return findings_of_metrics(ScoreTables(scores, runs.result_of(Correlations, "correlation")))
