"""The schema, and the TypeScript types made of it."""

import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.test import Client

import pytest
import yaml

ROOT = Path(__file__).parents[3]
TYPES = ROOT / "frontend" / "src" / "generated" / "api.ts"
GENERATOR = ROOT / "frontend" / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
FROZEN = {
    "/api/v1/account": {"get"},
    "/api/v1/account/data": {"get"},
    "/api/v1/assignments": {"get"},
    "/api/v1/assignments/{id}/items": {"get"},
    "/api/v1/assignments/{id}/items/{item}/draft": {"put"},
    "/api/v1/assignments/{id}/items/{item}/judgments": {"post"},
    "/api/v1/assignments/{id}/items/{item}/reports": {"post"},
    "/api/v1/assignments/{id}/screens": {"post"},
    "/api/v1/campaign-drafts": {"get", "post"},
    "/api/v1/campaign-drafts/{id}": {"delete", "get", "put"},
    "/api/v1/campaigns": {"get", "post"},
    "/api/v1/campaigns/{slug}": {"get", "patch"},
    "/api/v1/campaigns/{slug}/access": {"post"},
    "/api/v1/campaigns/{slug}/accounts/{username}/close": {"post"},
    "/api/v1/campaigns/{slug}/accounts/{username}/sign-out": {"post"},
    "/api/v1/campaigns/{slug}/adjudications": {"get", "post"},
    "/api/v1/campaigns/{slug}/exports/{format}/size": {"get"},
    "/api/v1/campaigns/{slug}/adjudications/{id}": {"delete"},
    "/api/v1/campaigns/{slug}/adjudicators/{username}": {"delete", "put"},
    "/api/v1/campaigns/{slug}/annotators/{username}/exclusion": {"delete", "put"},
    "/api/v1/campaigns/{slug}/annotators/{username}/exclusion/trial": {"post"},
    "/api/v1/campaigns/{slug}/annotators/{username}/forgetting": {"post"},
    "/api/v1/campaigns/{slug}/annotators/{username}/password": {"post"},
    "/api/v1/campaigns/{slug}/archive": {"get"},
    "/api/v1/campaigns/{slug}/assignments": {"post"},
    "/api/v1/campaigns/{slug}/comparison": {"get"},
    "/api/v1/campaigns/{slug}/disagreements": {"get"},
    "/api/v1/campaigns/{slug}/exclusions": {"get"},
    "/api/v1/campaigns/{slug}/exports": {"get"},
    "/api/v1/campaigns/{slug}/exports/{format}": {"get"},
    "/api/v1/campaigns/{slug}/extension": {"get", "post"},
    "/api/v1/campaigns/{slug}/attention-checks": {"get"},
    "/api/v1/campaigns/{slug}/suggestions": {"post"},
    "/api/v1/campaigns/{slug}/invitations": {"get", "post"},
    "/api/v1/campaigns/{slug}/invitations/{id}": {"delete"},
    "/api/v1/campaigns/{slug}/invitations/{id}/renew": {"post"},
    "/api/v1/campaigns/{slug}/items/{item}": {"get"},
    "/api/v1/campaigns/{slug}/judgments": {"get"},
    "/api/v1/campaigns/{slug}/copies": {"post"},
    "/api/v1/campaigns/{slug}/notes": {"get"},
    "/api/v1/campaigns/{slug}/annotators/{username}/note": {"put"},
    "/api/v1/campaigns/{slug}/segments/{id}/note": {"put"},
    "/api/v1/campaigns/{slug}/pauses": {"get", "put"},
    "/api/v1/campaigns/{slug}/late-texts": {"get", "post"},
    "/api/v1/campaigns/{slug}/elimination": {"get", "put"},
    "/api/v1/campaigns/{slug}/elimination/returns": {"post"},
    "/api/v1/campaigns/{slug}/media/{file_hash}": {"get"},
    "/api/v1/campaigns/{slug}/media/{file_hash}/captions": {"get"},
    "/api/v1/campaigns/{slug}/members": {"get"},
    "/api/v1/campaigns/{slug}/members/{username}/roles/{role}": {"delete"},
    "/api/v1/campaigns/{slug}/practice": {"get", "put"},
    "/api/v1/campaigns/{slug}/practice/answers": {"get"},
    "/api/v1/campaigns/{slug}/practice/items": {"get"},
    "/api/v1/campaigns/{slug}/practice/items/{item}/draft": {"put"},
    "/api/v1/campaigns/{slug}/practice/items/{item}/judgments": {"post"},
    "/api/v1/campaigns/{slug}/practice/items/{item}/skip": {"post"},
    "/api/v1/campaigns/{slug}/practice/items/{item}/trial": {"post"},
    "/api/v1/campaigns/{slug}/preview": {"get"},
    "/api/v1/campaigns/{slug}/progress": {"get"},
    "/api/v1/campaigns/{slug}/reports": {"get"},
    "/api/v1/campaigns/{slug}/runs": {"get", "post"},
    "/api/v1/campaigns/{slug}/segments": {"get"},
    "/api/v1/campaigns/{slug}/segments/flags": {"get"},
    "/api/v1/account/timesheet": {"get", "put"},
    "/api/v1/campaigns/{slug}/timesheet": {"get", "put"},
    "/api/v1/campaigns/{slug}/crowd": {"get", "put"},
    "/api/v1/campaigns/{slug}/crowd/link": {"post"},
    "/api/v1/campaigns/{slug}/crowd/people": {"get"},
    "/api/v1/campaigns/{slug}/questionnaires/{moment}": {"get", "put"},
    "/api/v1/campaigns/{slug}/questionnaires/{moment}/answers": {"get"},
    "/api/v1/campaigns/{slug}/questionnaires/{moment}/own": {"get", "put"},
    "/api/v1/campaigns/{slug}/segments/flags/runs": {"post"},
    "/api/v1/campaigns/{slug}/segments/runs": {"post"},
    "/api/v1/campaigns/{slug}/segments/tags": {"delete", "post"},
    "/api/v1/campaigns/{slug}/segments/{id}": {"get"},
    "/api/v1/campaigns/{slug}/shares": {"get", "post"},
    "/api/v1/campaigns/{slug}/shares/{id}": {"delete"},
    "/api/v1/campaigns/{slug}/mail": {"get", "post"},
    "/api/v1/campaigns/{slug}/mail/{id}/again": {"post"},
    "/api/v1/campaigns/{slug}/webhooks": {"get", "post"},
    "/api/v1/campaigns/{slug}/webhooks/{id}": {"delete", "get", "put"},
    "/api/v1/campaigns/{slug}/webhooks/{id}/secret": {"post"},
    "/api/v1/campaigns/{slug}/webhooks/{id}/test": {"post"},
    "/api/v1/campaigns/{slug}/deliveries": {"get"},
    "/api/v1/campaigns/{slug}/deliveries/{id}/again": {"post"},
    "/api/v1/campaigns/{slug}/deletion": {"post"},
    "/api/v1/campaigns/{slug}/status": {"put"},
    "/api/v1/campaigns/{slug}/withdrawal": {"post"},
    "/api/v1/campaigns/{slug}/work": {"get"},
    "/api/v1/campaigns/{slug}/work/{id}/reset": {"post"},
    "/api/v1/campaigns/{slug}/work/{id}/return": {"post"},
    "/api/v1/campaign-imports": {"post"},
    "/api/v1/plans": {"post"},
    "/api/v1/rebuilds": {"post"},
    "/api/v1/runs": {"get"},
    "/api/v1/runs/{id}": {"get"},
    "/api/v1/runs/{id}/cancel": {"post"},
    "/api/v1/runs/{id}/finding": {"get"},
    "/api/v1/runs/{id}/paper": {"get"},
    "/api/v1/runs/{id}/paper/figures/{name}": {"get"},
    "/api/v1/runs/{id}/paper/tables/{name}": {"get"},
    "/api/v1/runs/{id}/parts/{name}": {"get"},
    "/api/v1/runs/{id}/tables": {"get"},
    "/api/v1/runs/{id}/tables/{name}": {"get"},
    "/api/v1/test-sets": {"get", "post"},
    "/api/v1/test-sets/{slug}": {"get", "patch", "delete"},
    "/api/v1/test-sets/{slug}/guidance": {"get"},
    "/api/v1/test-sets/{slug}/guidance/instruction": {"delete", "put"},
    "/api/v1/test-sets/{slug}/guidance/terms": {"put"},
    "/api/v1/test-sets/{slug}/imports": {"get"},
    "/api/v1/test-sets/{slug}/imports/{id}": {"delete"},
    "/api/v1/test-sets/{slug}/media": {"post"},
    "/api/v1/test-sets/{slug}/metrics": {"get", "post"},
    "/api/v1/test-sets/{slug}/scores": {"get", "post"},
    "/api/v1/test-sets/{slug}/segments": {"get"},
    "/api/v1/sessions": {"get"},
    "/api/v1/sessions/{id}": {"delete"},
    "/api/v1/tokens": {"get", "post"},
    "/api/v1/tokens/{id}": {"delete"},
    "/api/v1/uploads": {"post"},
    "/api/v1/uploads/{upload}": {"delete", "get", "put"},
}


@pytest.fixture(scope="module")
def schema_text() -> str:
    return _written()


@pytest.fixture(scope="module")
def schema(schema_text: str) -> dict[str, Any]:
    return _read(schema_text)


def _read(text: str | bytes) -> dict[str, Any]:
    """As `yaml.safe_load`, whose own reader would take a second."""
    read: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return read


def _written(*chosen: str) -> str:
    """Any warning is a failure."""
    printed = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", *chosen, stdout=printed)
    return printed.getvalue()


def test_the_schema_holds_the_frozen_addresses_and_no_others(schema: dict[str, Any]) -> None:
    paths = schema["paths"]
    assert {path: set(operations) for path, operations in paths.items()} == FROZEN


def test_every_operation_says_who_may_and_what_may_come_back(schema: dict[str, Any]) -> None:
    for operations in schema["paths"].values():
        for operation in operations.values():
            assert operation["security"] == [{"token": []}, {"session": []}]
            assert "401" in operation["responses"]
            assert operation["summary"]


@pytest.mark.django_db
def test_the_schema_is_served() -> None:
    as_yaml, as_json = Client().get("/api/v1/schema/"), Client().get("/api/v1/schema/?format=json")
    assert as_yaml["Content-Type"] == "application/vnd.oai.openapi"
    assert _read(as_yaml.content) == as_json.json()
    assert set(as_json.json()["paths"]) == set(FROZEN)


def test_the_types_in_the_tree_are_those_of_the_schema(tmp_path: Path) -> None:
    """To make them anew: `./assay types`."""
    assert GENERATOR.exists(), "run `npm ci` in frontend/ first"
    file = tmp_path / "openapi.yaml"
    file.write_text(_written("--custom-settings", "frontend.api.schema.WORKBENCH"), encoding="utf-8")
    made = tmp_path / "api.ts"
    subprocess.run(["node", GENERATOR, file, "-o", made], check=True, capture_output=True, cwd=ROOT / "frontend")
    assert made.read_text(encoding="utf-8") == TYPES.read_text(encoding="utf-8")
