"""Settings that contradict each other stop the start with a sentence."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register

from config.site_address import local_address


@register(Tags.security)
def production_is_complete(app_configs: Any, **kwargs: Any) -> list[Error]:  # noqa: ARG001 - Django's signature
    if not settings.PRODUCTION:
        return []
    errors = []
    if settings.DEBUG:
        errors.append(Error("ASSAY_DEBUG shows internals to strangers; switch it off in production.", id="assay.E001"))
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        errors.append(Error("Production keeps its data in PostgreSQL; set DATABASE_URL.", id="assay.E002"))
    if not settings.REDIS_URL:
        errors.append(Error("Production's workers need a broker; set REDIS_URL.", id="assay.E003"))
    if local_address() == settings.BASE_URL:
        errors.append(Error("Invitations need the site's own address; set ASSAY_BASE_URL.", id="assay.E004"))
    return errors


@register(Tags.database)
def heartbeats_fit(app_configs: Any, **kwargs: Any) -> list[Error]:  # noqa: ARG001 - Django's signature
    if settings.RUN_STALE_SECONDS > 2 * settings.RUN_HEARTBEAT_SECONDS:
        return []
    return [
        Error(
            "ASSAY_RUN_STALE_SECONDS must be more than twice ASSAY_RUN_HEARTBEAT_SECONDS, "
            "or the run of a worker that is alive counts as abandoned.",
            id="assay.E005",
        )
    ]
