"""The page on which instructions and the glossary of a test set are read, added, changed and removed."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from campaigns.actions.glossary_terms import guidance_of, remove_term, set_term, terms_of
from campaigns.actions.text_guidance import INSTRUCTION_LIMIT, GlossaryTerm, Scope, set_glossary, set_instruction
from campaigns.invalid_input import InvalidInput
from campaigns.models import Document, TestSet, TextGuidance
from campaigns.reading.problems import Problems
from exchange.cells import safe_name, safe_text
from exchange.formats.glossary_table import COLUMNS, SEPARATOR, read_glossary
from exchange.reading import ImportFileError
from exchange.upload_folders import delete_upload
from frontend.access import SignedInRequest, get_own_test_set_for
from frontend.campaign_pages import FORM, READ, signed_in
from frontend.downloads import csv_file
from frontend.uploads import UploadError, store_upload

ON_A_PAGE = 100
DOCUMENTS_OFFERED = 200
PREVIEWED = 20

Errors = Mapping[str, Sequence[str]]


@signed_in(FORM)
def test_set_guidance(request: SignedInRequest, slug: str) -> HttpResponse:
    test_set = get_own_test_set_for(request.user, slug)
    scope = _scope(request, test_set)
    shown: dict[str, Any] = {}
    errors: Errors = {}
    if request.method == "POST":
        act = ACTS.get(request.POST.get("act", ""), _refuse)
        try:
            shown = act(request, test_set, scope)
        except InvalidInput as error:
            errors = error.errors
        if not errors and not shown:
            messages.success(request, _("Stored."))
            return redirect(_address(test_set, scope))
    context = _context(request, test_set, scope) | {"errors": errors, "sent": request.POST} | shown
    refused = errors or shown.get("file_errors")
    return render(request, "organiser/test_set_guidance.html", context, status=422 if refused else 200)


@signed_in(READ)
def terms_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """The glossary as a table that can be read again."""
    test_set = get_own_test_set_for(request.user, slug)
    terms = terms_of(guidance_of(test_set, _scope(request, test_set)))
    rows = [
        [safe_text(each.term), _joined(each.required), _joined(each.forbidden), safe_text(each.note)] for each in terms
    ]
    return csv_file(f"{safe_name(test_set.slug)}-terms", COLUMNS, rows)


def _scope(request: HttpRequest, test_set: TestSet) -> Scope:
    """As the address names it; 404 for a document or domain that the test set does not have."""
    scope = Scope(request.GET.get("document", "").strip(), request.GET.get("domain", "").strip())
    if scope.document:
        scope = Scope(scope.document)
    wanted = {"name": scope.document} if scope.document else {"domain": scope.domain}
    if (scope.document or scope.domain) and not Document.objects.filter(test_set=test_set, **wanted).exists():
        message = _("The test set has no such document or domain: %(name)s")
        messages.error(request, message % {"name": scope.document or scope.domain})
        return Scope()
    return scope


def _address(test_set: TestSet, scope: Scope) -> str:
    page = resolve_url("organiser-test-set-guidance", test_set.slug)
    return f"{page}?{query}" if (query := query_of(scope)) else page


def query_of(scope: Scope) -> str:
    return urlencode({name: value for name, value in asdict(scope).items() if value})


def _refuse(_request: SignedInRequest, _test_set: TestSet, _scope: Scope) -> dict[str, Any]:
    raise InvalidInput.of("glossary", _("Nothing was changed. Use one of the buttons of this page."))


def _change_instruction(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    set_instruction(test_set=test_set, scope=scope, text=request.POST.get("instruction", ""), by=request.user)
    return {}


def _change_term(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    term = _term(request.POST)
    set_term(test_set=test_set, scope=scope, term=term, was=request.POST.get("was", ""), by=request.user)
    return {}


def _remove_term(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    remove_term(test_set=test_set, scope=scope, term=request.POST.get("term", ""), by=request.user)
    return {}


def _read_table(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    """Shows what the file would change; nothing is stored yet."""
    try:
        upload, stored = store_upload(request.FILES.getlist("file")[:1])
    except UploadError as error:
        return {"file_errors": [str(error)]}
    problems = Problems()
    try:
        terms = read_glossary(Path(stored[0]["path"]), stored[0]["name"], problems)
    except ImportFileError:
        return {"file_errors": [*problems.sentences(), *problems.notes]}
    finally:
        delete_upload(upload)
    before = {each.term.casefold(): each for each in terms_of(guidance_of(test_set, scope))}
    now = {each.term.casefold(): each for each in terms}
    preview = {
        "notes": problems.notes,
        "terms": terms[:PREVIEWED],
        "count": len(terms),
        "added": len(now.keys() - before.keys()),
        "changed": sum(1 for key, each in now.items() if key in before and before[key] != each),
        "removed": len(before.keys() - now.keys()),
        "as_json": json.dumps([asdict(each) for each in terms]),
    }
    return {"preview": preview}


def _store_table(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    try:
        terms = [_sent_term(each) for each in json.loads(request.POST.get("terms", ""))]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput.of("glossary", _("The terms did not arrive whole. Choose the file again.")) from error
    set_glossary(test_set=test_set, scope=scope, terms=terms, by=request.user)
    return {}


def _remove_all(request: SignedInRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    set_glossary(test_set=test_set, scope=scope, terms=[], by=request.user)
    return {}


ACTS: dict[str, Callable[[SignedInRequest, TestSet, Scope], dict[str, Any]]] = {
    "instruction": _change_instruction,
    "term": _change_term,
    "remove-term": _remove_term,
    "read-table": _read_table,
    "store-table": _store_table,
    "remove-all": _remove_all,
}


def _term(sent: QueryDict) -> GlossaryTerm:
    required, forbidden = (
        tuple(part.strip() for part in sent.get(name, "").split(SEPARATOR) if part.strip())
        for name in ("required", "forbidden")
    )
    return GlossaryTerm(sent.get("term", "").strip(), required, forbidden, sent.get("note", "").strip())


def _sent_term(sent: Mapping[str, Any]) -> GlossaryTerm:
    """TypeError for anything but texts."""
    term = GlossaryTerm.of(sent)
    if not all(isinstance(text, str) for text in (term.term, term.note, *term.required, *term.forbidden)):
        raise TypeError
    return term


def _joined(texts: Sequence[str]) -> str:
    return safe_text(SEPARATOR.join(texts))


def _context(request: HttpRequest, test_set: TestSet, scope: Scope) -> dict[str, Any]:
    guidance, documents = guidance_of(test_set, scope), test_set.documents.order_by("position")
    terms = terms_of(guidance)
    wanted = request.GET.get("q", "").strip()
    matching = [each for each in terms if wanted.casefold() in each.term.casefold()] if wanted else terms
    edited = next((each for each in terms if each.term == request.GET.get("term", "")), None)
    return {
        "test_set": test_set,
        "scope": scope,
        "scope_query": query_of(scope),
        "instruction": guidance.instruction if guidance else "",
        "instruction_limit": INSTRUCTION_LIMIT,
        "count": len(terms),
        "matching": len(matching),
        "terms": matching[:ON_A_PAGE],
        "wanted": wanted,
        "edited": edited,
        "required": SEPARATOR.join(edited.required) if edited else "",
        "forbidden": SEPARATOR.join(edited.forbidden) if edited else "",
        "told": _told(test_set),
        "domains": sorted(set(documents.exclude(domain="").order_by().values_list("domain", flat=True).distinct())),
        "documents": documents.values_list("name", flat=True)[:DOCUMENTS_OFFERED],
        "campaigns": test_set.campaigns.filter(deleted_at=None).order_by("name").values_list("name", flat=True),
    }


def _told(test_set: TestSet) -> list[tuple[TextGuidance, str, int]]:
    """Whatever has an instruction or terms, with its query and the number of its terms."""
    rows = TextGuidance.objects.filter(test_set=test_set).select_related("document")
    rows = rows.order_by("document__position", "domain", "pk")[:DOCUMENTS_OFFERED]
    return [
        (row, query_of(Scope(row.document.name if row.document else "", row.domain)), len(row.glossary)) for row in rows
    ]
