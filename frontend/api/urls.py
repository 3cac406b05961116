"""The API's part of the site map; the addresses are a promise."""

from django.urls import URLPattern, URLResolver, include, path

from frontend.api.account import AccountView, SessionsView, SessionView, TokensView, TokenView
from frontend.api.adjudications import AdjudicationsView, AdjudicationView
from frontend.api.campaign_drafts import CampaignDraftsView, CampaignDraftView
from frontend.api.campaign_judgments import CampaignJudgmentsView
from frontend.api.campaigns import CampaignStatusView, CampaignsView, CampaignView, PlanSumsView
from frontend.api.disagreements import DisagreementsView
from frontend.api.docs_page import docs_page, schema_file
from frontend.api.exclusions import ExclusionsView, ExclusionTrialView, ExclusionView
from frontend.api.exports import ArchiveView, ExportSizeView, ExportsView, ExportView, RebuildView
from frontend.api.extending import ExtensionView
from frontend.api.imported_scores import ImportedScoresView, ScoreImportsView, ScoreImportView
from frontend.api.invitations import (
    AccessView,
    InvitationsView,
    InvitationView,
    PasswordView,
    RenewInvitationView,
)
from frontend.api.judging import (
    AssignmentsView,
    DraftView,
    ItemsView,
    JudgmentsView,
    NextAssignmentView,
    PracticeAnswersView,
    PracticeDraftView,
    PracticeItemsView,
    ReportsView,
)
from frontend.api.members import (
    AdjudicatorView,
    CloseAccountView,
    MembersView,
    MemberView,
    SignOutView,
)
from frontend.api.metric_scores import MetricsView
from frontend.api.personal_data import AccountDataView, ForgettingView, WithdrawalView
from frontend.api.practice_settings import PracticeResultsView, PracticeSettingsView
from frontend.api.progress import HeldView, ProgressView, ReportedView, ResetView, ReturnView
from frontend.api.run_tables import (
    FindingView,
    PaperFigureView,
    PaperTableView,
    PaperView,
    RunTablesView,
    RunTableView,
)
from frontend.api.runs import CampaignRunsView, CancelRunView, RunPartView, RunsView, RunView
from frontend.api.segments import CampaignSegmentsView, CampaignSegmentView, ComparisonView, SegmentTagsView
from frontend.api.shares import SharesView, ShareView
from frontend.api.shown_items import PreviewView, ShownItemView
from frontend.api.test_sets import SegmentsView, TestSetsView, TestSetView
from frontend.api.uploads import UploadsView, UploadView

item_routes = [
    path("draft", DraftView.as_view(), name="api-draft"),
    path("judgments", JudgmentsView.as_view(), name="api-judgments"),
    path("reports", ReportsView.as_view(), name="api-reports"),
]

practice_routes = [
    path("items", PracticeItemsView.as_view(), name="api-practice"),
    path("items/<str:item>/draft", PracticeDraftView.as_view(), name="api-practice-draft"),
    path("items/<str:item>/judgments", PracticeAnswersView.as_view(), name="api-practice-answers"),
]

annotator_routes: list[URLPattern | URLResolver] = [
    path("assignments", AssignmentsView.as_view(), name="api-assignments"),
    path("campaigns/<slug:slug>/assignments", NextAssignmentView.as_view(), name="api-next-assignment"),
    path("campaigns/<slug:slug>/practice/", include(practice_routes)),
    path("assignments/<int:pk>/items", ItemsView.as_view(), name="api-items"),
    path("assignments/<int:pk>/items/<str:item>/", include(item_routes)),
]

campaign_routes = [
    path("status", CampaignStatusView.as_view(), name="api-campaign-status"),
    path("preview", PreviewView.as_view(), name="api-preview"),
    path("items/<uuid:item>", ShownItemView.as_view(), name="api-item"),
    path("practice/answers", PracticeResultsView.as_view(), name="api-practice-results"),
    path("practice", PracticeSettingsView.as_view(), name="api-practice-settings"),
    path("progress", ProgressView.as_view(), name="api-progress"),
    path("work", HeldView.as_view(), name="api-work"),
    path("work/<int:pk>/return", ReturnView.as_view(), name="api-return"),
    path("work/<int:pk>/reset", ResetView.as_view(), name="api-reset"),
    path("reports", ReportedView.as_view(), name="api-problem-reports"),
    path("members", MembersView.as_view(), name="api-members"),
    path("members/<str:username>/roles/<str:role>", MemberView.as_view(), name="api-member"),
    path("accounts/<str:username>/sign-out", SignOutView.as_view(), name="api-sign-out"),
    path("accounts/<str:username>/close", CloseAccountView.as_view(), name="api-close-account"),
    path("adjudicators/<str:username>", AdjudicatorView.as_view(), name="api-adjudicator"),
    path("invitations", InvitationsView.as_view(), name="api-invitations"),
    path("invitations/<int:pk>", InvitationView.as_view(), name="api-invitation"),
    path("invitations/<int:pk>/renew", RenewInvitationView.as_view(), name="api-renew-invitation"),
    path("access", AccessView.as_view(), name="api-access"),
    path("annotators/<str:username>/password", PasswordView.as_view(), name="api-password"),
    path("exclusions", ExclusionsView.as_view(), name="api-exclusions"),
    path("withdrawal", WithdrawalView.as_view(), name="api-withdrawal"),
    path("annotators/<str:username>/forgetting", ForgettingView.as_view(), name="api-forgetting"),
    path("annotators/<str:username>/exclusion", ExclusionView.as_view(), name="api-exclusion"),
    path("annotators/<str:username>/exclusion/trial", ExclusionTrialView.as_view(), name="api-exclusion-trial"),
    path("disagreements", DisagreementsView.as_view(), name="api-disagreements"),
    path("segments", CampaignSegmentsView.as_view(), name="api-campaign-segments"),
    path("segments/runs", ComparisonView.as_view(), name="api-compare-judgments"),
    path("segments/<int:pk>", CampaignSegmentView.as_view(), name="api-campaign-segment"),
    path("judgments", CampaignJudgmentsView.as_view(), name="api-campaign-judgments"),
    path("segments/tags", SegmentTagsView.as_view(), name="api-segment-tags"),
    path("adjudications", AdjudicationsView.as_view(), name="api-adjudications"),
    path("adjudications/<int:pk>", AdjudicationView.as_view(), name="api-adjudication"),
    path("runs", CampaignRunsView.as_view(), name="api-campaign-runs"),
    path("archive", ArchiveView.as_view(), name="api-archive"),
    path("extension", ExtensionView.as_view(), name="api-extension"),
    path("shares", SharesView.as_view(), name="api-shares"),
    path("shares/<int:pk>", ShareView.as_view(), name="api-share"),
    path("exports", ExportsView.as_view(), name="api-exports"),
    path("exports/<slug:format>", ExportView.as_view(), name="api-export"),
    path("exports/<slug:format>/size", ExportSizeView.as_view(), name="api-export-size"),
]

test_set_routes = [
    path("<slug:slug>", TestSetView.as_view(), name="api-test-set"),
    path("<slug:slug>/segments", SegmentsView.as_view(), name="api-segments"),
    path("<slug:slug>/metrics", MetricsView.as_view(), name="api-metrics"),
    path("<slug:slug>/imports", ScoreImportsView.as_view(), name="api-score-imports"),
    path("<slug:slug>/imports/<int:pk>", ScoreImportView.as_view(), name="api-score-import"),
    path("<slug:slug>/scores", ImportedScoresView.as_view(), name="api-imported-scores"),
]

run_routes = [
    path("<int:pk>", RunView.as_view(), name="api-run"),
    path("<int:pk>/cancel", CancelRunView.as_view(), name="api-cancel-run"),
    path("<int:pk>/finding", FindingView.as_view(), name="api-run-finding"),
    path("<int:pk>/tables", RunTablesView.as_view(), name="api-run-tables"),
    path("<int:pk>/tables/<slug:name>", RunTableView.as_view(), name="api-run-table"),
    path("<int:pk>/paper", PaperView.as_view(), name="api-paper"),
    path("<int:pk>/paper/tables/<slug:name>", PaperTableView.as_view(), name="api-paper-table"),
    path("<int:pk>/paper/figures/<slug:name>", PaperFigureView.as_view(), name="api-paper-figure"),
    path("<int:pk>/parts/<str:name>", RunPartView.as_view(), name="api-run-part"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    *annotator_routes,
    path("account/data", AccountDataView.as_view(), name="api-account-data"),
    path("account", AccountView.as_view(), name="api-account"),
    path("sessions", SessionsView.as_view(), name="api-sessions"),
    path("sessions/<int:pk>", SessionView.as_view(), name="api-session"),
    path("tokens", TokensView.as_view(), name="api-tokens"),
    path("tokens/<int:pk>", TokenView.as_view(), name="api-token"),
    path("uploads", UploadsView.as_view(), name="api-uploads"),
    path("uploads/<uuid:upload>", UploadView.as_view(), name="api-upload"),
    path("test-sets", TestSetsView.as_view(), name="api-test-sets"),
    path("test-sets/", include(test_set_routes)),
    path("plans", PlanSumsView.as_view(), name="api-plan-sums"),
    path("rebuilds", RebuildView.as_view(), name="api-rebuilds"),
    path("campaign-drafts", CampaignDraftsView.as_view(), name="api-campaign-drafts"),
    path("campaign-drafts/<int:pk>", CampaignDraftView.as_view(), name="api-campaign-draft"),
    path("campaigns", CampaignsView.as_view(), name="api-campaigns"),
    path("campaigns/<slug:slug>", CampaignView.as_view(), name="api-campaign"),
    path("campaigns/<slug:slug>/", include(campaign_routes)),
    path("runs", RunsView.as_view(), name="api-runs"),
    path("runs/", include(run_routes)),
    path("schema/", schema_file, name="api-schema"),
    path("docs/", docs_page, name="api-docs"),
]
