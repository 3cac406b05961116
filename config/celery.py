"""The Celery application; the tasks themselves are shells in `metrics/tasks.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["metrics"])
app.steps["worker"].add("metrics.worker:RunPoller")
