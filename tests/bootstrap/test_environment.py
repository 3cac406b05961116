"""The locks, and when they are installed."""

import re
import tomllib
from pathlib import Path

import pytest

from bootstrap.places import (
    DEV_LOCK,
    FRONTEND,
    NEURAL_LOCK,
    NEURAL_PINS,
    NODE_LOCK,
    OBJECT_STORE_LOCK,
    ROOT,
    RUN_LOCK,
    TOKENIZERS_LOCK,
    UV_LOCK,
)
from bootstrap.steps import digest_of, is_current, put_stamp
from tests.bootstrap.house import House

LOCKS = [RUN_LOCK, DEV_LOCK, OBJECT_STORE_LOCK, TOKENIZERS_LOCK, NODE_LOCK, UV_LOCK, NEURAL_LOCK]
PACKAGED = [ROOT / "bootstrap" / name for name in ("packaged_chromium", "packaged_fonts")]
PACKAGE_LOCKS = [folder / "package-lock.json" for folder in (FRONTEND, *PACKAGED)]


def pins(lock: Path) -> set[str]:
    return set(re.findall(r"^([a-z0-9][^ \\]*==[^ \\]+(?: ; [^\\]+)?)", lock.read_text(), flags=re.MULTILINE))


def names_in(lock: Path) -> set[str]:
    return {pin.partition("==")[0] for pin in pins(lock)}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_pin_has_hashes(lock: Path) -> None:
    text = lock.read_text()
    assert pins(lock)
    assert len(re.findall(r"^[a-z0-9].*\\\n    --hash=sha256:[0-9a-f]{64}", text, flags=re.MULTILINE)) == len(
        pins(lock)
    )


def test_what_tests_contains_what_runs() -> None:
    assert pins(RUN_LOCK) <= pins(DEV_LOCK)


def test_the_locks_hold_what_pyproject_asks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    for lock, wanted in {
        RUN_LOCK: project["project"]["dependencies"],
        DEV_LOCK: [name for name in groups["dev"] if isinstance(name, str)]
        + groups["tokenizers"]
        + groups["object-store"],
        OBJECT_STORE_LOCK: groups["object-store"],
        TOKENIZERS_LOCK: groups["tokenizers"],
        NODE_LOCK: groups["node"],
        UV_LOCK: groups["uv"],
    }.items():
        assert {re.split(r"[\[<>=]", name)[0].lower() for name in wanted} <= names_in(lock)


def test_the_neural_lock_holds_the_versions_that_were_tried_together() -> None:
    wanted = {line.lower() for line in NEURAL_PINS.read_text().split()}
    assert pins(NEURAL_LOCK) == {pin.replace("_", "-") for pin in wanted}


@pytest.mark.parametrize("lock", [*LOCKS, *PACKAGE_LOCKS], ids=lambda lock: lock.name)
def test_no_lock_names_where_packages_are_fetched(lock: Path) -> None:
    text = lock.read_text()
    assert "--index-url" not in text
    assert '"resolved"' not in text


def test_a_stamp_holds_while_the_content_does(tmp_path: Path) -> None:
    source, stamp = tmp_path / "source", tmp_path / "deep" / "stamp"
    source.write_text("one")
    assert not is_current(stamp, digest_of([source]))
    put_stamp(stamp, digest_of([source]))
    assert is_current(stamp, digest_of([source]))
    source.write_text("two")
    assert not is_current(stamp, digest_of([source]))


def test_a_work_tree_elsewhere_that_shares_the_environment_installs_nothing_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = set()
    for place in ("clone", "work tree"):
        root = tmp_path / place
        root.mkdir()
        (root / "lock").write_text("one")
        monkeypatch.setattr("bootstrap.steps.ROOT", root)
        digests.add(digest_of([root / "lock"]))
    assert len(digests) == 1


def test_what_tests_is_good_for_running_too(house: House) -> None:
    house.has_python()
    house.has_program("uv", f'echo "$*" >> {house.root / "calls"}')
    prepare = "from bootstrap import environment as e, places as p; e.prepare(p.{})"
    house.python(prepare.format("DEV_LOCK"))
    house.python(prepare.format("RUN_LOCK"))
    [call] = house.calls()
    assert "--require-hashes" in call
    assert call.endswith("requirements-dev.txt")


def test_the_tokenizers_are_a_set_of_their_own(house: House) -> None:
    house.has_python()
    house.has_program("uv", f'echo "$*" >> {house.root / "calls"}')
    assert house.assay("install").returncode == house.assay("install", "spelling").returncode == 2
    for name in ("tokenizers", "object-store"):
        done = house.assay("install", name)
        assert done.returncode == 0, done.stderr
        assert "Start Assay again" in done.stderr
    filled = ["requirements.txt", "requirements-tokenizers.txt", "requirements-object-store.txt"]
    assert [call.rpartition("/")[2] for call in house.calls()] == filled


def test_a_machine_without_ready_made_tokenizers_is_told_for_which_there_are(house: House) -> None:
    house.has_python()
    house.has_program("uv", 'case "$*" in *tokenizers*) echo error: mecab-ko has no wheels >&2; exit 1;; esac')
    done = house.assay("install", "tokenizers")
    assert done.returncode == 1
    assert "ready-made packages for Linux (glibc; not Alpine), macOS and" in done.stderr.splitlines()[-1]


def test_what_has_to_be_compiled_elsewhere_comes_ready_made() -> None:
    for lock in (TOKENIZERS_LOCK, DEV_LOCK):
        for name in ("mecab-ko", "mecab-python3", "sentencepiece"):
            assert f"--only-binary {name}\n" in lock.read_text()


def test_a_changed_lock_is_installed_and_an_environment_without_its_python_made_anew(house: House) -> None:
    house.has_program("uv", f'echo "$*" >> {house.root / "calls"}')
    prepare = "from bootstrap import environment as e, places as p; e.prepare(p.RUN_LOCK)"
    house.python(prepare)
    assert len(house.calls()) == 1
    house.python(prepare)
    assert house.calls() == []
    with (house.root / "requirements.txt").open("a") as lock:
        lock.write("# another\n")
    house.python(prepare)
    assert len(house.calls()) == 1
    python = house.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(house.root / "gone")
    house.python(prepare)
    assert len(house.calls()) == 1
