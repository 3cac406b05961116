"""Every setting of Assay; each variable is described in docs/operations.md (a test compares the two)."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from config.environment import read_bool, read_choice, read_int, read_list, read_path, read_secret, read_text, read_url
from config.site_address import local_address, served_address

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = read_path("ASSAY_DATA_DIR", BASE_DIR / ".assay" / "data")
UPLOAD_DIR = DATA_DIR / "uploads"

DEBUG = read_bool("ASSAY_DEBUG", default=False)
PRODUCTION = read_bool("ASSAY_PRODUCTION", default=False)
SECRET_KEY = read_secret("ASSAY_SECRET_KEY", stored_in=DATA_DIR / "secret-key", required=PRODUCTION)
ALLOWED_HOSTS = read_list("ASSAY_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = read_list("ASSAY_TRUSTED_ORIGINS", [])
KNOWN_ADDRESS = local_address() if PRODUCTION else served_address(DATA_DIR)
BASE_URL = read_url("ASSAY_BASE_URL", KNOWN_ADDRESS, {"http", "https"}).rstrip("/")
HTTPS = BASE_URL.startswith("https://")
BEHIND_PROXY = read_bool("ASSAY_BEHIND_PROXY", default=False)
PROXIES = read_int("ASSAY_PROXIES", default=1, low=1, high=10)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_filters",
    "rest_framework",
    "drf_spectacular",
    "config",
    "campaigns",
    "jobs",
    "annotation",
    "metrics",
    "exchange",
    "demo",
    "frontend",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "frontend.room_for_calls.room_for_calls",
    "frontend.compression.CompressedPages",
    "frontend.cache_headers.keep_nothing",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "frontend.second_factor.asked_first",
    "axes.middleware.AxesMiddleware",
    "frontend.large_bodies.LargeBodies",  # nothing above reads a body before the view's turn
]

ROOT_URLCONF = "config.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- database -----------------------------------------------------------------------------------
DATABASE_URL = read_url(
    "DATABASE_URL", f"sqlite:///{DATA_DIR / 'assay.sqlite3'}", {"sqlite", "postgres", "postgresql", "pgsql"}
)
DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        DATABASE_URL, conn_max_age=read_int("ASSAY_DATABASE_CONNECTION_SECONDS", default=60, low=0, high=86_400)
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock at once, so that two writers queue instead of failing (docs/decisions/0001).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-20000;",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
REPLICA_URL = read_url("ASSAY_REPLICA_URL", "", {"postgres", "postgresql", "pgsql"})
if REPLICA_URL:
    DATABASES["replica"] = dj_database_url.parse(
        REPLICA_URL, conn_max_age=DATABASES["default"]["CONN_MAX_AGE"], conn_health_checks=True
    )
    DATABASE_ROUTERS = ["campaigns.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background runs ----------------------------------------------------------------------------
REDIS_URL = read_url("REDIS_URL", "", {"redis", "rediss", "unix"})
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
RUN_POLL_SECONDS = read_int("ASSAY_RUN_POLL_MILLISECONDS", default=500, low=50, high=60_000) / 1000
RUN_HEARTBEAT_SECONDS = read_int("ASSAY_RUN_HEARTBEAT_SECONDS", default=5, low=1, high=3600)
RUN_STALE_SECONDS = read_int("ASSAY_RUN_STALE_SECONDS", default=30, low=2, high=86_400)
RUN_MAX_ATTEMPTS = read_int("ASSAY_RUN_MAX_ATTEMPTS", default=3, low=1, high=20)
# Which room performs which kind of run; imported when a run of the kind is first needed (see jobs/run_kinds.py).
RUN_KINDS = {
    "inspection": "exchange.uploaded_files.INSPECTION",
    "new_campaign": "exchange.uploaded_files.NEW_CAMPAIGN",
    "campaign_copies": "exchange.campaign_copies.CAMPAIGN_COPIES",
    "extension": "annotation.actions.extending.EXTENSION",
    "new_test_set": "exchange.uploaded_files.NEW_TEST_SET",
    "campaign_import": "exchange.campaign_uploads.CAMPAIGN_IMPORT",
    "rebuilding": "exchange.archive.rebuilding.REBUILDING",
    "analysis": "metrics.analyses.ANALYSIS",
    "race_look": "metrics.race_looks.RACE_LOOK",
    "disagreement": "metrics.segments.disagreement.DISAGREEMENT",
    "flags": "metrics.flag_runs.FLAGGING",
    "metric_scores": "metrics.scoring.run_kind.METRIC_SCORES",
}
ITEM_CHOOSER = "metrics.item_choice.CHOOSER"  # of the segments that a campaign judges, if not all
RUN_QUEUES = ("default", "metrics", "neural")
OWN_WORKER_QUEUES = ("neural",)  # hours of work, which must not hold up the others
DAILY_WORK = (  # called by workers
    "metrics.actions.forgetting.forget_expired",
    "campaigns.media.storage.remove_unused_files",
    "exchange.upload_folders.forget_old_uploads",
    "campaigns.actions.webhooks.remove_old_deliveries",
    "campaigns.actions.mail_sending.erase_old_words",
)
FREQUENT_WORK = (  # called by workers beside their runs: what, and seconds in between
    ("campaigns.actions.webhooks.send_due", 2.0),
    ("metrics.actions.alerts.announce_alerts", 300.0),
    ("campaigns.actions.mail_sending.send_due", 2.0),
    ("metrics.actions.mailing.thank_finishers", 300.0),
    ("metrics.actions.mailing.send_digests", 600.0),
    ("annotation.actions.work_sums.store_work_sums", 300.0),
)
WEBHOOK_NETWORKS = read_list("ASSAY_WEBHOOK_NETWORKS", [])  # private ones that webhooks may lead into
WEBHOOK_HTTP = read_bool("ASSAY_WEBHOOK_HTTP", default=False)
MAIL = read_choice("ASSAY_MAIL", "off", {"off", "smtp", "console", "files"})
MAIL_SECURITY = read_choice("ASSAY_MAIL_SECURITY", "starttls", {"starttls", "tls", "none"})
MAIL_PORTS = {"starttls": 587, "tls": 465, "none": 25}
MAIL_DAYS = read_int("ASSAY_MAIL_DAYS", default=90, low=1, high=3_650)
EMAIL_BACKEND = {
    "off": "django.core.mail.backends.dummy.EmailBackend",
    "smtp": "django.core.mail.backends.smtp.EmailBackend",
    "console": "django.core.mail.backends.console.EmailBackend",
    "files": "django.core.mail.backends.filebased.EmailBackend",
}[MAIL]
EMAIL_HOST = read_text("ASSAY_MAIL_HOST")
EMAIL_PORT = read_int("ASSAY_MAIL_PORT", default=MAIL_PORTS[MAIL_SECURITY], low=1, high=65_535)
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL_SECURITY == "starttls", MAIL_SECURITY == "tls"
EMAIL_HOST_USER = read_text("ASSAY_MAIL_USER")
EMAIL_HOST_PASSWORD = read_secret("ASSAY_MAIL_PASSWORD", stored_in=None, required=False)
EMAIL_TIMEOUT = 20  # seconds for each step of a conversation with the server
EMAIL_FILE_PATH = DATA_DIR / "mail"
DEFAULT_FROM_EMAIL = read_text("ASSAY_MAIL_FROM")
WORKER_SIGN = read_text("ASSAY_WORKER_SIGN")  # a file that a worker touches while all is well
METRIC_PROCESSES = read_int("ASSAY_METRIC_PROCESSES", default=0, low=0, high=256)  # 0: one a core
MODELS_DIR = read_path("ASSAY_MODELS_DIR", DATA_DIR / "models")
NEURAL_PRECISION = read_choice("ASSAY_NEURAL_PRECISION", "float32", {"float32", "bfloat16"})
NEURAL_ENVIRONMENT = read_path("ASSAY_NEURAL_ENVIRONMENT", BASE_DIR / ".venv-neural")
FETCHES_LIGHT_MODEL = read_bool("ASSAY_LIGHT_MODEL", default=True)
METRIC_RESOURCES = {
    "wordnet": read_text("ASSAY_WORDNET"),
    "flores101_model": read_text("ASSAY_FLORES101_MODEL"),
    "flores200_model": read_text("ASSAY_FLORES200_MODEL"),
    "meteor_variant": read_choice(
        "ASSAY_METEOR_VARIANT", "2005", {"2005", "1.5", "1.5-adq", "1.5-hter", "1.5-li", "1.5-de"}
    ),
}

# --- people -------------------------------------------------------------------------------------
AUTH_USER_MODEL = "campaigns.Account"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
AXES_FAILURE_LIMIT = read_int("ASSAY_SIGN_IN_ATTEMPTS", default=5, low=1, high=1000)
AXES_COOLOFF_TIME = read_int("ASSAY_SIGN_IN_COOLOFF_MINUTES", default=15, low=1, high=10_080) / 60
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "people/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_CLIENT_IP_CALLABLE = "frontend.people.attempts.client_address"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "old_password", "new_password1", "new_password2", "link"]
SECOND_FACTOR = read_choice("ASSAY_SECOND_FACTOR", "off", {"off", "allowed", "required"})  # of organisers
PASSWORDS = read_bool("ASSAY_PASSWORDS", default=True)
PROVIDER_ISSUER = read_url("ASSAY_OIDC_ISSUER", "", {"https", "http"})  # empty: nobody signs in by a provider
PROVIDER_CLIENT_ID = read_text("ASSAY_OIDC_CLIENT_ID")
PROVIDER_CLIENT_SECRET = read_secret("ASSAY_OIDC_CLIENT_SECRET", stored_in=None, required=False)
PROVIDER_LABEL = read_text("ASSAY_OIDC_LABEL", "OpenID Connect")
PROVIDER_SCOPES = read_text("ASSAY_OIDC_SCOPES", "openid profile email")
PROVIDER_ALGORITHM = read_choice(
    "ASSAY_OIDC_ALGORITHM", "RS256", {"RS256", "RS384", "RS512", "ES256", "ES384", "ES512"}
)
PROVIDER_DOMAINS = [each.lower() for each in read_list("ASSAY_OIDC_DOMAINS", [])]
PROVIDER_NEW_ACCOUNTS = read_bool("ASSAY_OIDC_NEW_ACCOUNTS", default=True)
PROVIDER_ORGANISER_CLAIM = read_text("ASSAY_OIDC_ORGANISER_CLAIM")
PROVIDER_ORGANISER_VALUES = read_list("ASSAY_OIDC_ORGANISER_VALUES", [])
PROVIDER_IS_SECOND_FACTOR = read_bool("ASSAY_OIDC_IS_SECOND_FACTOR", default=False)
SIGN_IN_ATTEMPTS_PER_ADDRESS = read_int("ASSAY_SIGN_IN_ATTEMPTS_PER_ADDRESS", default=50, low=1, high=100_000)
AXES_VERBOSE = False
LOG_DAYS = read_int("ASSAY_LOG_DAYS", default=365, low=0, high=36_500)  # 0: for ever
PARTICIPANT_DAYS = read_int("ASSAY_PARTICIPANT_DAYS", default=730, low=0, high=36_500)
INVITATION_DAYS = read_int("ASSAY_INVITATION_DAYS", default=90, low=1, high=3650)

SESSION_ENGINE = "frontend.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * read_int("ASSAY_SESSION_DAYS", default=30, low=1, high=365)
OFFLINE_DAYS = read_int("ASSAY_OFFLINE_DAYS", default=14, low=0, high=365)
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "frontend.errors.csrf_failure"

# --- safety -------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "worker-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "frame-src": [NONE],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"  # an invitation's link must not travel to another host
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS and PRODUCTION else 0
SECURE_SSL_REDIRECT = False  # the proxy's business
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000  # those of a folder of media, or of a test set with many systems
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000  # the path of each of them, beside a form
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
UPLOAD_MEGABYTES = read_int("ASSAY_UPLOAD_MEGABYTES", default=512, low=1, high=10_240)
MEDIA_DIR = read_path("ASSAY_MEDIA_DIR", DATA_DIR / "media")
MEDIA_MEGABYTES = {
    "picture": read_int("ASSAY_PICTURE_MEGABYTES", default=10, low=1, high=100),
    "audio": read_int("ASSAY_AUDIO_MEGABYTES", default=50, low=1, high=10_240),
    "video": read_int("ASSAY_VIDEO_MEGABYTES", default=200, low=1, high=10_240),
    "test_set": read_int("ASSAY_TEST_SET_MEDIA_MEGABYTES", default=5_000, low=1, high=1_000_000),  # all files together
}

# --- words, times, files ------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [  # each by its own name
    ("ar", "العربية"),
    ("cs", "čeština"),
    ("de", "Deutsch"),
    ("en", "English"),
    ("es", "español"),
    ("fr", "français"),
    ("hi", "हिन्दी"),
    ("ja", "日本語"),
    ("uk", "українська"),
    ("zh-hans", "简体中文"),
]
# Who signed that a language reads well to somebody who grew up with it; the others say that nobody has.
LANGUAGES_REVIEWED_BY: dict[str, str] = {}
FORMAT_MODULE_PATH = ["frontend.formats"]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = read_text("ASSAY_TIME_ZONE", "UTC")
STATIC_URL = "static/"
# Ours alone: the REST framework brings style sheets and fonts for pages that Assay does not have.
STATICFILES_DIRS = [BASE_DIR / "frontend" / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
STATIC_ROOT = read_path("ASSAY_STATIC_ROOT", BASE_DIR / ".assay" / "static")
# Collected files are hashed, compressed, and stored by browsers for good; `./assay run` collects them before it starts.
COLLECTED = read_bool("ASSAY_STATIC_COLLECTED", default=PRODUCTION) and not DEBUG
STORE_BUCKET = read_text("ASSAY_STORE_BUCKET")  # empty: files are in the data folder
STORE_ENDPOINT = read_url("ASSAY_STORE_ENDPOINT", "", {"https", "http"})
STORE_KEY = read_text("ASSAY_STORE_KEY")
STORE_SECRET = read_secret("ASSAY_STORE_SECRET", stored_in=None, required=False)
STORE_OPTIONS = {
    "bucket_name": STORE_BUCKET,
    "endpoint_url": STORE_ENDPOINT or None,
    "region_name": read_text("ASSAY_STORE_REGION") or None,
    "access_key": STORE_KEY or None,
    "secret_key": STORE_SECRET or None,
    "addressing_style": read_choice("ASSAY_STORE_ADDRESSING", "auto", {"auto", "path", "virtual"}),
}
STORE_FOLDER = read_text("ASSAY_STORE_FOLDER", "assay").strip("/") or "assay"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "media": {"BACKEND": "campaigns.file_stores.FolderStore", "OPTIONS": {"setting": "MEDIA_DIR"}},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if COLLECTED
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}
if STORE_BUCKET:
    OBJECT_STORE = "campaigns.object_store.ObjectStore"
    STORAGES |= {
        place: {"BACKEND": OBJECT_STORE, "OPTIONS": {**STORE_OPTIONS, "location": f"{STORE_FOLDER}/{place}"}}
        for place in ("media", "uploads")
    }
WHITENOISE_USE_FINDERS = not COLLECTED
WHITENOISE_AUTOREFRESH = DEBUG

# --- API ----------------------------------------------------------------------------------------
LOCAL_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
SHARED_CACHE = {
    "BACKEND": "django.core.cache.backends.redis.RedisCache",
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": "assay",
    "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},  # seconds; nobody waits for a count
}
CACHES = {
    "default": LOCAL_CACHE,
    "counts": SHARED_CACHE if REDIS_URL else {**LOCAL_CACHE, "LOCATION": "counts"},  # of all web processes together
}
API_REQUESTS_PER_MINUTE = read_int("ASSAY_API_REQUESTS_PER_MINUTE", default=600, low=1, high=1_000_000)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "frontend.api.authentication.TokenAuthentication",
        "frontend.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["frontend.api.json_body.StorableJSONParser"],
    "EXCEPTION_HANDLER": "frontend.api.errors.answer_to",
    "DEFAULT_SCHEMA_CLASS": "frontend.api.schema.ApiSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Assay",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "frontend.api.schema.closed",
        "frontend.api.schema.exampled",
    ],
    "ENUM_NAME_OVERRIDES": {
        "CampaignStatusEnum": "campaigns.models.CampaignStatus.values",
        "RunStatusEnum": "jobs.models.RunStatus.values",
        "AssignmentStatusEnum": "annotation.models.AssignmentStatus.values",
        "ItemLevelEnum": "annotation.models.ItemLevel.values",
        "ItemKindEnum": "annotation.models.ItemKind.values",
        "ScoreLevelEnum": "metrics.models.ScoreLevel.values",
        "WithdrawalEnum": "campaigns.models.Withdrawal.values",
        "FormKindEnum": "campaigns.models.FormKind.values",
        "ReasonEnum": "annotation.models.judgments.PROBLEM_REASONS.keys",
        "NoMailEnum": "campaigns.mail_texts.NoMail.values",
        "SideEnum": ["source", "target"],
    },
}

METRICS_TOKEN = read_text("ASSAY_METRICS_TOKEN")  # opens /metrics/ to a monitoring system

# --- logging ------------------------------------------------------------------------------------
LOG_LEVEL = read_choice("ASSAY_LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
LOG_FORMAT = read_choice("ASSAY_LOG_FORMAT", "text", {"text", "json"})
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"assay": {"()": "config.log_format.make_formatter", "style": LOG_FORMAT}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "assay"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "axes": {"level": "ERROR"},
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": ["stderr"], "propagate": False},  # through our formatter, which hides invitations
    },
}
