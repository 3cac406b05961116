"""A researcher's addresses, under one campaign."""

from django.urls import path

from frontend.researcher.exports import archive_file, export_file, exports, new_token, revoke_token
from frontend.researcher.metrics.files import metrics_file
from frontend.researcher.metrics.views import cancel_scoring, correlate, metrics, metrics_state, score
from frontend.researcher.results import compute, results, results_csv, results_state

campaign_routes = [
    path("results/", results, name="researcher-results"),
    path("results/state/", results_state, name="researcher-results-state"),
    path("results/compute/", compute, name="researcher-compute"),
    path("results/systems.csv", results_csv, name="researcher-results-csv"),
    path("metrics/", metrics, name="researcher-metrics"),
    path("metrics/state/", metrics_state, name="researcher-metrics-state"),
    path("metrics/score/", score, name="researcher-metrics-score"),
    path("metrics/cancel/", cancel_scoring, name="researcher-metrics-cancel"),
    path("metrics/correlate/", correlate, name="researcher-metrics-correlate"),
    path("metrics/<slug:name>.csv", metrics_file, name="researcher-metrics-file"),
    path("exports/", exports, name="researcher-exports"),
    path("exports/tokens/", new_token, name="researcher-new-token"),
    path("exports/tokens/<int:pk>/revoke/", revoke_token, name="researcher-revoke-token"),
    path("exports/campaign.zip", archive_file, name="researcher-archive"),
    path("exports/<slug:format>/", export_file, name="researcher-export"),
]
