"""Settings that contradict each other stop the start with a sentence."""

from email.utils import parseaddr
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from config.site_address import local_address

STORE_PACKAGES = {"storages": "django-storages", "boto3": "boto3"}


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


@register(Tags.security)
def mail_is_complete(app_configs: Any, **kwargs: Any) -> list[Error]:  # noqa: ARG001 - Django's signature
    """All that is wrong at once; nothing where no mail is sent."""
    if settings.MAIL == "off":
        return []
    errors = []
    try:
        validate_email(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    except ValidationError:
        message = "Mail needs a sender; set ASSAY_MAIL_FROM, such as “Assay <assay@example.org>”."
        errors.append(Error(message, id="assay.E006"))
    if settings.MAIL == "smtp" and not settings.EMAIL_HOST:
        errors.append(Error("Mail needs a server; set ASSAY_MAIL_HOST, or ASSAY_MAIL=off.", id="assay.E007"))
    if bool(settings.EMAIL_HOST_USER) != bool(settings.EMAIL_HOST_PASSWORD):
        message = "ASSAY_MAIL_USER and ASSAY_MAIL_PASSWORD belong together; set both or neither."
        errors.append(Error(message, id="assay.E008"))
    if settings.EMAIL_HOST_PASSWORD and settings.MAIL_SECURITY == "none":
        message = "ASSAY_MAIL_SECURITY=none sends the password of the mail server in the clear; use starttls or tls."
        errors.append(Error(message, id="assay.E009"))
    return errors


@register(Tags.security)
def object_store_is_complete(app_configs: Any, **kwargs: Any) -> list[Error]:  # noqa: ARG001 - Django's signature
    """All that is wrong at once; nothing where files are in the data folder."""
    errors = []
    if not settings.STORE_BUCKET:
        if settings.STORE_ENDPOINT or settings.STORE_KEY or settings.STORE_SECRET:
            message = "An object store is described, but not used; set ASSAY_STORE_BUCKET, or remove ASSAY_STORE_…"
            errors.append(Error(message, id="assay.E015"))
        return errors
    missing = [package for module, package in STORE_PACKAGES.items() if find_spec(module) is None]
    if missing:
        message = "ASSAY_STORE_BUCKET needs packages that are missing: {}. Run ./assay install object-store."
        errors.append(Error(message.format(", ".join(missing)), id="assay.E016"))
    if bool(settings.STORE_KEY) != bool(settings.STORE_SECRET):
        message = "ASSAY_STORE_KEY and ASSAY_STORE_SECRET belong together; set both or neither."
        errors.append(Error(message, id="assay.E017"))
    return errors


@register(Tags.security)
def sign_in_is_complete(app_configs: Any, **kwargs: Any) -> list[Error]:  # noqa: ARG001 - Django's signature
    """All that is wrong at once; without a provider only whether anybody could sign in."""
    issuer = settings.PROVIDER_ISSUER
    if not issuer:
        if settings.PASSWORDS:
            return []
        message = "Without passwords people need a provider; set ASSAY_OIDC_ISSUER, or ASSAY_PASSWORDS=true."
        return [Error(message, id="assay.E010")]
    errors = []
    if not (settings.PROVIDER_CLIENT_ID and settings.PROVIDER_CLIENT_SECRET):
        message = "A provider knows this site as a client; set ASSAY_OIDC_CLIENT_ID and ASSAY_OIDC_CLIENT_SECRET."
        errors.append(Error(message, id="assay.E011"))
    if issuer.startswith("http://") and urlsplit(issuer).hostname not in {"localhost", "127.0.0.1", "::1"}:
        message = "ASSAY_OIDC_ISSUER must begin with https:// unless the provider is on this machine."
        errors.append(Error(message, id="assay.E012"))
    if bool(settings.PROVIDER_ORGANISER_CLAIM) != bool(settings.PROVIDER_ORGANISER_VALUES):
        message = "ASSAY_OIDC_ORGANISER_CLAIM and ASSAY_OIDC_ORGANISER_VALUES belong together; set both or neither."
        errors.append(Error(message, id="assay.E013"))
    if "openid" not in settings.PROVIDER_SCOPES.split():
        errors.append(Error("ASSAY_OIDC_SCOPES must contain openid.", id="assay.E014"))
    return errors
