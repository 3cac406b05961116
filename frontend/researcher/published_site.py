"""A campaign's results as a folder of pages, to be opened from it or put on any server: nothing is fetched elsewhere.

Annotators have the codes of exported files. Nothing of the site asks a server: no script, no form, no order by links.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from django.contrib.staticfiles import finders
from django.http import QueryDict
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from exchange.tables.csv_and_json import csv_text
from exchange.tables.finished_runs import tables_of_run
from exchange.tables.papers import methods_of
from frontend.researcher.shared import documents_of, nameless_results, texts_on
from frontend.run_pages import PageRuns
from metrics.pseudonyms import People, codes_of

STYLES = ("assay", "pages", "organising", "results", "charts")


class SiteError(Exception):
    """Why there is no site, and what to do."""


@dataclass(frozen=True)
class Site:
    """What pages for holders of a link know of it."""

    shows_texts: bool
    is_file: bool = True


def publish_site(runs: PageRuns, folder: Path, *, shows_texts: bool) -> list[str]:
    """The names of the files. The folder is new or empty, and gets everything or nothing."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SiteError(_("%(folder)s is not empty. Name a new folder, or remove it first.") % {"folder": folder})
    if runs.done is None:
        message = _("There are no results of “%(campaign)s” yet. Run: ./assay manage analyse %(slug)s")
        raise SiteError(message % {"campaign": runs.campaign.name, "slug": runs.campaign.slug})
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        names = [_write(making, name, text) for name, text in _files(runs, shows_texts=shows_texts)]
        making.chmod(0o755)
        making.replace(folder)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise
    return names


def _write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return name


def _files(runs: PageRuns, *, shows_texts: bool) -> Iterator[tuple[str, str]]:
    """One after the other, so that only one is in memory."""
    people = People({}, {}, codes_of(runs.campaign))
    named: list[str] = []
    for name, text in _tables(runs, people):
        named.append(name)
        yield name, text
    context = {"campaign": runs.campaign, "link": Site(shows_texts), "results_path": "index.html"}
    first = context | {"texts_path": "texts/1.html", "files": named}
    yield "index.html", _page("shared", first | nameless_results(runs, QueryDict(), people), "")
    if shows_texts:
        yield from _texts(runs.campaign, context)
    yield from _styles()


def _tables(runs: PageRuns, people: People) -> Iterator[tuple[str, str]]:
    for name, table_of in tables_of_run(runs).items():
        header, rows = table_of(runs)
        if written := list(rows):
            yield f"tables/{name}.csv", csv_text(header, (people.in_json(list(row)) for row in written))
    methods = methods_of(runs.done) if runs.done else None
    if methods:
        yield "methods.txt", people.in_text(f"{methods.text}\n\n{methods.signature}\n")
        yield "methods.bib", methods.bibtex


def _texts(campaign: Campaign, context: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A page for each document, read when it is written."""
    documents = documents_of(campaign)
    places = {"results_path": "../index.html", "texts_path": "1.html", "texts_query": "./", "texts_end": ".html"}
    for number in documents.page_range:
        page = texts_on(documents.page(number), campaign)
        yield f"texts/{number}.html", _page("shared_texts", {**context, **places, **page}, "../")


def _page(name: str, context: Mapping[str, Any], above: str) -> str:
    """With the addresses of styles beside it instead of on a server."""
    page = str(render_to_string(f"researcher/{name}.html", dict(context)))
    for file in (*(f"css/{style}.css" for style in STYLES), "img/favicon.svg"):
        page = page.replace(f'"{static(file)}"', f'"{above}{file}"')
    return page


def _styles() -> Iterator[tuple[str, str]]:
    """They name no other file; a test holds them to it."""
    for file in (*(f"css/{style}.css" for style in STYLES), "img/favicon.svg"):
        yield file, Path(str(finders.find(file))).read_text(encoding="utf-8")
