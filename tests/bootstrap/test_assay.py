"""`./assay` from outside: what it says where it cannot go on, and what it hands over where it can."""

import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from bootstrap.commands import COMMANDS, HELP
from tests.bootstrap.house import House
from tests.processes import ROOT


def test_an_old_python_is_said_in_one_line(house: House) -> None:
    house.has_program("python3", 'if [ "$1" = -V ]; then echo Python 3.8.18; else exit 1; fi')
    done = house.assay("run")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"assay: needs Python 3\.11 to 3\.14, found: Python 3\.8\.18\. Install one.*\n", done.stderr)


def test_no_python_at_all_is_said_in_one_line(house: House) -> None:
    done = house.assay("run")
    assert done.returncode == 1
    assert re.fullmatch(r"assay: needs Python 3\.11 to 3\.14, found: none\. .*\n", done.stderr)


def test_a_newer_python_under_another_name_is_found(house: House) -> None:
    house.has_program("python3", "exit 1")
    house.has_python()
    (house.bin / "python3").rename(house.bin / "python3.12")
    assert house.assay("help").returncode == 0


def test_a_python_can_be_named(house: House) -> None:
    house.has_python()
    named = house.bin / "python3"
    elsewhere = house.root / "mine"
    named.rename(elsewhere)
    assert house.assay("help", ASSAY_PYTHON=str(elsewhere)).returncode == 0


def test_what_is_no_command_of_models_is_answered_with_those_there_are(house: House) -> None:
    house.has_python()
    done = house.assay("neural", "fetch", "everything")
    assert done.returncode == 1
    assert "unknown: ./assay neural fetch everything; use\n  ./assay neural install light" in done.stderr


def test_an_installer_that_fails_is_followed_by_the_next_and_without_a_network_one_line_says_so(house: House) -> None:
    house.has_python()
    house.has_program("uv", "echo error: I am too old >&2; exit 2")
    done = house.assay("run")
    assert (done.returncode, done.stdout) == (1, "")
    *progress, last = done.stderr.splitlines()
    assert last.startswith("assay: Installing uv failed: no connection to the package registry. Connect this machine")
    assert all(line.endswith("…") for line in progress)
    log = (house.root / ".assay" / "setup.log").read_text()
    assert "error: I am too old" in log
    assert re.search(r"-m pip .*install", log)


@pytest.mark.parametrize("name", [".assay", ".venv"])
def test_a_folder_that_cannot_be_written_to_is_said_in_one_line(house: House, name: str) -> None:
    house.has_python()
    (house.root / name).touch()  # nor may root make a folder where a file is
    done = house.assay("run")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{house.root / name} cannot be" in done.stderr.splitlines()[-1]
    assert "Move Assay into a folder that you own" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_said_in_one_line(house: House, tmp_path: Path) -> None:
    house.has_filled_environment()
    house.has_front_end()
    house.has_been_made_ready()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = house.assay("run", "--port", port, "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        f"Port {port} of 127.0.0.1 is not available (Address already in use). Choose another: --port N."
    )
    assert "Traceback" not in done.stderr


def test_manage_hands_over_and_adds_nothing_to_its_output(house: House) -> None:
    house.has_filled_environment()
    done = house.assay("manage", "version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"5\.2\.\d+\n", done.stdout)


def test_it_may_be_called_from_anywhere_by_a_link(house: House, tmp_path: Path) -> None:
    house.has_filled_environment()
    (house.bin / "assay").symlink_to(house.root / "assay")
    shutil.move(house.root / "assay", house.root / "assay.real")
    (house.root / "assay").symlink_to(house.root / "assay.real")
    assert house.assay("manage", "version", folder=tmp_path).returncode == 0


def test_every_command_has_its_line_of_help(house: House) -> None:
    house.has_python()
    done = house.assay()
    assert (done.returncode, done.stdout) == (0, HELP)
    for name in COMMANDS:
        assert f"  ./assay {name} " in done.stdout


def test_an_unknown_command_is_refused(house: House) -> None:
    house.has_python()
    done = house.assay("rnu")
    assert (done.returncode, done.stderr) == (2, "assay: unknown command 'rnu'. ./assay help lists all commands.\n")


def test_ci_calls_exactly_assay_test(house: House) -> None:
    shutil.copytree(ROOT / ".ci", house.root / ".ci")
    (house.root / "assay").write_text('#!/bin/sh\necho "$*"\nexit 3\n', encoding="utf-8")
    done = subprocess.run(["sh", house.root / ".ci" / "run"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "test\n")


def test_without_docker_no_image_is_pinned_and_one_line_says_why(house: House) -> None:
    house.has_python()
    done = house.assay("pin_images")
    assert done.returncode == 1
    assert done.stderr == (
        "assay: Docker, which asks registries for digests, is not installed here. Nothing was changed.\n"
    )
