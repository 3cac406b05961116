"""docker-compose.yml and the settings know the same variables, and together they make a complete production."""

import os
import re
import subprocess
import sys
from contextlib import closing

from django.conf import settings

import psycopg2
import pytest
from psycopg2 import sql

from bootstrap.commands.pins import images_in, pinned
from tests.plugins.postgres import PostgresServer
from tests.production.compose import (
    ENV_FILE,
    ROOT,
    MissingVariable,
    command_of,
    our_services,
    postgres_settings,
    read_services,
    variables_of_settings,
)
from tests.production.image import instructions

VARIABLE = r"\b(?:ASSAY_[A-Z_]+|DATABASE_URL|REDIS_URL)\b"


def check_with(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_has_the_services_of_the_design_and_no_other() -> None:
    services = read_services(ENV_FILE)
    assert set(services) == {"web", "worker", "neural", "postgres", "redis"}
    assert services["neural"]["profiles"] == ["neural"]
    assert not any(service.get("profiles") for name, service in services.items() if name != "neural")


def test_every_variable_it_sets_is_a_setting() -> None:
    for service in our_services(ENV_FILE).values():
        assert set(service["environment"]) <= variables_of_settings()


def test_every_value_is_text_as_the_engine_demands() -> None:
    for service in our_services(ENV_FILE).values():
        assert {type(value) for value in service["environment"].values()} == {str}


def test_with_what_it_sets_production_is_complete() -> None:
    different = {tuple(sorted(service["environment"].items())) for service in our_services(ENV_FILE).values()}
    for environment in different:
        done = check_with(dict(environment))
        assert done.returncode == 0, done.stderr


def test_every_variable_that_production_asks_for_is_set() -> None:
    first = check_with({"ASSAY_PRODUCTION": "true"})
    others = check_with({"ASSAY_PRODUCTION": "true", "ASSAY_SECRET_KEY": "k" * 50})
    assert (first.returncode, others.returncode) == (1, 1)
    required = set(re.findall(VARIABLE, first.stderr + others.stderr))
    assert required >= {"ASSAY_SECRET_KEY", "ASSAY_BASE_URL", "DATABASE_URL", "REDIS_URL"}
    for service in our_services(ENV_FILE).values():
        assert required <= set(service["environment"])


@pytest.mark.parametrize("name", sorted(ENV_FILE))
def test_what_only_the_installation_knows_must_be_given(name: str) -> None:
    with pytest.raises(MissingVariable, match=name):
        read_services({**ENV_FILE, name: ""})


def test_every_queue_has_a_worker() -> None:
    listened: list[str] = []
    for service in our_services(ENV_FILE).values():
        command = command_of(service)
        if "--queues" in command:
            listened += command[command.index("--queues") + 1].split(",")
    assert sorted(listened) == sorted(settings.RUN_QUEUES)


def test_nothing_but_the_proxy_on_this_machine_reaches_in() -> None:
    ports = [port for service in read_services(ENV_FILE).values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8000:8000"]


def test_what_must_survive_lies_in_volumes() -> None:
    services = read_services(ENV_FILE)
    assert services["postgres"]["volumes"] == ["database:/var/lib/postgresql"]
    assert all(service["volumes"] == ["data:/data"] for service in our_services(ENV_FILE).values())


@pytest.mark.parametrize("name", sorted(read_services(ENV_FILE)))
def test_a_service_may_no_more_than_it_needs(name: str) -> None:
    service = read_services(ENV_FILE)[name]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"]), "root"
    assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["pids_limit"] > 0
    assert service["healthcheck"]["test"]
    assert all("size=" in place or "uid=" in place for place in service["tmpfs"])


def test_the_user_of_the_compose_file_is_the_one_that_the_image_makes() -> None:
    [uid] = {service["user"] for service in our_services(ENV_FILE).values()}
    lines = [rest for word, rest in instructions("") if word == "RUN"]
    number, _colon, group = uid.partition(":")
    assert any(f"useradd --system --uid {number} --gid {group} assay" in line for line in lines)


def test_redis_has_the_password_that_the_others_show() -> None:
    services = read_services(ENV_FILE)
    for service in our_services(ENV_FILE).values():
        assert service["environment"]["REDIS_URL"] == f"redis://:{ENV_FILE['REDIS_PASSWORD']}@redis:6379/0"
    assert services["redis"]["environment"]["REDIS_PASSWORD"] == ENV_FILE["REDIS_PASSWORD"]
    assert not any(ENV_FILE["REDIS_PASSWORD"] in word for word in command_of(services["redis"]))


def test_postgresql_starts_with_what_the_file_gives_it() -> None:
    given = postgres_settings()
    server = PostgresServer(settings=given)
    try:
        with closing(psycopg2.connect(server.url())) as connection, connection.cursor() as cursor:
            for name, value in given.items():
                cursor.execute(sql.SQL("SHOW {}").format(sql.Identifier(name)))
                assert cursor.fetchone() == (value,)
    finally:
        server.stop()


def test_workers_are_watched_by_the_sign_that_they_give() -> None:
    for name in ("worker", "neural"):
        service = read_services(ENV_FILE)[name]
        assert service["environment"]["ASSAY_WORKER_SIGN"] in service["healthcheck"]["test"].split()


def test_the_worker_of_neural_metrics_has_an_image_of_its_own_and_an_image_without_a_name_is_the_application() -> None:
    services = read_services(ENV_FILE)
    assert services["neural"]["build"]["target"] == services["neural"]["image"] == "assay-neural"
    assert services["web"]["build"]["target"] == services["worker"]["build"]["target"] == "assay"
    assert (ROOT / "Dockerfile").read_text(encoding="utf-8").rstrip().splitlines()[-1] == "FROM assay"
    own, plain = instructions("assay-neural"), instructions("assay")
    assert [rest for word, rest in own if word == "ENV"] == [rest for word, rest in plain if word == "ENV"]


def test_an_image_is_pinned_behind_its_name_and_ours_is_not() -> None:
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("docker-compose.yml", "Dockerfile"))
    names = images_in(text)
    assert [name.partition(":")[0] for name in names] == ["node", "postgres", "python", "python", "redis"]
    first, second = (dict.fromkeys(names, f"sha256:{digit * 64}") for digit in "ab")
    once = pinned(text, first)
    assert {once.count(f"{name}@{first[name]}") for name in names} == {1}
    assert pinned(once, second) == pinned(text, second)
    assert re.sub(r"@sha256:\w+", "", once) == re.sub(r"@sha256:\w+", "", text)
