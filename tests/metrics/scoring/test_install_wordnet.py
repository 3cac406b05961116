"""`install_wordnet`: from a folder, from Debian's package, and what it says where neither can be had."""

import hashlib
import io
import subprocess
import tarfile
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError

import pytest
from pytest_django import Settings

from metrics.automatic.meteor import Meteor
from metrics.automatic.wordnet import FILES, WordNet
from metrics.scoring import wordnet_folder as home
from tests.metrics.scoring.wordnet_files import LICENCE, real_wordnet, write_release


@pytest.fixture
def data(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "2005"}
    return tmp_path / "data"


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with no other programs than what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def has_program(programs: Path, name: str, script: str) -> None:
    (programs / name).write_text(f"#!/bin/sh\n{script}\n")
    (programs / name).chmod(0o755)


def has_debian(programs: Path, package: bytes, *, listed: str | None = None, after: str = "") -> None:
    """apt-get and dpkg-deb around one archive, which here is the tar that it would hold."""
    archive = programs.parent / "archive"
    archive.write_bytes(package)
    listed = listed or hashlib.sha256(package).hexdigest()
    name = "wordnet-base_1%3a3.0-37_all.deb"
    has_program(
        programs,
        "apt-get",
        f'if [ "$2" = --print-uris ]; then echo "\'http://d/{name}\' {name} 9 SHA256:{listed}";'
        f" else /bin/cat {archive} > {name}; fi\n{after}",
    )
    has_program(programs, "dpkg-deb", '/bin/cat "$2"')


def packed(folder: Path) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, f"./usr/share/wordnet/{path.name}")
        archive.add(__file__, "./usr/share/wordnet/../../../../escaped")
        archive.add(__file__, "./etc/wordnet/passwd")
    return stream.getvalue()


def test_the_licence_is_shown_and_has_to_be_accepted(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_release(tmp_path / "own")
    with pytest.raises(CommandError, match=r"Nothing was installed\..*--accept-licence"):
        call_command("install_wordnet", folder=folder)
    assert "This software and database is being provided to you, the LICENSEE, by\nPrinceton" in capsys.readouterr().out
    assert home.wordnet_in_use() == ""
    assert not data.exists()


def test_what_is_installed_gives_meteor_its_synonyms_and_is_signed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("install_wordnet", "--accept-licence", folder=write_release(tmp_path / "own"))
    assert "WordNet 3.0 is installed in" in capsys.readouterr().out
    assert home.wordnet_in_use() == str(data / "wordnet")
    metric = Meteor(wordnet=home.wordnet_in_use())
    assert metric.statistics(["a boat"], ["a vessel"]).tolist() == [[2, 2, 1, 0, 1, 1]]
    assert f"|synonyms:wordnet-{WordNet(str(data / 'wordnet')).version}|" in metric.signature(1)
    sums = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=data / "wordnet", capture_output=True, check=True
    )
    assert sums.stdout.count(b": OK") == 8
    assert "Princeton University" in (data / "wordnet" / "LICENSE").read_text()


def test_again_it_changes_nothing_and_mends_what_was_changed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_release(tmp_path / "own")
    call_command("install_wordnet", "--accept-licence", folder=folder)
    installed = data / "wordnet" / "index.noun"
    before = installed.stat().st_ino
    call_command("install_wordnet")  # without a network: what is there is whole
    call_command("install_wordnet", folder=folder)
    assert capsys.readouterr().out.count("; its checksums match.") == 2
    assert installed.stat().st_ino == before
    installed.write_text("broken")
    call_command("install_wordnet", "--accept-licence", folder=folder)
    assert home.installed_is_whole()
    assert [path.name for path in data.iterdir()] == ["wordnet"], "nothing is left lying about"


def test_another_release_takes_the_place_of_the_one_before(data: Path, tmp_path: Path) -> None:
    call_command("install_wordnet", "--accept-licence", folder=write_release(tmp_path / "old"))
    before = Meteor(wordnet=home.wordnet_in_use()).signature(1)
    call_command(
        "install_wordnet", "--accept-licence", folder=write_release(tmp_path / "new" / "dict", release="3.1").parent
    )
    after = Meteor(wordnet=home.wordnet_in_use()).signature(1)
    assert "|synonyms:wordnet-3.0-" in before
    assert "|synonyms:wordnet-3.1-" in after


def test_exceptions_are_part_of_what_is_signed(tmp_path: Path) -> None:
    first, second = write_release(tmp_path / "first"), write_release(tmp_path / "second")
    assert WordNet(str(first)).version == WordNet(str(second)).version
    (second / "noun.exc").write_text("")
    assert WordNet(str(first)).version != WordNet(str(second)).version


def test_debians_package_is_unpacked_without_being_installed(data: Path, programs: Path, tmp_path: Path) -> None:
    has_debian(programs, packed(write_release(tmp_path / "own")))
    call_command("install_wordnet", "--accept-licence")
    assert home.installed_is_whole()
    assert (data / "wordnet" / "ORIGIN").read_text().startswith("Debian wordnet-base 1:3.0-37, SHA256 ")
    assert {path.name for path in (data / "wordnet").iterdir()} == {*FILES, "LICENSE", "ORIGIN", "SHA256SUMS"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (None, "apt-get is not installed here. Give a folder with WordNet's files instead: --from FOLDER."),
        (
            "echo 'E: Unable to locate package wordnet-base' >&2; exit 100",
            "Unable to locate package wordnet-base. Connect",
        ),
        (
            "echo 'E: Failed to fetch http://d: Temporary failure resolving' >&2; exit 100",
            "Temporary failure resolving.",
        ),
        ("echo nothing", "apt-get lists no checksum for wordnet-base. Connect this machine"),
    ],
)
def test_where_debian_cannot_be_reached_one_line_says_what_to_do(
    data: Path, programs: Path, script: str | None, message: str
) -> None:
    has_program(programs, "dpkg-deb", "exit 1")
    if script:
        has_program(programs, "apt-get", script)
    with pytest.raises(CommandError) as refused:
        call_command("install_wordnet", "--accept-licence")
    assert message in str(refused.value)
    assert "--from FOLDER" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_package_with_another_sum_is_refused(data: Path, programs: Path, tmp_path: Path) -> None:
    has_debian(programs, packed(write_release(tmp_path / "own")), listed="0" * 64)
    with pytest.raises(CommandError, match="does not match the checksum of apt-get"):
        call_command("install_wordnet", "--accept-licence")
    assert not data.exists()


def test_folders_that_are_no_wordnet_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"is not a WordNet folder: it lacks index\.noun, index\.verb"):
        call_command("install_wordnet", "--accept-licence", folder=tmp_path)
    small = write_release(tmp_path / "small", words=10)
    with pytest.raises(CommandError, match="it has 12 words"):
        call_command("install_wordnet", "--accept-licence", folder=small)
    (small / "index.noun").write_text(LICENCE + "boat n x 1 @ 1 0 00000001\n")
    with pytest.raises(CommandError, match="has files that are not WordNet's"):
        call_command("install_wordnet", "--accept-licence", folder=small)
    (small / "index.noun").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="has files that are not WordNet's"):
        call_command("install_wordnet", "--accept-licence", folder=small)
    assert not data.exists()


def test_a_data_folder_that_cannot_be_written_is_an_error(data: Path, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path / "file"
    settings.DATA_DIR.write_text("")
    with pytest.raises(CommandError, match="Cannot write to"):
        call_command("install_wordnet", "--accept-licence", folder=write_release(tmp_path / "own"))


def test_a_folder_that_the_settings_name_comes_first(
    data: Path, tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.METRIC_RESOURCES = {"wordnet": "/elsewhere", "meteor_variant": "2005"}
    call_command("install_wordnet", "--accept-licence", folder=write_release(tmp_path / "own"))
    assert "ASSAY_WORDNET is set, so /elsewhere is used" in capsys.readouterr().err
    assert home.wordnet_in_use() == "/elsewhere"


def test_debians_own_package_is_a_whole_wordnet() -> None:
    """147,306 words: what Princeton's 3.0 has."""
    wordnet = WordNet(real_wordnet())
    assert (wordnet.release, wordnet.words) == ("3.0", 147_306)
    for words in (("car", "automobile"), ("bought", "purchased"), ("large", "big"), ("geese", "goose")):
        assert wordnet.are_synonyms(*words)
    assert not wordnet.are_synonyms("car", "goose")
