"""Fixtures everybody needs; what they make is written in the files named after it."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.color import Style
from django.db import connection
from django.template import Context, Template
from django.test import Client, override_settings
from django.utils.safestring import SafeString

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as examples
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from annotation.models import Assignment
from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast, make_cast
from tests.empty_databases import FILE, TEMPLATE, made_for_all_parts, make_template, put_on_sqlite
from tests.plugins.postgres import sweep
from tests.sample_assignment import make_assignment as _make_assignment
from tests.sample_campaign import make_campaign as _make_campaign
from tests.sample_test_set import make_test_set as _make_test_set
from tests.signed_in import session_of

NAMES_OF_MODELS = ("django_content_type", "auth_permission")

# How long an example takes says how busy the machine is, nothing about the code.
examples.register_profile("untimed", max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.register_profile("drawn", examples.get_profile("untimed"), max_examples=10)


def pytest_configure(config: pytest.Config) -> None:
    """Examples are other ones each time: a suite that draws its tests tries half as many of each property."""
    examples.load_profile("untimed" if config.getoption("draw", None) is None else "drawn")


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the collector, which took a sixth of the time, need not look through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """On SQLite a file, as in use: in memory there is neither WAL nor a lock to wait for."""
    if connection.vendor == "sqlite":
        home = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(home / FILE)
        if made_for_all_parts():
            put_on_sqlite(home)
    elif made_for_all_parts():  # on a server of this part's own
        make_template(os.environ["DATABASE_URL"])
        connection.settings_dict["TEST"]["TEMPLATE"] = TEMPLATE


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """What `django_db_modify_db_settings` has put there is what Django finds and keeps."""
    return connection.vendor == "sqlite" and made_for_all_parts() is not None


@pytest.fixture(scope="module", autouse=True)
def _swept(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What large tests have rolled back still lies in PostgreSQL's tables, and later tests would read past it."""
    yield
    if connection.vendor == "postgresql" and connection.connection is not None:
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            sweep(cursor)


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once() -> Iterator[None]:
    """A client loads the middleware, of which WhiteNoise looks through all static files: for hundreds of clients."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("add_files", "add_files_from_finders"):  # collected ones, if any, and those of the sources
            patch.setattr(WhiteNoiseMiddleware, name, _once(getattr(WhiteNoiseMiddleware, name)))
        yield


def _once(look: Callable[..., None]) -> Callable[..., None]:
    known: dict[Any, dict[str, Any]] = {}

    def add_known(middleware: Any, *places: str, **named: str) -> None:
        key = (places, *named.items())
        if key not in known:
            others, middleware.files = middleware.files, {}
            look(middleware, *places, **named)
            known[key], middleware.files = middleware.files, others
        middleware.files.update(known[key])

    return add_known


@pytest.fixture(scope="session", autouse=True)
def _contexts_of_pages_alone() -> Iterator[None]:
    """Django's client keeps a copy of what every template of a page knew; tests ask what the page's own knew."""
    told = vars(Template)["_render"]

    def render(template: Template, context: Context) -> SafeString:
        is_own = context.template is template  # of one that is included or extended it is another
        return told(template, context) if is_own else template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def _emptied_by_deleting() -> Iterator[None]:
    """After a test that commits. To truncate, PostgreSQL makes every table and index anew, of which few hold a row.

    Names of models and their permissions stay, which no test changes: to write them again takes eighteen transactions.
    """
    with pytest.MonkeyPatch.context() as patch:
        flush = _deletions if connection.vendor == "postgresql" else type(connection.ops).sql_flush

        def without_names_of_models(operations: Any, style: Style, tables: Sequence[str], **options: bool) -> list[str]:
            return flush(operations, style, [table for table in tables if table not in NAMES_OF_MODELS], **options)

        patch.setattr(type(connection.ops), "sql_flush", without_names_of_models)
        patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *_flushed: None)
        yield


def _deletions(operations: Any, _style: Style, tables: Sequence[str], **_options: bool) -> list[str]:
    """Statements for one transaction, at whose end foreign keys are looked at."""
    with operations.connection.cursor() as cursor:
        looks = (f"SELECT '{table}' WHERE EXISTS (SELECT FROM \"{table}\")" for table in tables)  # noqa: S608 - our models'
        cursor.execute(" UNION ALL ".join(looks))
        return [f'DELETE FROM "{table}"' for (table,) in cursor.fetchall()]  # noqa: S608 - as above


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def make_test_set(db: None) -> Callable[..., TestSet]:
    return _make_test_set


@pytest.fixture
def test_set(make_test_set: Callable[..., TestSet]) -> TestSet:
    return make_test_set()


@pytest.fixture
def make_campaign(db: None) -> Callable[..., Campaign]:
    return _make_campaign


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return _make_campaign(test_set, cast)


@pytest.fixture
def make_assignment(db: None) -> Callable[..., Assignment]:
    return _make_assignment


@pytest.fixture
def client_of(db: None) -> Callable[[Account], Client]:
    """A browser somebody is signed in with."""

    def sign_in(account: Account) -> Client:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(account)
        return client

    return sign_in
