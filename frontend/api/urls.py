"""The API's part of the site map; its addresses are stable."""

from django.urls import URLPattern, URLResolver, include, path

from frontend.api import (
    account,
    adjudications,
    campaign_drafts,
    campaigns,
    comparison,
    docs_page,
    exports,
    invitations,
    judging,
    judgments,
    late_texts,
    members,
    metric_scores,
    practice_settings,
    progress,
    runs,
    segments,
    test_sets,
    uploads,
)

item_routes = [
    path("draft", judging.DraftView.as_view(), name="api-draft"),
    path("judgments", judging.JudgmentsView.as_view(), name="api-judgments"),
    path("reports", judging.ReportsView.as_view(), name="api-reports"),
]

practice_routes = [
    path("items", judging.PracticeItemsView.as_view(), name="api-practice"),
    path("items/<str:item>/draft", judging.PracticeDraftView.as_view(), name="api-practice-draft"),
    path("items/<str:item>/judgments", judging.PracticeAnswersView.as_view(), name="api-practice-answers"),
]

annotator_routes: list[URLPattern | URLResolver] = [
    path("assignments", judging.AssignmentsView.as_view(), name="api-assignments"),
    path("campaigns/<slug:slug>/assignments", judging.NextAssignmentView.as_view(), name="api-next-assignment"),
    path("campaigns/<slug:slug>/practice/", include(practice_routes)),
    path("assignments/<int:pk>/items", judging.ItemsView.as_view(), name="api-items"),
    path("assignments/<int:pk>/items/<str:item>/", include(item_routes)),
]

campaign_routes = [
    path("deletion", campaigns.CampaignDeletionView.as_view(), name="api-campaign-deletion"),
    path("status", campaigns.CampaignStatusView.as_view(), name="api-campaign-status"),
    path("preview", judgments.PreviewView.as_view(), name="api-preview"),
    path("items/<uuid:item>", judgments.ShownItemView.as_view(), name="api-item"),
    path("practice/answers", practice_settings.PracticeResultsView.as_view(), name="api-practice-results"),
    path("practice", practice_settings.PracticeSettingsView.as_view(), name="api-practice-settings"),
    path("progress", progress.ProgressView.as_view(), name="api-progress"),
    path("work", progress.HeldView.as_view(), name="api-work"),
    path("work/<int:pk>/return", progress.ReturnView.as_view(), name="api-return"),
    path("work/<int:pk>/reset", progress.ResetView.as_view(), name="api-reset"),
    path("reports", progress.ReportedView.as_view(), name="api-problem-reports"),
    path("members", members.MembersView.as_view(), name="api-members"),
    path("members/<str:username>/roles/<str:role>", members.MemberView.as_view(), name="api-member"),
    path("accounts/<str:username>/sign-out", members.SignOutView.as_view(), name="api-sign-out"),
    path("accounts/<str:username>/close", members.CloseAccountView.as_view(), name="api-close-account"),
    path("adjudicators/<str:username>", members.AdjudicatorView.as_view(), name="api-adjudicator"),
    path("invitations", invitations.InvitationsView.as_view(), name="api-invitations"),
    path("invitations/<int:pk>", invitations.InvitationView.as_view(), name="api-invitation"),
    path("invitations/<int:pk>/renew", invitations.RenewInvitationView.as_view(), name="api-renew-invitation"),
    path("access", invitations.AccessView.as_view(), name="api-access"),
    path("annotators/<str:username>/password", invitations.PasswordView.as_view(), name="api-password"),
    path("exclusions", members.ExclusionsView.as_view(), name="api-exclusions"),
    path("withdrawal", account.WithdrawalView.as_view(), name="api-withdrawal"),
    path("annotators/<str:username>/forgetting", members.ForgettingView.as_view(), name="api-forgetting"),
    path("annotators/<str:username>/exclusion", members.ExclusionView.as_view(), name="api-exclusion"),
    path("annotators/<str:username>/exclusion/trial", members.ExclusionTrialView.as_view(), name="api-exclusion-trial"),
    path("comparison", comparison.ComparisonView.as_view(), name="api-comparison"),
    path("disagreements", judgments.DisagreementsView.as_view(), name="api-disagreements"),
    path("segments", segments.CampaignSegmentsView.as_view(), name="api-campaign-segments"),
    path("segments/runs", segments.ComparisonView.as_view(), name="api-compare-judgments"),
    path("segments/<int:pk>", segments.CampaignSegmentView.as_view(), name="api-campaign-segment"),
    path("judgments", judgments.CampaignJudgmentsView.as_view(), name="api-campaign-judgments"),
    path("segments/tags", segments.SegmentTagsView.as_view(), name="api-segment-tags"),
    path("adjudications", adjudications.AdjudicationsView.as_view(), name="api-adjudications"),
    path("adjudications/<int:pk>", adjudications.AdjudicationView.as_view(), name="api-adjudication"),
    path("runs", runs.CampaignRunsView.as_view(), name="api-campaign-runs"),
    path("archive", exports.ArchiveView.as_view(), name="api-archive"),
    path("late-texts", late_texts.LateTextsView.as_view(), name="api-late-texts"),
    path("extension", campaigns.ExtensionView.as_view(), name="api-extension"),
    path("shares", exports.SharesView.as_view(), name="api-shares"),
    path("shares/<int:pk>", exports.ShareView.as_view(), name="api-share"),
    path("exports", exports.ExportsView.as_view(), name="api-exports"),
    path("exports/<slug:format>", exports.ExportView.as_view(), name="api-export"),
    path("exports/<slug:format>/size", exports.ExportSizeView.as_view(), name="api-export-size"),
]

test_set_routes = [
    path("<slug:slug>", test_sets.TestSetView.as_view(), name="api-test-set"),
    path("<slug:slug>/segments", test_sets.SegmentsView.as_view(), name="api-segments"),
    path("<slug:slug>/metrics", metric_scores.MetricsView.as_view(), name="api-metrics"),
    path("<slug:slug>/imports", metric_scores.ScoreImportsView.as_view(), name="api-score-imports"),
    path("<slug:slug>/imports/<int:pk>", metric_scores.ScoreImportView.as_view(), name="api-score-import"),
    path("<slug:slug>/scores", metric_scores.ImportedScoresView.as_view(), name="api-imported-scores"),
]

run_routes = [
    path("<int:pk>", runs.RunView.as_view(), name="api-run"),
    path("<int:pk>/cancel", runs.CancelRunView.as_view(), name="api-cancel-run"),
    path("<int:pk>/finding", runs.FindingView.as_view(), name="api-run-finding"),
    path("<int:pk>/tables", runs.RunTablesView.as_view(), name="api-run-tables"),
    path("<int:pk>/tables/<slug:name>", runs.RunTableView.as_view(), name="api-run-table"),
    path("<int:pk>/paper", runs.PaperView.as_view(), name="api-paper"),
    path("<int:pk>/paper/tables/<slug:name>", runs.PaperTableView.as_view(), name="api-paper-table"),
    path("<int:pk>/paper/figures/<slug:name>", runs.PaperFigureView.as_view(), name="api-paper-figure"),
    path("<int:pk>/parts/<str:name>", runs.RunPartView.as_view(), name="api-run-part"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    *annotator_routes,
    path("account/data", account.AccountDataView.as_view(), name="api-account-data"),
    path("account", account.AccountView.as_view(), name="api-account"),
    path("sessions", account.SessionsView.as_view(), name="api-sessions"),
    path("sessions/<int:pk>", account.SessionView.as_view(), name="api-session"),
    path("tokens", account.TokensView.as_view(), name="api-tokens"),
    path("tokens/<int:pk>", account.TokenView.as_view(), name="api-token"),
    path("uploads", uploads.UploadsView.as_view(), name="api-uploads"),
    path("uploads/<uuid:upload>", uploads.UploadView.as_view(), name="api-upload"),
    path("test-sets", test_sets.TestSetsView.as_view(), name="api-test-sets"),
    path("test-sets/", include(test_set_routes)),
    path("plans", campaigns.PlanSumsView.as_view(), name="api-plan-sums"),
    path("rebuilds", exports.RebuildView.as_view(), name="api-rebuilds"),
    path("campaign-drafts", campaign_drafts.CampaignDraftsView.as_view(), name="api-campaign-drafts"),
    path("campaign-drafts/<int:pk>", campaign_drafts.CampaignDraftView.as_view(), name="api-campaign-draft"),
    path("campaigns", campaigns.CampaignsView.as_view(), name="api-campaigns"),
    path("campaigns/<slug:slug>", campaigns.CampaignView.as_view(), name="api-campaign"),
    path("campaigns/<slug:slug>/", include(campaign_routes)),
    path("runs", runs.RunsView.as_view(), name="api-runs"),
    path("runs/", include(run_routes)),
    path("schema/", docs_page.schema_file, name="api-schema"),
    path("docs/", docs_page.docs_page, name="api-docs"),
    path("docs/<slug:resource>/", docs_page.resource_page, name="api-docs-resource"),
]
