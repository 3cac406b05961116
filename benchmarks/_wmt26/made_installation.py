"""The installation, made in a process of its own on the site's database: campaigns by statements, people signed in."""

import json
import os
import sys

import django

CAMPAIGNS, SEGMENTS, SYSTEMS = 23, 12_669, 15
DOCUMENTS, PER_DOCUMENT = 28, 19  # of a campaign; what is over are documents of one segment, planned and nobody's yet
NAME = "WMT26 pair"


def make(campaigns: int, segments: int, annotators: int) -> dict[str, object]:
    """Session keys: the organiser's, and those of annotators with the slug of the campaign they judge in."""
    from django.db import connection  # noqa: PLC0415 - settings must stand before models

    from benchmarks._million.layout import Layout  # noqa: PLC0415
    from benchmarks._million.making import make_campaign  # noqa: PLC0415
    from campaigns.models import Account  # noqa: PLC0415

    organiser = Account.objects.create_user("olive", may_create_campaigns=True)
    researcher = Account.objects.create_user("rhea")
    slugs = []
    for number in range(campaigns):
        own = segments // campaigns + (number < segments % campaigns) - DOCUMENTS * PER_DOCUMENT
        layout = Layout("direct_assessment", SYSTEMS, DOCUMENTS, segments=PER_DOCUMENT, rounds=1, waiting_texts=own)
        made = make_campaign(f"{NAME} {number + 1:02}", layout, organiser, researcher)
        slugs.append(made.campaign.slug)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    people = _who_judge(slugs, annotators)
    return {
        "organiser": _signed_in(organiser),
        "campaigns": slugs,
        "people": [(slug, _signed_in(account)) for slug, account in people],
    }


def _who_judge(slugs: list[str], annotators: int) -> list[tuple[str, "Account"]]:  # type: ignore[name-defined] # noqa: F821
    """Those with a begun assignment, as many of each campaign."""
    from annotation.models import Assignment, AssignmentStatus  # noqa: PLC0415

    begun = Assignment.objects.filter(status=AssignmentStatus.OPEN).select_related("annotator", "campaign")
    by_campaign: dict[str, list[Account]] = {slug: [] for slug in slugs}  # type: ignore[name-defined] # noqa: F821
    for assignment in begun.order_by("pk"):
        by_campaign[assignment.campaign.slug].append(assignment.annotator)
    turns = [(place, slug) for slug, own in by_campaign.items() for place in range(len(own))]
    return [(slug, by_campaign[slug][place]) for place, slug in sorted(turns)][:annotators]


def _signed_in(account: "Account") -> str:  # type: ignore[name-defined] # noqa: F821
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: PLC0415

    from frontend.sessions import MODEL_BACKEND, SessionStore  # noqa: PLC0415

    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(account.pk), MODEL_BACKEND
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    os.nice(10)
    django.setup()
    sys.stdout.write(json.dumps(make(*map(int, sys.argv[1:]))))
