"""Celery's shells: an id in, an action called. Performing twice is harmless: only one can claim."""

from celery import shared_task

from metrics.actions import claim_run, perform_run


@shared_task(name="metrics.perform")
def perform(run_id: int) -> None:
    run = claim_run(run_id)
    if run is not None:
        perform_run(run)
