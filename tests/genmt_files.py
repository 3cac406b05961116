"""Small files of WMT's general task: documents and a system's outputs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SET, SOURCE, TARGET = "WMT26", "eng_Latn", "deu_Latn"


def doc_id(name: str, *, set_name: str = SET, domain: str = "news", source: str = SOURCE, target: str = TARGET) -> str:
    return "_###_".join((set_name, domain, source, target, name))


def document(name: str, text: str = "<p>One.</p>\n<p>Two.</p>", **changes: Any) -> dict[str, Any]:
    """`changes` are keys of the line; `set_name`, `domain`, `source` and `target` change its name as well."""
    named = {key: changes.pop(key) for key in ("set_name", "source", "target") if key in changes}
    domain = changes.get("domain", "news")
    languages = {"src_lang": named.get("source", SOURCE), "tgt_lang": named.get("target", TARGET)}
    plain = {"doc_id": doc_id(name, domain=domain, **named), "domain": domain, **languages, "src_text": text}
    return {**plain, "video": None, "screenshot": None, "refs": {}, **changes}


def output(name: str, text: str = "<p>Eins.</p>\n<p>Zwei.</p>", **named: str) -> dict[str, Any]:
    return {"doc_id": doc_id(name, **named), "hypothesis": text, "metadata": {"reasoning": "secret"}}


def lines(*objects: Mapping[str, Any]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def write_lines(path: Path, *objects: Mapping[str, Any]) -> Path:
    path.write_text(lines(*objects), encoding="utf-8")
    return path
