"""An organiser's addresses."""

from django.urls import URLPattern, URLResolver, include, path

from frontend.organiser import (
    annotator_pages,
    attention_checks,
    campaign_list,
    guidelines,
    housekeeping,
    item_choice,
    items,
    late_texts,
    mending,
    new_campaign,
    overview,
    people,
    practice_item,
    questionnaire_answers,
    questionnaires,
    race,
    score_imports,
    test_set_guidance,
    test_set_media,
    upload_pages,
)

upload_routes = [
    path("realigned/<slug:key>/", mending.mend, name="organiser-upload-realigned"),
    path("", upload_pages.upload_state, name="organiser-upload"),
    path("remove/", upload_pages.remove_upload, name="organiser-upload-remove"),
]

new_routes: list[URLPattern | URLResolver] = [
    path("", new_campaign.new_campaign, name="organiser-new"),
    path("sums/", new_campaign.new_sums, name="organiser-new-sums"),
    path("people/", people.people_list, name="organiser-people-list"),
    path("sample.csv", new_campaign.sample, name="organiser-sample"),
    path("runs/<int:pk>/", new_campaign.creation, name="organiser-creation"),
    path("runs/<int:pk>/state/", new_campaign.creation_state, name="organiser-creation-state"),
    path("drafts/discard/", new_campaign.discard_drafts, name="organiser-discard-drafts"),
    path("drafts/<int:pk>/discard/", new_campaign.discard_draft, name="organiser-discard-draft"),
    path("uploads/", upload_pages.uploads, name="organiser-uploads"),
    path("uploads/<uuid:upload>/", include(upload_routes)),
]

annotator_routes = [
    path("", annotator_pages.annotator_page, name="organiser-annotator"),
    path("forget/", annotator_pages.forget, name="organiser-forget"),
    path("leave-out/", annotator_pages.leave_out, name="organiser-leave-out"),
    path("leave-out/try/", annotator_pages.try_out, name="organiser-try-out"),
    path("leave-out/state/", annotator_pages.effect_state, name="organiser-effect-state"),
    path("leave-out/effect.csv", annotator_pages.effect_csv, name="organiser-effect-csv"),
    path("take-back/", annotator_pages.take_back, name="organiser-take-back"),
    path("assignments/<int:pk>/reassign/", annotator_pages.reassign, name="organiser-reassign"),
    path("assignments/<int:pk>/reset/", annotator_pages.reset, name="organiser-reset"),
]

score_routes = [
    path("", score_imports.score_import, name="organiser-score-import"),
    path("files/", score_imports.score_files, name="organiser-score-files"),
    path("files/<uuid:upload>/", score_imports.score_upload, name="organiser-score-upload"),
    path("files/<uuid:upload>/remove/", score_imports.remove_score_upload, name="organiser-score-upload-remove"),
    path("<int:pk>/forget/", score_imports.forget_imported, name="organiser-score-forget"),
]

questionnaire_routes = [
    path("", questionnaires.questionnaire, name="organiser-questionnaire"),
    path("preview/", questionnaires.preview, name="organiser-questionnaire-preview"),
    path("answers/", questionnaire_answers.answers, name="organiser-answers"),
    path("answers.csv", questionnaire_answers.answers_csv, name="organiser-answers-csv"),
    path("distribution.csv", questionnaire_answers.distribution_csv, name="organiser-distribution-csv"),
    path("questions.json", questionnaires.questions_json, name="organiser-questions-json"),
    path("questions.csv", questionnaires.questions_csv, name="organiser-questions-csv"),
]

campaign_routes: list[URLPattern | URLResolver] = [
    path("overview/", overview.overview, name="organiser-overview"),
    path("overview/progress/", overview.progress, name="organiser-progress"),
    path("overview/annotators.csv", overview.annotators_csv, name="organiser-progress-csv"),
    path("overview/days.csv", overview.days_csv, name="organiser-days-csv"),
    path("overview/hours.csv", overview.hours_csv, name="organiser-hours-csv"),
    path("overview/coverage.csv", overview.coverage_csv, name="organiser-coverage-csv"),
    path("overview/checks.csv", attention_checks.checks_csv, name="organiser-checks-csv"),
    path("overview/race/", race.change_race, name="organiser-race"),
    path("overview/race.csv", race.looks_csv, name="organiser-race-csv"),
    path("overview/drawn.csv", race.drawn_csv, name="organiser-drawn-csv"),
    path("overview/standing-work/", overview.give_back_stalled_work, name="organiser-standing-work"),
    path("reports/", items.reports, name="organiser-reports"),
    path("reports.csv", items.reports_csv, name="organiser-reports-csv"),
    path("items/<uuid:item>/", items.item_page, name="organiser-item"),
    path("annotators/<str:username>/", include(annotator_routes)),
    path("preview/", items.preview, name="organiser-preview"),
    path("extend/", overview.extend, name="organiser-extend"),
    path("extend/state/", overview.extend_state, name="organiser-extend-state"),
    path("late-texts/", late_texts.late_texts, name="organiser-late-texts"),
    path("status/", overview.change_status, name="organiser-status"),
    path("texts/", guidelines.guidelines, name="organiser-guidelines"),
    path("practise/", guidelines.practice, name="organiser-practice"),
    path("practise/from-test-set/", practice_item.practice_item, name="organiser-practice-item"),
    path("practise/answers.csv", guidelines.practice_csv, name="organiser-practice-csv"),
    path("questionnaires/<slug:moment>/", include(questionnaire_routes)),
    path("metrics/import/", include(score_routes)),
    path("manage/", housekeeping.manage, name="organiser-manage"),
    path("created/", people.created, name="organiser-created"),
    path("people/", people.people, name="organiser-people"),
    path("people/invite/", people.invite, name="organiser-invite"),
    path("members/<int:pk>/adjudicating/", people.allow_adjudicating, name="organiser-adjudicating"),
    path("people/admit/", people.admit, name="organiser-admit"),
    path("people/accounts/<str:username>/password/", people.new_password, name="organiser-new-password"),
    path("members/<int:pk>/", people.member, name="organiser-member"),
    path("members/<int:pk>/name/", people.rename_member, name="organiser-rename-member"),
    path("members/<int:pk>/sign-out/", people.sign_out_member, name="organiser-sign-out"),
    path("members/<int:pk>/remove/", people.remove, name="organiser-remove"),
    path("members/<int:pk>/close/", people.close, name="organiser-close-account"),
    path("people/<int:pk>/renew/", people.renew, name="organiser-renew"),
    path("people/<int:pk>/revoke/", people.revoke, name="organiser-revoke"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("campaigns/", campaign_list.campaign_list, name="organiser-campaigns"),
    path("deleted-campaigns/<int:pk>/restore/", housekeeping.restore, name="organiser-restore"),
    path("test-sets/", housekeeping.test_sets, name="organiser-test-sets"),
    path("test-sets/<slug:slug>/media/", test_set_media.test_set_media, name="organiser-test-set-media"),
    path("test-sets/<slug:slug>/guidance/", test_set_guidance.test_set_guidance, name="organiser-test-set-guidance"),
    path("test-sets/<slug:slug>/items/", item_choice.item_choice, name="organiser-test-set-items"),
    path("test-sets/<slug:slug>/items.csv", item_choice.items_csv, name="organiser-test-set-items-csv"),
    path("test-sets/<slug:slug>/expected.csv", item_choice.expected_csv, name="organiser-test-set-expected-csv"),
    path("test-sets/<slug:slug>/terms.csv", test_set_guidance.terms_csv, name="organiser-test-set-terms-csv"),
    path("test-sets/<slug:slug>/", housekeeping.change_test_set, name="organiser-test-set"),
    path("new-campaign/", include(new_routes)),
    path("rebuild-campaign/", campaign_list.rebuild, name="organiser-rebuild"),
    path("rebuild-campaign/<int:pk>/", campaign_list.rebuilding, name="organiser-rebuilding"),
    path(
        "rebuild-campaign/<int:pk>/state/",
        new_campaign.creation_state,
        {"kind": campaign_list.REBUILDING},
        name="organiser-rebuilding-state",
    ),
]
