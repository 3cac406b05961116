"""The Celery application; the tasks of its workers are in `jobs/worker.py`."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay", include=["jobs.worker"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.steps["worker"].add("jobs.worker:RunPoller")
app.steps["worker"].add("jobs.worker:Errands")


@worker_init.connect
def stop_where_the_database_does_not_fit(**kwargs: Any) -> None:  # noqa: ARG001 - Celery's signature
    from django.core.management.base import CommandError  # noqa: PLC0415 - Celery sets Django up just before
    from django.db import DatabaseError, connection  # noqa: PLC0415

    from config.database_version import check_database  # noqa: PLC0415

    try:
        check_database(connection)
    except CommandError as error:
        raise SystemExit(f"assay: {error}") from error
    except DatabaseError:
        pass  # it may come back: the worker waits for it
    finally:
        connection.close()
