"""`publish_site`: a folder of pages that needs no server, with nobody's name in it."""

import re
from html.parser import HTMLParser
from pathlib import Path

from django.core.management import CommandError, call_command

import pytest

from campaigns.models import Campaign, TestSet
from tests.cast import Cast
from tests.frontend.researcher.judged import compute, make_judged


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_judged(test_set, cast)


class Page(HTMLParser):
    """What a page leads to or loads, its ids, and whether anything in it runs or is sent."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in {"href", "src", "action"} and value:
                self.addresses.append(value)
            if name == "id" and value:
                self.ids.append(value)


def test_every_address_of_every_page_is_a_file_beside_it(campaign: Campaign, tmp_path: Path) -> None:
    compute(campaign)
    folder = tmp_path / "a" / "site"
    call_command("publish_site", campaign.slug, "--output", str(folder), "--texts")
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    assert {path.relative_to(folder).parts[0] for path in pages} == {"index.html", "texts"}
    for path, page in pages.items():
        assert not page.tags & {"script", "form", "button", "iframe"}
        for address in page.addresses:
            file, _hash, part = address.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), (path.name, address)
            assert not part or part in pages[target].ids, (path.name, address)
    for style in folder.rglob("*.css"):
        assert not re.search(r"url\((?!\s*[\"']?data:)|@import", style.read_text(encoding="utf-8"))
    assert {"systems.csv", "annotators.csv", "agreement.csv"} <= {path.name for path in folder.rglob("*.csv")}


def test_it_names_systems_but_nobody_who_judged(campaign: Campaign, cast: Cast, tmp_path: Path) -> None:
    compute(campaign)
    call_command("publish_site", campaign.slug, "--output", str(tmp_path / "site"))
    everything = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert all(name in everything for name in campaign.systems.values_list("name", flat=True))
    assert not re.search(rf"\b{re.escape(cast.annotator.username)}\b", everything)
    assert "annotator-" in (tmp_path / "site" / "tables" / "annotators.csv").read_text(encoding="utf-8")


def test_without_results_or_into_a_full_folder_nothing_is_written(campaign: Campaign, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with pytest.raises(CommandError, match=f"analyse {campaign.slug}"):
        call_command("publish_site", campaign.slug, "--output", str(site))
    with pytest.raises(CommandError, match="Allowed"):
        call_command("publish_site", campaign.slug, "--output", str(site), "--recipe", "nothing")
    assert not list(tmp_path.iterdir())
    site.mkdir()
    (site / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("publish_site", campaign.slug, "--output", str(site))
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "notes.txt"]
