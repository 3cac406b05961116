"""What a page shows of a test set of WMT's general task: pairs to choose from, and realigned documents to confirm."""

import hashlib
import json
from pathlib import Path
from typing import Any

from exchange.formats.genmt_names import PAIR_SEPARATOR
from exchange.formats.genmt_report import GenmtReport, Realigned
from exchange.formats.paragraph_alignment import MENDED
from exchange.upload_folders import path_here

REALIGNED_SHOWN = 100
PART_SHOWN = 1_500
KEPT = ".realigned"
OTHERS = "others"  # the confirmation of those that are not shown


def genmt_found(report: GenmtReport) -> dict[str, Any]:
    """As JSON, with the texts of the first realigned documents; each of these has a key, the same as long as it is."""
    shown = report.realigned[:REALIGNED_SHOWN]
    total = report.realigned_counts.total()
    return {
        "pairs": [{"pair": each.pair, "set": each.set_name, "documents": each.documents} for each in report.pairs],
        "pair": report.pair,
        "set": report.set_name,
        "codes": dict(zip(("source", "target"), report.pair.split(PAIR_SEPARATOR, 1), strict=False))
        if report.pair
        else {},
        "is_undecided": report.is_undecided,
        "realigned": [_shown(document) for document in shown],
        "realigned_count": total,
        "realigned_hidden": total - len(shown),
        "realigned_by_system": dict(report.realigned_counts),
        "left_out": report.as_json()["left_out"],
        "failed_documents": report.failed_documents,
        "assets": report.assets.as_json(),
    }


def keep_texts(report: GenmtReport, upload: Path) -> None:
    """Writes the whole texts of the documents that are shown beside the uploaded files, for somebody who mends them."""
    folder = upload / KEPT
    for document in report.realigned[:REALIGNED_SHOWN]:
        folder.mkdir(exist_ok=True)
        content = json.dumps(document.with_texts(), ensure_ascii=False)
        (folder / f"{_key(document)}.json").write_text(content, encoding="utf-8")


def kept_texts(upload: Path, key: str) -> dict[str, Any] | None:
    """`system`, `document`, `sources` and `parts`; None of a document that was not realigned."""
    path = path_here(upload / KEPT / f"{key}.json")
    if not path.is_file():
        return None
    texts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def confirmation_keys(found: dict[str, Any]) -> list[str]:
    """What has to be confirmed before the texts are stored."""
    keys = [each["key"] for each in found["realigned"] if each["how"] != MENDED]
    return [*keys, OTHERS] if found["realigned_hidden"] else keys


def _shown(document: Realigned) -> dict[str, Any]:
    rows = [
        {"source": _excerpt(source), "part": _excerpt(part)}
        for source, part in zip(document.sources, document.parts, strict=True)
    ]
    return document.as_json() | {"key": _key(document), "rows": rows}


def _key(document: Realigned) -> str:
    content = "\0".join((document.system, document.document, *document.sources, "", *document.parts))
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _excerpt(text: str) -> str:
    """The beginning of a long text, with its lines."""
    return text if len(text) <= PART_SHOWN else f"{text[:PART_SHOWN]}…"
