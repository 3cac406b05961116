"""The whole site is the front end's."""

from django.urls import include, path

urlpatterns = [path("", include("frontend.urls"))]

handler400 = "frontend.errors.bad_request"
handler403 = "frontend.errors.forbidden"
handler404 = "frontend.errors.not_found"
handler500 = "frontend.errors.server_error"
