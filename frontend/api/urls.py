"""The API's part of the site map; the addresses are a promise."""

from django.urls import include, path

from drf_spectacular.views import SpectacularAPIView

import frontend.api.security_schemes  # noqa: F401 - known to the schema by being imported
from frontend.api.assignments import AssignmentsView, NextAssignmentView
from frontend.api.items import DraftView, ItemsView, JudgmentsView, ReportsView
from frontend.api.practice import PracticeAnswersView, PracticeDraftView, PracticeItemsView

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

urlpatterns = [
    path("assignments", AssignmentsView.as_view(), name="api-assignments"),
    path("campaigns/<slug:slug>/assignments", NextAssignmentView.as_view(), name="api-next-assignment"),
    path("campaigns/<slug:slug>/practice/", include(practice_routes)),
    path("assignments/<int:pk>/items", ItemsView.as_view(), name="api-items"),
    path("assignments/<int:pk>/items/<str:item>/", include(item_routes)),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
]
