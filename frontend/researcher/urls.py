"""A researcher's addresses, under one campaign."""

from django.urls import path

from frontend.researcher.adjudication import decide, undo
from frontend.researcher.agreement_page import (
    agreement_file,
    agreement_page,
    decisions_csv,
)
from frontend.researcher.automatic_metrics.views import cancel_scoring, correlate, metrics, metrics_state, score
from frontend.researcher.disagreements import disagreements, disagreements_csv
from frontend.researcher.exports import (
    archive_file,
    export_file,
    export_sizes,
    exports,
    new_token,
    revoke_share,
    revoke_token,
    share,
)
from frontend.researcher.paper_files import figure_file, methods_file, table_file
from frontend.researcher.result_files import metrics_file, result_table
from frontend.researcher.results import cancel, compute, own_weights, refresh, results, results_state
from frontend.researcher.segments import (
    add_tag,
    cancel_segments,
    compute_segments,
    refresh_segments,
    remove_tag,
    segment_csv,
    segments,
    segments_csv,
    segments_state,
)
from frontend.researcher.shared import shared_results, shared_texts

campaign_routes = [
    path("results/", results, name="researcher-results"),
    path("results/state/", results_state, name="researcher-results-state"),
    path("results/compute/", compute, name="researcher-compute"),
    path("results/refresh/", refresh, name="researcher-refresh"),
    path("results/cancel/", cancel, name="researcher-cancel"),
    path("results/weights/", own_weights, name="researcher-weights"),
    path("results/systems.csv", result_table, name="researcher-results-csv"),
    path("results/<slug:table>.csv", result_table, name="researcher-results-table"),
    path("metrics/", metrics, name="researcher-metrics"),
    path("metrics/state/", metrics_state, name="researcher-metrics-state"),
    path("metrics/score/", score, name="researcher-metrics-score"),
    path("metrics/cancel/", cancel_scoring, name="researcher-metrics-cancel"),
    path("metrics/correlate/", correlate, name="researcher-metrics-correlate"),
    path("metrics/<slug:name>.csv", metrics_file, name="researcher-metrics-file"),
    path("agreement/", agreement_page, name="researcher-agreement"),
    path("agreement/coefficients.csv", agreement_file, {"table": "agreement"}, name="researcher-agreement-csv"),
    path("agreement/pairs.csv", agreement_file, {"table": "pairs"}, name="researcher-pairs-csv"),
    path("agreement/annotators.csv", agreement_file, {"table": "annotators"}, name="researcher-annotators-csv"),
    path("agreement/decisions.csv", decisions_csv, name="researcher-decisions-csv"),
    path("agreement/pair/", disagreements, name="researcher-disagreements"),
    path("agreement/pair.csv", disagreements_csv, name="researcher-disagreements-csv"),
    path("segments/", segments, name="researcher-segments"),
    path("segments/state/", segments_state, name="researcher-segments-state"),
    path("segments/compute/", compute_segments, name="researcher-segments-compute"),
    path("segments/refresh/", refresh_segments, name="researcher-segments-refresh"),
    path("segments/cancel/", cancel_segments, name="researcher-segments-cancel"),
    path("segments/<int:pk>/tags/", add_tag, name="researcher-tag"),
    path("segments/<int:pk>/tags/remove/", remove_tag, name="researcher-untag"),
    path("segments/<int:pk>/answers.csv", segment_csv, name="researcher-segment-csv"),
    path("segments.csv", segments_csv, name="researcher-segments-csv"),
    path("outputs/<int:pk>/adjudicate/", decide, name="organiser-adjudicate"),
    path("adjudications/<int:pk>/undo/", undo, name="organiser-undo-adjudication"),
    path("exports/", exports, name="researcher-exports"),
    path("exports/sizes/", export_sizes, name="researcher-export-sizes"),
    path("exports/tokens/", new_token, name="researcher-new-token"),
    path("exports/tokens/<int:pk>/revoke/", revoke_token, name="researcher-revoke-token"),
    path("exports/campaign.zip", archive_file, name="researcher-archive"),
    path("exports/shares/", share, name="researcher-share"),
    path("exports/shares/<int:pk>/revoke/", revoke_share, name="researcher-revoke-share"),
    path("exports/tables/<slug:name>.<slug:form>", table_file, name="researcher-table"),
    path("exports/figures/<slug:name>.svg", figure_file, name="researcher-figure"),
    path("exports/methods.<slug:form>", methods_file, name="researcher-methods"),
    path("exports/<slug:format>/", export_file, name="researcher-export"),
]

urlpatterns = [
    path("shared/<str:secret>/", shared_results, name="shared-results"),
    path("shared/<str:secret>/texts/", shared_texts, name="shared-texts"),
]
