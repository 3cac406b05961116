"""The page on which pictures, audio and video are put beside the texts of a test set."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Sum
from django.http import HttpResponse
from django.shortcuts import render

from campaigns.actions.media_folders import FolderOutcome
from campaigns.media.errors import MediaError
from campaigns.models import Medium, MediumKind, TestSet
from frontend.access import SignedInRequest, get_own_test_set_for
from frontend.campaign_pages import FORM, signed_in
from frontend.sent_media import add_uploaded_media
from frontend.uploads import UploadError

NAMED = 20
ERRORS_SHOWN = 100


@signed_in(FORM)
def test_set_media(request: SignedInRequest, slug: str) -> HttpResponse:
    test_set = get_own_test_set_for(request.user, slug)
    outcome, errors = None, list[str]()
    if request.method == "POST":
        try:
            files, paths = request.FILES.getlist("files"), request.POST.getlist("paths")
            outcome = add_uploaded_media(test_set, files, request.user, paths=paths)
        except UploadError as error:
            errors = [str(error)]
        except MediaError as error:
            errors = list(error.problems.sentences())
    context = {
        "test_set": test_set,
        "errors": errors[:ERRORS_SHOWN],
        "further_errors": len(errors[ERRORS_SHOWN:]),
        "added": outcome.added if outcome else None,
        "lists": _lists(outcome) if outcome else (),
        **_present(test_set),
    }
    return render(request, "organiser/test_set_media.html", context, status=422 if errors else 200)


def _present(test_set: TestSet) -> dict[str, Any]:
    """What lies beside the texts: counts by kind, and how many documents have nothing."""
    own = Medium.objects.filter(document__test_set=test_set).order_by()
    sums = {row["kind"]: row for row in own.values("kind").annotate(count=Count("pk"), size=Sum("size"))}
    kinds = [
        (label, sums[value]["count"], sums[value]["size"] / 1_000_000)
        for value, label in MediumKind.choices
        if value in sums
    ]
    bare = test_set.documents.exclude(Exists(Medium.objects.filter(document=OuterRef("pk"))))
    return {"kinds": kinds, "bare": bare.count(), "example": test_set.documents.order_by("position").first()}


def _lists(outcome: FolderOutcome) -> list[tuple[str, int, Sequence[str]]]:
    """Names with how many there are; each list has its own words in the template."""
    named = (("unequal", outcome.unequal), ("without", outcome.without), ("unused", outcome.unused))
    return [(what, len(names), names[:NAMED]) for what, names in named if names]
