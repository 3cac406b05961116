"""The Celery application; what its workers do stands in `jobs/worker.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay", include=["jobs.worker"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.steps["worker"].add("jobs.worker:RunPoller")
