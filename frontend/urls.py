"""The site map."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from frontend.annotator import media
from frontend.annotator.app import app_manifest, app_start
from frontend.annotator.guidelines import guidelines, guidelines_read
from frontend.annotator.questionnaires import questionnaire
from frontend.annotator.tasks import home, next_task, thanks
from frontend.annotator.timesheet import own_timesheet_csv, timesheet
from frontend.annotator.workbench import practice, practise_again, service_worker, skip, workbench
from frontend.organiser import urls as organiser
from frontend.people.crowd import join
from frontend.people.desk_settings import desk_settings
from frontend.people.invitation import show_invitation
from frontend.people.languages import languages_page, untranslated_csv
from frontend.people.no_more_mail import no_more_mail
from frontend.people.own_data import own_data, own_data_file, withdraw
from frontend.people.provider import connect, connect_begin, end_connection, provider_callback, provider_sign_in
from frontend.people.second_factor import second_factor, sign_in_code
from frontend.people.settings_page import end_own_session, end_own_token, set_password, settings_page
from frontend.people.sign_in import campaign_start, sign_in, sign_out
from frontend.researcher import urls as researcher
from frontend.service.gauges import gauges
from frontend.service.health import health

assignment_routes = [
    path("", workbench, name="annotator-assignment"),
    path("done/", thanks, name="annotator-done"),
    path("media/<str:file_hash>", media.medium, name="annotator-medium"),
    path("media/<str:file_hash>/captions", media.captions, name="annotator-captions"),
]

campaign_routes: list[URLPattern | URLResolver] = [
    path("", campaign_start, name="campaign"),
    path("guidelines/", guidelines, name="annotator-guidelines"),
    path("guidelines/read/", guidelines_read, name="annotator-guidelines-read"),
    path("withdraw/", withdraw, name="annotator-withdraw"),
    path("questionnaire/<slug:moment>/", questionnaire, name="annotator-questionnaire"),
    path("next/", next_task, name="annotator-next"),
    path("practice/", practice, name="annotator-practice"),
    path("practice/skip/", skip, name="annotator-practice-skip"),
    path("practice/again/", practise_again, name="annotator-practice-again"),
    path("practice/media/<str:file_hash>", media.practice_medium, name="annotator-practice-medium"),
    path("practice/media/<str:file_hash>/captions", media.practice_captions, name="annotator-practice-captions"),
    *organiser.campaign_routes,
    *researcher.campaign_routes,
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("timesheet/", timesheet, name="annotator-timesheet"),
    path("timesheet.csv", own_timesheet_csv, name="annotator-timesheet-csv"),
    path("sign-in/", sign_in, name="sign-in"),
    path("sign-in/provider/", provider_sign_in, name="provider-sign-in"),
    path("sign-in/provider/back/", provider_callback, name="provider-callback"),
    path("sign-in/code/", sign_in_code, name="sign-in-code"),
    path("sign-out/", sign_out, name="sign-out"),
    path("invitations/<str:secret>/", show_invitation, name="invitation"),
    path("no-more-mail/<str:key>/", no_more_mail, name="no-more-mail"),
    path("join/<str:key>/", join, name="join"),
    path("settings/", settings_page, name="settings"),
    path("settings/desk/", desk_settings, name="settings-desk"),
    path("settings/languages/", languages_page, name="settings-languages"),
    path("settings/languages/<slug:language>.csv", untranslated_csv, name="settings-untranslated-csv"),
    path("language/", set_language, name="language"),
    path("settings/data/", own_data, name="settings-data"),
    path("settings/data.json", own_data_file, name="settings-data-file"),
    path("settings/password/", set_password, name="settings-password"),
    path("settings/provider/", connect, name="settings-provider"),
    path("settings/provider/begin/", connect_begin, name="settings-provider-begin"),
    path("settings/provider/end/", end_connection, name="settings-provider-end"),
    path("settings/second-factor/", second_factor, name="settings-second-factor"),
    path("settings/sessions/<int:pk>/end/", end_own_session, name="settings-end-session"),
    path("settings/tokens/<int:pk>/end/", end_own_token, name="settings-end-token"),
    path("app/<slug:language>.webmanifest", app_manifest, name="app-manifest"),
    path("assignments/", app_start, name="app-start"),
    path("assignments/service-worker.js", service_worker, name="service-worker"),
    path("assignments/<int:pk>/", include(assignment_routes)),
    path("campaigns/<slug:slug>/", include(campaign_routes)),
    *organiser.urlpatterns,
    *researcher.urlpatterns,
    path("health/", health, name="health"),
    path("api/v1/", include("frontend.api.urls")),
    path("metrics/", gauges, name="metrics"),
]
