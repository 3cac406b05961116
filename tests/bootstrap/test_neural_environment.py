"""The environment of the neural metrics: which Python it takes, in which steps it is made, and how it goes away."""

import json
from pathlib import Path

import pytest

from bootstrap import neural_environment
from bootstrap.commands.suite import exit_code
from bootstrap.steps import SetUpError
from tests.bootstrap.house import House

DESCRIBED = {"python": "3.11.7", "libraries": {"torch": "2.13.0+cpu"}}


@pytest.fixture
def python(house: House) -> str:
    """A Python 3.11 that only notes what it is asked to do."""
    house.has_python()
    calls, fails = house.root / "calls", house.root / "fails"
    for tool in ("cp", "chmod", "grep"):
        house.has_program(tool, f'exec /bin/{tool} "$@"')
    script = f"""
case "$*" in
  "-c import sys; print"*) echo 3.11 ;;
  "-m venv "*) echo venv >> {calls}; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
  *assay*|*platform*) echo '{json.dumps(DESCRIBED)}' ;;
  *) echo "$*" >> {calls}
    if [ -e {fails} ] && grep -q "$(cat {fails})" {calls}; then echo "error: no room" >&2; exit 1; fi ;;
esac"""
    house.has_program("python3.11", script)
    return str(house.bin / "python3.11")


def _install(house: House, python: str, *options: str) -> str:
    done = house.assay("neural", "install", "environment", *options, ASSAY_NEURAL_PYTHON=python)
    return f"{done.returncode} {done.stderr}"


def _description(house: House) -> Path:
    return house.root / ".venv-neural" / "assay-environment.json"


def test_it_is_made_in_steps_of_which_torch_is_one_of_its_own(house: House, python: str) -> None:
    said = _install(house, python)
    assert said.startswith("0 ")
    assert "about 1.5 GB" in said.splitlines()[0]
    assert "is complete:" in said
    venv, libraries, torch, check = house.calls()
    assert venv == "venv"
    assert "--no-deps --only-binary :all: --require-hashes" in libraries
    assert libraries.endswith("requirements-neural.txt")
    assert torch.endswith("install --quiet --disable-pip-version-check --no-compile torch==2.13.0")
    assert check == "-m pip check"
    described = json.loads(_description(house).read_text())
    assert described | DESCRIBED == described
    assert len(described["requirements"]) == 64


def test_a_second_time_nothing_is_done_until_the_versions_change(house: House, python: str) -> None:
    _install(house, python)
    house.calls()
    assert "is complete. To make it anew, remove it first" in _install(house, python)
    assert house.calls() == []
    with (house.root / "requirements-neural.txt").open("a") as lock:
        lock.write("# another\n")
    _install(house, python)
    assert len(house.calls()) == 4


def test_half_an_environment_is_none(house: House, python: str) -> None:
    (house.root / "fails").write_text("torch==")
    assert "1 " in _install(house, python)[:2]
    assert not _description(house).exists()
    (house.root / "fails").unlink()
    assert _install(house, python).startswith("0 ")


def test_it_can_be_removed(house: House, python: str) -> None:
    _install(house, python)
    assert "removed" in house.assay("neural", "remove", "environment").stderr
    assert not (house.root / ".venv-neural").exists()
    done = house.assay("neural", "remove", "environment")
    assert done.returncode == 0
    assert "there is no environment" in done.stderr


def test_another_python_than_those_two_is_refused_in_one_line(house: House) -> None:
    house.has_python()
    house.has_program("python3.13", "echo 3.13")
    said = _install(house, str(house.bin / "python3.13"))
    (line,) = said.splitlines()
    assert line.startswith("1 assay: the libraries of neural metrics need Python 3.11 or 3.12: ")
    assert "which ASSAY_NEURAL_PYTHON names, is 3.13" in line
    assert "ASSAY_NEURAL_PYTHON=/path/to/python3.12 ./assay neural install environment" in line
    assert not (house.root / ".venv-neural").exists()


@pytest.fixture
def has_no_fitting_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural_environment, "is_complete", lambda: False)
    monkeypatch.setattr(neural_environment, "_candidates", lambda: iter(["/nowhere/python3.13"]))
    monkeypatch.delenv(neural_environment.VARIABLE, raising=False)


def test_without_a_fitting_python_it_is_said_what_to_install(has_no_fitting_python: None) -> None:
    with pytest.raises(SetUpError, match=r"need Python 3\.11 or 3\.12: none was found\. Install one"):
        neural_environment.find_python()
    assert "none was found" in neural_environment.why_unavailable()


def test_where_the_environment_is_complete_nothing_stands_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural_environment, "is_complete", lambda: True)
    assert neural_environment.why_unavailable() == ""


def test_what_the_suite_could_not_test_is_a_failure_on_ci_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert exit_code([], "no Python 3.11") == 0
    assert capsys.readouterr().err == "assay: the neural worker was not tested: no Python 3.11\n"
    monkeypatch.setenv("CI", "true")
    assert (exit_code([], "no Python 3.11"), exit_code([], ""), exit_code(["Vitest"], "")) == (1, 0, 1)
