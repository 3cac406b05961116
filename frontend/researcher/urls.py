"""A researcher's addresses, under one campaign."""

from django.urls import path

from frontend.researcher import (
    adjudication,
    agreement_page,
    comparison,
    disagreements,
    exports,
    flags,
    media,
    result_files,
    results,
    segments,
    shared,
)
from frontend.researcher.automatic_metrics import views as metrics
from frontend.researcher.segment_page import DisagreementRuns, disagreement_runs
from frontend.run_pages import PageRuns, requested_runs, run_routes

campaign_routes = [
    path("results/", results.results, name="researcher-results"),
    *run_routes("results", PageRuns, requested_runs),
    path("results/weights/", results.own_weights, name="researcher-weights"),
    path("results/tolerance/", results.own_tolerance, name="researcher-tolerance"),
    path("results/systems.csv", result_files.results, name="researcher-results-csv"),
    path("results/<slug:table>.csv", result_files.results, name="researcher-results-table"),
    path("results/compare/", comparison.comparison, name="researcher-compare"),
    path("results/compare/<slug:table>.csv", comparison.comparison_csv, name="researcher-compare-csv"),
    path("metrics/", metrics.metrics, name="researcher-metrics"),
    path("metrics/state/", metrics.metrics_state, name="researcher-metrics-state"),
    path("metrics/score/", metrics.score, name="researcher-metrics-score"),
    path("metrics/cancel/", metrics.cancel_scoring, name="researcher-metrics-cancel"),
    path("metrics/correlate/", metrics.correlate, name="researcher-metrics-correlate"),
    path("metrics/suggest/", metrics.suggest, name="researcher-metrics-suggest"),
    path("metrics/<slug:name>.csv", result_files.metrics, name="researcher-metrics-file"),
    path("agreement/", agreement_page.agreement_page, name="researcher-agreement"),
    path("agreement/coefficients.csv", result_files.agreement, {"table": "agreement"}, name="researcher-agreement-csv"),
    path("agreement/pairs.csv", result_files.agreement, {"table": "agreement-pairs"}, name="researcher-pairs-csv"),
    path("agreement/gamma.csv", result_files.agreement, {"table": "agreement-gamma"}, name="researcher-gamma-csv"),
    path("agreement/spans.csv", result_files.agreement, {"table": "agreement-spans"}, name="researcher-spans-csv"),
    path(
        "agreement/error-free.csv",
        result_files.agreement,
        {"table": "agreement-error-free"},
        name="researcher-error-free-csv",
    ),
    path("agreement/annotators.csv", result_files.agreement, {"table": "annotators"}, name="researcher-annotators-csv"),
    path("agreement/drift.csv", result_files.agreement, {"table": "drift"}, name="researcher-drift-csv"),
    path("agreement/decisions.csv", agreement_page.decisions_csv, name="researcher-decisions-csv"),
    path("agreement/pair/", disagreements.disagreements, name="researcher-disagreements"),
    path("agreement/pair.csv", disagreements.disagreements_csv, name="researcher-disagreements-csv"),
    path("segments/", segments.segments, name="researcher-segments"),
    *run_routes("segments", DisagreementRuns, disagreement_runs),
    path("segments/<int:pk>/tags/", segments.add_tag, name="researcher-tag"),
    path("segments/<int:pk>/tags/remove/", segments.remove_tag, name="researcher-untag"),
    path("segments/<int:pk>/answers.csv", segments.segment_csv, name="researcher-segment-csv"),
    path("media/<str:file_hash>", media.medium, name="researcher-medium"),
    path("media/<str:file_hash>/captions", media.captions, name="researcher-captions"),
    path("segments/flags/", flags.flags, name="researcher-flags"),
    *run_routes("segments/flags", flags.FlagRuns, flags.flags_of_campaign),
    path("segments/flags.csv", flags.flags_csv, name="researcher-flags-csv"),
    path("segments.csv", segments.segments_csv, name="researcher-segments-csv"),
    path("outputs/<int:pk>/adjudicate/", adjudication.decide, name="organiser-adjudicate"),
    path("adjudications/<int:pk>/undo/", adjudication.undo, name="organiser-undo-adjudication"),
    path("exports/", exports.exports, name="researcher-exports"),
    path("exports/sizes/", exports.export_sizes, name="researcher-export-sizes"),
    path("exports/tokens/", exports.new_token, name="researcher-new-token"),
    path("exports/tokens/<int:pk>/revoke/", exports.revoke_token, name="researcher-revoke-token"),
    path("exports/campaign.zip", exports.archive_file, name="researcher-archive"),
    path("exports/shares/", exports.share, name="researcher-share"),
    path("exports/shares/<int:pk>/revoke/", exports.revoke_share, name="researcher-revoke-share"),
    path("exports/tables/<slug:name>.<slug:form>", result_files.paper_table, name="researcher-table"),
    path("exports/figures/<slug:name>.svg", result_files.paper_figure, name="researcher-figure"),
    path("exports/methods.<slug:form>", result_files.methods, name="researcher-methods"),
    path("exports/<str:format>/", exports.export_file, name="researcher-export"),
]

urlpatterns = [
    path("shared/<str:secret>/", shared.shared_results, name="shared-results"),
    path("shared/<str:secret>/texts/", shared.shared_texts, name="shared-texts"),
]
