"""Makes two campaigns of 100,000 judgments and requests all their pages: `python -m … make|measure`, prints JSON lines.

The database is that of the environment: `ASSAY_DATA_DIR`, `DATABASE_URL`.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import django
from django.core.management import call_command

SCORED, MARKED = "Scored", "Marked"
PROMISED_JUDGMENTS = 100_000


def main() -> int:
    task, *options = sys.argv[1:]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["ASSAY_API_REQUESTS_PER_MINUTE"] = "1000000"
    django.setup()
    if task == "make":
        _make(quick="quick" in options)
    else:
        for line in _measure(int(options[0]), set(options[1:])):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    return 0


def _make(*, quick: bool) -> None:
    from django.db import connection, transaction  # noqa: PLC0415 - settings must stand before models

    from benchmarks._pages.invented_texts import Size  # noqa: PLC0415
    from benchmarks._pages.measured_campaign import add_others, make_whole  # noqa: PLC0415
    from campaigns.models import Account  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    documents, others = (10, 10) if quick else (112, 200)
    with transaction.atomic():
        organiser = Account.objects.create_user("olive", may_create_campaigns=True)
        researcher = Account.objects.create_user("rhea")
        for name, protocol, annotators in ((SCORED, "direct_assessment", 200), (MARKED, "mqm", 24)):
            size = Size(documents, 20, 10, 20 if quick else annotators, 5, 100, others)
            made = make_whole(name, protocol, size, organiser, researcher)
        add_others(made, size)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _measure(times: int, names: set[str]) -> Iterator[dict[str, Any]]:
    from django.test.utils import override_settings  # noqa: PLC0415

    from benchmarks._pages.measured_campaign import compute, set_computing  # noqa: PLC0415
    from jobs.models import Run  # noqa: PLC0415

    for name in (SCORED, MARKED):
        made = _made(name)
        with override_settings(UPLOAD_DIR=f"{os.environ['ASSAY_DATA_DIR']}/uploads"):
            if not Run.objects.filter(campaign=made.campaign).exists():
                yield from _costs(made, "no run", times, names)
                compute(made)
            yield from _costs(made, "done", times, names)
            set_computing(made.campaign)
            yield from _costs(made, "computing", times, names)
            Run.objects.filter(campaign=made.campaign, status="running").delete()
            Run.objects.filter(test_set=made.campaign.test_set, status="running").delete()


def _made(name: str) -> Any:
    from benchmarks._pages.measured_campaign import Made  # noqa: PLC0415
    from campaigns.models import Account, Campaign  # noqa: PLC0415

    people = list(Account.objects.filter(username__startswith=f"{name.lower()}-").order_by("username"))
    return Made(Campaign.objects.get(name=name), Account.objects.get(username="olive"), people)


def _costs(made: Any, state: str, times: int, names: set[str]) -> Iterator[dict[str, Any]]:
    from benchmarks._pages.addresses import ANNOTATOR, ORGANISER, addresses  # noqa: PLC0415
    from benchmarks._pages.measured_campaign import places_of  # noqa: PLC0415
    from benchmarks._pages.request_costs import clients_of, cost_of  # noqa: PLC0415
    from tests.frontend.places import placed  # noqa: PLC0415
    from tests.frontend.site_map import site_map  # noqa: PLC0415

    clients = clients_of({ORGANISER: made.organiser, ANNOTATOR: made.annotator})
    seen: set[str] = set()
    for address in addresses(site_map(), places_of(made), placed):
        is_first = address.name not in seen
        seen.add(address.name)
        if (not names or address.name in names) and (is_first or state == "done"):
            cost = cost_of(clients[address.read.by], address, times if state == "done" else 1)
            is_answered = address.expects(cost.status, has_run=state != "no run")
            yield cost.as_dict() | {"campaign": made.campaign.name, "state": state, "is_answered": is_answered}


if __name__ == "__main__":
    sys.exit(main())
