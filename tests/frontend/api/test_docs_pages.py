"""The reference of the API: a page for each resource, small enough to be read anywhere, and whole by itself."""

import re
from html.parser import HTMLParser

from django.test import Client

import pytest

from frontend.api.docs_page import METHODS, described, whole_schema

LARGEST_BYTES = 1_000_000
MOST_ELEMENTS = 3_000


class _Page(HTMLParser):
    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements = 0
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += 1
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]


def read(client: Client, address: str) -> _Page:
    content = client.get(address).content
    page = _Page(content.decode())
    assert len(content) < LARGEST_BYTES, address
    assert page.elements < MOST_ELEMENTS, address
    return page


@pytest.mark.parametrize("resource", described())
def test_the_page_of_a_resource_is_small_and_holds_every_shape_it_names(client: Client, resource: str) -> None:
    page = read(client, f"/api/v1/docs/{resource}/")
    assert len(set(page.ids)) == len(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)


def test_every_operation_of_the_schema_is_on_one_page_where_the_first_page_leads(client: Client) -> None:
    links = [link for link in read(client, "/api/v1/docs/").links if re.match(r"/api/v1/docs/[^/]+/#", link)]
    pages = {resource: read(client, f"/api/v1/docs/{resource}/").ids for resource in described()}
    assert all(link.partition("#")[2] in pages[link.split("/")[4]] for link in links)
    paths = whole_schema()["paths"].values()
    operations = [each[method]["operationId"] for each in paths for method in METHODS if method in each]
    assert sorted(link.partition("#")[2] for link in links) == sorted(operations)


def test_an_unknown_resource_is_not_found(client: Client) -> None:
    assert client.get("/api/v1/docs/ships/").status_code == 404
