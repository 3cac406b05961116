"""An organiser's addresses."""

from django.urls import URLPattern, URLResolver, include, path

from frontend.organiser.annotator_pages import annotator_page, reassign, reset
from frontend.organiser.campaign_list import campaign_list
from frontend.organiser.exclusions import effect_csv, effect_state, leave_out, take_back, try_out
from frontend.organiser.extending import extend, extend_state
from frontend.organiser.forgetting import forget
from frontend.organiser.guidelines import guidelines
from frontend.organiser.member_access import close, member, remove, sign_out_member
from frontend.organiser.new_campaign import creation, creation_state, discard_draft, new_campaign, new_sums, sample
from frontend.organiser.overview import annotators_csv, change_status, days_csv, hours_csv, overview, progress
from frontend.organiser.people import admit, allow_adjudicating, invite, new_password, people, renew, revoke
from frontend.organiser.practice import practice, practice_csv
from frontend.organiser.preview import item_page, preview
from frontend.organiser.problem_reports import reports, reports_csv
from frontend.organiser.rebuild import rebuild, rebuilding, rebuilding_state
from frontend.organiser.score_imports import (
    forget_imported,
    remove_score_upload,
    score_files,
    score_import,
    score_upload,
)
from frontend.organiser.stalled_work import give_back_stalled_work
from frontend.organiser.upload_pages import remove_upload, upload_state, uploads

upload_routes = [
    path("", upload_state, name="organiser-upload"),
    path("remove/", remove_upload, name="organiser-upload-remove"),
]

new_routes: list[URLPattern | URLResolver] = [
    path("", new_campaign, name="organiser-new"),
    path("sums/", new_sums, name="organiser-new-sums"),
    path("sample.csv", sample, name="organiser-sample"),
    path("runs/<int:pk>/", creation, name="organiser-creation"),
    path("runs/<int:pk>/state/", creation_state, name="organiser-creation-state"),
    path("drafts/<int:pk>/discard/", discard_draft, name="organiser-discard-draft"),
    path("uploads/", uploads, name="organiser-uploads"),
    path("uploads/<uuid:upload>/", include(upload_routes)),
]

annotator_routes = [
    path("", annotator_page, name="organiser-annotator"),
    path("forget/", forget, name="organiser-forget"),
    path("leave-out/", leave_out, name="organiser-leave-out"),
    path("leave-out/try/", try_out, name="organiser-try-out"),
    path("leave-out/state/", effect_state, name="organiser-effect-state"),
    path("leave-out/effect.csv", effect_csv, name="organiser-effect-csv"),
    path("take-back/", take_back, name="organiser-take-back"),
    path("assignments/<int:pk>/reassign/", reassign, name="organiser-reassign"),
    path("assignments/<int:pk>/reset/", reset, name="organiser-reset"),
]

score_routes = [
    path("", score_import, name="organiser-score-import"),
    path("files/", score_files, name="organiser-score-files"),
    path("files/<uuid:upload>/", score_upload, name="organiser-score-upload"),
    path("files/<uuid:upload>/remove/", remove_score_upload, name="organiser-score-upload-remove"),
    path("<int:pk>/forget/", forget_imported, name="organiser-score-forget"),
]

campaign_routes: list[URLPattern | URLResolver] = [
    path("overview/", overview, name="organiser-overview"),
    path("overview/progress/", progress, name="organiser-progress"),
    path("overview/annotators.csv", annotators_csv, name="organiser-progress-csv"),
    path("overview/days.csv", days_csv, name="organiser-days-csv"),
    path("overview/hours.csv", hours_csv, name="organiser-hours-csv"),
    path("overview/standing-work/", give_back_stalled_work, name="organiser-standing-work"),
    path("reports/", reports, name="organiser-reports"),
    path("reports.csv", reports_csv, name="organiser-reports-csv"),
    path("items/<uuid:item>/", item_page, name="organiser-item"),
    path("annotators/<str:username>/", include(annotator_routes)),
    path("preview/", preview, name="organiser-preview"),
    path("extend/", extend, name="organiser-extend"),
    path("extend/state/", extend_state, name="organiser-extend-state"),
    path("status/", change_status, name="organiser-status"),
    path("texts/", guidelines, name="organiser-guidelines"),
    path("practise/", practice, name="organiser-practice"),
    path("practise/answers.csv", practice_csv, name="organiser-practice-csv"),
    path("metrics/import/", include(score_routes)),
    path("people/", people, name="organiser-people"),
    path("people/invite/", invite, name="organiser-invite"),
    path("members/<int:pk>/adjudicating/", allow_adjudicating, name="organiser-adjudicating"),
    path("people/admit/", admit, name="organiser-admit"),
    path("people/accounts/<str:username>/password/", new_password, name="organiser-new-password"),
    path("members/<int:pk>/", member, name="organiser-member"),
    path("members/<int:pk>/sign-out/", sign_out_member, name="organiser-sign-out"),
    path("members/<int:pk>/remove/", remove, name="organiser-remove"),
    path("members/<int:pk>/close/", close, name="organiser-close-account"),
    path("people/<int:pk>/renew/", renew, name="organiser-renew"),
    path("people/<int:pk>/revoke/", revoke, name="organiser-revoke"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("campaigns/", campaign_list, name="organiser-campaigns"),
    path("new-campaign/", include(new_routes)),
    path("rebuild-campaign/", rebuild, name="organiser-rebuild"),
    path("rebuild-campaign/<int:pk>/", rebuilding, name="organiser-rebuilding"),
    path("rebuild-campaign/<int:pk>/state/", rebuilding_state, name="organiser-rebuilding-state"),
]
