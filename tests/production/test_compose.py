"""docker-compose.yml and the settings know the same variables, and together they make a complete production."""

import os
import re
import subprocess
import sys

import pytest

from metrics.kinds import QUEUES
from tests.production.compose import (
    ENV_FILE,
    ROOT,
    MissingVariable,
    command_of,
    our_services,
    read_services,
    variables_of_settings,
)

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
    assert sorted(listened) == sorted(QUEUES)


def test_nothing_but_the_proxy_on_this_machine_reaches_in() -> None:
    ports = [port for service in read_services(ENV_FILE).values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8000:8000"]


def test_what_must_survive_lies_in_volumes() -> None:
    services = read_services(ENV_FILE)
    assert services["postgres"]["volumes"] == ["database:/var/lib/postgresql"]
    assert all(service["volumes"] == ["data:/data"] for service in our_services(ENV_FILE).values())
