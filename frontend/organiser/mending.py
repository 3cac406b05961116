"""Realigned documents mended on the page of a new campaign: their fields, and the check of what was typed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render

from exchange.formats.genmt_mending import Mended, UnfitPartsError, divided, moved
from exchange.formats.genmt_names import language_of_wmt
from exchange.genmt_findings import kept_texts
from exchange.upload_folders import upload_folder
from exchange.uploaded_files import whole_file, with_genmt
from frontend.access import SignedInRequest
from frontend.campaign_pages import POST, signed_in
from frontend.uploads import get_inspection
from jobs.models import Run

MENDED = "mended-"  # begins the names of the page's fields: mended-KEY-0 and so on
PROPOSAL = "proposal"  # names the button; its value is a key
_FIELD = re.compile(r"mended-([0-9a-f]{16})-(\d{1,5})")
_MOVE = re.compile(r"(up|down)-(\d{1,5})")


@signed_in(POST)
def mend(request: SignedInRequest, upload: UUID, key: str) -> HttpResponse:
    """One document with fields for its parts (`action=open`), a boundary moved (`up-0`, `down-0`), or closed again."""
    run = get_inspection(request.user, upload)
    documents = shown_documents(run)
    document = next((each for each in documents if each["key"] == key), None)
    texts = kept_texts(upload_folder(upload), key)
    if document is None or texts is None:
        raise Http404
    action, parts = request.POST.get("action", ""), parts_in(request.POST).get(key, texts["parts"])
    if move := _MOVE.fullmatch(action):
        parts = moved("".join(texts["parts"]), parts, int(move[2]), move[1])
    mending = None if action == "close" else _fields(texts, parts)
    context = {"document": {**document, "mending": mending}, "upload": upload, **languages_of(run.result or {})}
    return render(request, "organiser/realigned.html", context)


def shown_documents(run: Run) -> list[dict[str, Any]]:
    return list(((run.result or {}).get("genmt") or {}).get("realigned", ()))


def languages_of(found: Mapping[str, Any]) -> dict[str, str]:
    """Of the texts, as a page marks them."""
    codes = (found.get("genmt") or {}).get("codes") or {}
    return {f"{side}_tag": language_of_wmt(codes[side]) if side in codes else "" for side in ("source", "target")}


def parts_in(posted: Mapping[str, Any]) -> dict[str, list[str]]:
    """What was typed, by the document's key."""
    found: dict[str, dict[int, str]] = {}
    for field in posted:
        if match := _FIELD.fullmatch(field):
            found.setdefault(match[1], {})[int(match[2])] = str(posted[field]).replace("\r\n", "\n")
    return {key: [text for _place, text in sorted(several.items())] for key, several in found.items()}


def with_fields(run: Run, posted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The documents that are shown; those whose parts were typed have `mending`, with an error if these do not fit."""
    typed = parts_in(posted)
    documents = []
    for document in shown_documents(run):
        key = document["key"]
        texts = kept_texts(upload_folder(run.arguments["upload"]), key) if key in typed else None
        fields = _fields(texts, typed[key], is_checked=True) if texts else None
        documents.append({**document, "mending": fields})
    return documents


def _fields(texts: Mapping[str, Any], parts: Sequence[str], *, is_checked: bool = False) -> dict[str, Any]:
    error = ""
    if is_checked:
        try:
            divided("".join(texts["parts"]), parts, len(texts["sources"]))
        except UnfitPartsError as unfit:
            error = str(unfit)
    rows = [
        {"source": source, "part": part, "is_last": place == len(texts["sources"])}
        for place, (source, part) in enumerate(zip(texts["sources"], parts, strict=False), start=1)
    ]
    return {"rows": rows, "error": error}


def mended_in(run: Run, posted: Mapping[str, Any]) -> tuple[dict[str, Mended], list[str]]:
    """Documents by key whose boundaries were moved, and a sentence for each whose words were changed."""
    mended: dict[str, Mended] = {}
    wrong = []
    for key, parts in parts_in(posted).items():
        texts = kept_texts(upload_folder(run.arguments["upload"]), key)
        if texts is None:
            continue  # of files that were read differently meanwhile
        try:
            fitting = divided("".join(texts["parts"]), parts, len(texts["sources"]))
        except UnfitPartsError as unfit:
            wrong.append(f"{texts['system']}, {texts['document']}: {unfit}")
            continue
        if list(fitting) != texts["parts"]:
            mended[key] = Mended(texts["system"], texts["document"], fitting)
    return mended, wrong


def taken_back_in(run: Run, posted: Mapping[str, Any]) -> tuple[str, str] | None:
    """System and document whose mended parts somebody gave up."""
    documents = [each for each in shown_documents(run) if each["key"] == posted.get(PROPOSAL)]
    return (documents[0]["system"], documents[0]["document"]) if documents else None


def with_mended(
    files: list[dict[str, Any]], mended: Mapping[str, Mended], taken_back: tuple[str, str] | None = None
) -> list[dict[str, Any]]:
    """Files with these documents beside those that were mended before; what does not fit later is left out.

    `taken_back`: system and document that have the proposal again.
    """
    if not mended and not taken_back:
        return files
    before = (whole_file(files) or {}).get("genmt", {}).get("mended", ())
    listed = {(each["system"], each["document"]): each for each in before}
    listed |= {(each.system, each.document): each.as_json() for each in mended.values()}
    if taken_back:
        listed.pop(taken_back, None)
    return with_genmt(files, {"mended": list(listed.values()), "drops_unfit": True})
