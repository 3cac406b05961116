"""The image holds what the application needs, and nothing of it runs as root."""

from django.conf import settings

from tests.production.compose import ROOT
from tests.production.image import copies, instructions

OURS = {name for name in settings.INSTALLED_APPS if (ROOT / name).is_dir()}


def test_every_copied_file_is_in_the_repository() -> None:
    for copy in [copy for stage in ("frontend", "assay", "assay-neural") for copy in copies(stage) if not copy.stage]:
        for source in copy.sources:
            assert (ROOT / source).exists(), source


def test_every_room_of_the_application_is_copied() -> None:
    copied = {source for copy in copies() for source in copy.sources}
    assert copied >= OURS | {"manage.py", "requirements.txt"}


def test_everything_copied_is_let_in_by_the_ignore_file() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for copy in [copy for stage in ("frontend", "assay", "assay-neural") for copy in copies(stage) if not copy.stage]:
        assert {source.partition("/")[0] for source in copy.sources} <= let_in


def test_packages_are_installed_with_their_hashes() -> None:
    pip = [rest for word, rest in instructions("") if word == "RUN" and rest.startswith("pip install")]
    assert len(pip) == 1
    assert "--require-hashes --requirement requirements.txt" in pip[0]
    chosen = [
        rest for word, rest in instructions("") if word == "RUN" and rest.startswith('test -z "$tokenizers" || pip')
    ]
    assert [rest.endswith("--require-hashes --requirement requirements-tokenizers.txt") for rest in chosen] == [True]


def test_wordnet_is_in_the_image_where_the_application_looks() -> None:
    """Debian's package lies in /usr/share/wordnet, see tests/metrics/scoring/test_install_wordnet.py."""
    of_image = instructions("")
    assert any(word == "RUN" and "apt-get install" in rest and "wordnet-base" in rest for word, rest in of_image)
    assert any(word == "ENV" and "ASSAY_WORDNET=/usr/share/wordnet" in rest.split() for word, rest in of_image)


def test_it_does_not_run_as_root() -> None:
    assert ("USER", "assay") in instructions("")
