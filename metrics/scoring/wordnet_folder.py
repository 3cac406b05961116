"""WordNet in Assay's data folder: copied there from Debian's package or from a folder, with its checksums."""

import hashlib
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from django.conf import settings
from django.utils.translation import gettext as _

from metrics.automatic.wordnet import FILES, INDEX_FILES, WordNet

PACKAGE = "wordnet-base"
SUMS = "SHA256SUMS"
_PATIENCE = 300  # seconds for a download of 6 MB
_FEWEST_WORDS = 1_000  # of a whole release; 3.0 has 147,306


class WordNetError(Exception):
    """WordNet cannot be installed: one sentence that says why and what to do."""


@dataclass(frozen=True)
class WordNetFiles:
    """WordNet's files in a folder that will not last, and where they came from."""

    folder: Path
    origin: str

    @property
    def licence(self) -> str:
        return WordNet(str(self.folder)).licence


def wordnet_folder() -> Path:
    return settings.DATA_DIR / "wordnet"


def wordnet_in_use() -> str:
    """The folder that the operator names, or the one that was installed; empty where there is none."""
    named: str = settings.METRIC_RESOURCES["wordnet"]
    return named or (str(wordnet_folder()) if (wordnet_folder() / SUMS).is_file() else "")


def installed_is_whole() -> bool:
    """Whether every file is there with the sum it had when it was installed."""
    folder = wordnet_folder()
    return (folder / SUMS).is_file() and (folder / SUMS).read_text(encoding="utf-8") == _sums_of(folder)


def same_as_installed(files: WordNetFiles) -> bool:
    return installed_is_whole() and _sums_of(files.folder) == _sums_of(wordnet_folder())


def install(files: WordNetFiles) -> WordNet:
    """Replaces an earlier installation in one step, so that running counts read one or the other."""
    target = wordnet_folder()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".wordnet-") as work:
            made = Path(work) / "new"
            made.mkdir()
            for name in FILES:
                shutil.copyfile(files.folder / name, made / name)
            (made / "LICENSE").write_text(files.licence, encoding="utf-8")
            (made / "ORIGIN").write_text(f"{files.origin}\n", encoding="utf-8")
            (made / SUMS).write_text(_sums_of(files.folder), encoding="utf-8")
            if (made / SUMS).read_text(encoding="utf-8") != _sums_of(made):
                raise WordNetError(_("The copy differs from the original. Check the disk, then try again."))
            if target.exists():
                target.rename(Path(work) / "old")
            made.rename(target)
    except OSError as error:
        raise WordNetError(
            _("Cannot write to %(folder)s (%(reason)s).") % {"folder": target, "reason": error.strerror}
        ) from error
    return WordNet(str(target))


@contextmanager
def from_folder(folder: Path) -> Iterator[WordNetFiles]:
    """An operator's own copy; a release as Princeton packs it has its files in `dict`."""
    places = (folder, folder / "dict")
    dictionary = next((place for place in places if (place / INDEX_FILES[0]).is_file()), folder)
    yield _checked(WordNetFiles(dictionary, _("from %(folder)s") % {"folder": dictionary.resolve()}))


@contextmanager
def from_debian() -> Iterator[WordNetFiles]:
    """Debian's package, downloaded and unpacked as an ordinary user: nothing is installed on the machine."""
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise WordNetError(
                _("%(program)s is not installed here. Give a folder with WordNet's files instead: --from FOLDER.")
                % {"program": program}
            )
    with tempfile.TemporaryDirectory(prefix="assay-wordnet-") as work:
        folder = Path(work)
        listed = _run(["apt-get", "download", "--print-uris", PACKAGE], folder)
        package = re.search(rf" (?P<name>{PACKAGE}_\S+\.deb) \d+ SHA256:(?P<sum>[0-9a-f]{{64}})", listed)
        if package is None:
            message = _("apt-get lists no checksum for %(package)s. %(advice)s")
            raise WordNetError(message % {"package": PACKAGE, "advice": _advice()})
        _run(["apt-get", "download", PACKAGE], folder)
        [archive] = folder.glob("*.deb")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != package["sum"]:
            raise WordNetError(_("The downloaded package does not match the checksum of apt-get. Try again."))
        _unpack(archive, folder)
        version = package["name"].removeprefix(f"{PACKAGE}_").partition("_")[0].replace("%3a", ":")
        yield _checked(WordNetFiles(folder, f"Debian {PACKAGE} {version}, SHA256 {package['sum']}"))


def _unpack(archive: Path, folder: Path) -> None:
    """The files that are read, by their names alone: nothing else of the archive is written to disk."""
    packed = folder / "data.tar"
    with packed.open("wb") as stream:
        _run(["dpkg-deb", "--fsys-tarfile", str(archive)], folder, stdout=stream)
    with tarfile.open(packed) as members:
        for member in members:
            path = PurePosixPath(member.name)
            if member.isfile() and path.parent.name == "wordnet" and path.name in FILES:
                content = members.extractfile(member)
                (folder / path.name).write_bytes(content.read() if content else b"")


def _checked(files: WordNetFiles) -> WordNetFiles:
    """Raises unless the folder holds a release of WordNet whose index can be read."""
    missing = [name for name in FILES if not (files.folder / name).is_file()]
    if missing:
        raise WordNetError(
            _("%(folder)s is not a WordNet folder: it lacks %(files)s.")
            % {"folder": files.folder, "files": ", ".join(missing)}
        )
    try:
        wordnet = WordNet(str(files.folder))
        words = wordnet.words
    except (ValueError, IndexError, OSError) as error:
        raise WordNetError(
            _("%(folder)s has files that are not WordNet's: %(reason)s.") % {"folder": files.folder, "reason": error}
        ) from error
    if words < _FEWEST_WORDS or not wordnet.release:
        raise WordNetError(
            _("%(folder)s is not a complete release of WordNet: it has %(count)d words, or no licence of WordNet.")
            % {"folder": files.folder, "count": words}
        )
    return files


def _sums_of(folder: Path) -> str:
    """In the format of sha256sum, which can check them too."""
    there = [folder / name for name in FILES if (folder / name).is_file()]
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in there)


def _run(command: list[str], folder: Path, *, stdout: IO[bytes] | int = subprocess.PIPE) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdout=stdout,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WordNetError(f"{command[0]}: {error}. {_advice()}") from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").splitlines()
        reason = next((line.removeprefix("E: ") for line in lines if line.startswith("E: ")), "".join(lines[-1:]))
        names = {"program": command[0], "package": PACKAGE, "reason": reason.rstrip(". ") or "–", "advice": _advice()}
        raise WordNetError(_("%(program)s could not download %(package)s: %(reason)s. %(advice)s") % names)
    return (done.stdout or b"").decode(errors="replace")


def _advice() -> str:
    return _(
        "Connect this machine to the network and run “apt-get update” once, "
        "or give a folder with WordNet's files: --from FOLDER."
    )
