"""A researcher's addresses, under one campaign."""

from django.urls import path

from frontend.researcher.exports import archive_file, export_file, exports, new_token, revoke_token
from frontend.researcher.results import compute, results, results_csv, results_state

campaign_routes = [
    path("results/", results, name="researcher-results"),
    path("results/state/", results_state, name="researcher-results-state"),
    path("results/compute/", compute, name="researcher-compute"),
    path("results/systems.csv", results_csv, name="researcher-results-csv"),
    path("exports/", exports, name="researcher-exports"),
    path("exports/tokens/", new_token, name="researcher-new-token"),
    path("exports/tokens/<int:pk>/revoke/", revoke_token, name="researcher-revoke-token"),
    path("exports/campaign.zip", archive_file, name="researcher-archive"),
    path("exports/<slug:format>/", export_file, name="researcher-export"),
]
