"""What the parent asks and what it is answered: one JSON object a line."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEMORY, REFUSED, DAMAGED, LANGUAGE, FAILED = "memory", "refused", "damaged", "language", "failed"
FLOAT32, BFLOAT16 = "float32", "bfloat16"
PRECISIONS = (FLOAT32, BFLOAT16)
KIND_OF_METRIC = {
    "comet": "comet",
    "bleurt": "bleurt",
    "prism": "prism",
    "prism_src": "prism",
    "bertscore": "encoder",
    "yisi_1": "encoder",
    "yisi_2": "encoder",
}
MOST_ITEMS = 512


class RequestError(Exception):
    """A request cannot be answered: `code` is for programs, the message is a sentence for the operator."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Item:
    """A translation with its source and its references, each of which may be missing."""

    number: int
    source: str
    translation: str
    references: tuple[str, ...]

    @property
    def length(self) -> int:
        return len(self.source) + len(self.translation) + sum(map(len, self.references))


@dataclass(frozen=True)
class ModelPlace:
    name: str
    kind: str
    folder: Path


@dataclass(frozen=True, kw_only=True)
class Options:
    """Languages are primary subtags of BCP 47. `layer` 0 is the last one of an encoder."""

    source_language: str = ""
    target_language: str = ""
    layer: int = 0
    idf: bool = False
    rescale: bool = False
    ngram_size: int = 1
    alpha: float = 0.8
    weights: str = "learn"
    embeddings: str = "contextual"
    precision: str = FLOAT32


@dataclass(frozen=True)
class Corpus:
    """All texts that weights are learnt from."""

    references: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    translations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Request:
    number: int
    metric: str
    model: ModelPlace
    options: Options
    corpus: Corpus
    items: Sequence[Item]


@dataclass(frozen=True)
class Span:
    """Half-open, in code points of the translation."""

    start: int
    end: int
    severity: str


@dataclass(frozen=True)
class Scored:
    """`values` are precision, recall and F where a metric has them; `is_cut`: the model did not see all of the text."""

    number: int
    score: float
    values: tuple[float, ...] = ()
    spans: tuple[Span, ...] | None = None
    is_cut: bool = False


def read_request(line: str) -> Request:
    """RequestError with everything that is wrong with it."""
    try:
        content = json.loads(line)
        number = int(content["request"])
    except (ValueError, TypeError, KeyError) as error:
        raise RequestError(FAILED, "The line is not a JSON object with a number as “request”.") from error
    problems = list(_problems(content))
    if problems:
        raise RequestError(FAILED, f"Request {number}: {' '.join(problems)}")
    model, options, corpus = content["model"], content.get("options") or {}, content.get("corpus") or {}
    allowed = {name: value for name, value in options.items() if name in _OPTIONS and value is not None}
    return Request(
        number,
        content["metric"],
        ModelPlace(model["name"], model["kind"], Path(model["folder"])),
        Options(**allowed),
        Corpus(**{name: tuple(corpus.get(name) or ()) for name in ("references", "sources", "translations")}),
        [_item(each) for each in content["items"]],
    )


def number_in(line: str) -> int | None:
    """Of a request that cannot be read otherwise."""
    try:
        return int(json.loads(line)["request"])
    except (ValueError, TypeError, KeyError):
        return None


def answer_line(request: int | None, **content: object) -> str:
    return json.dumps({"request": request, **content}, ensure_ascii=False) + "\n"


def scored_line(request: int, scored: Scored) -> str:
    content: dict[str, object] = {"id": scored.number, "score": scored.score}
    if scored.values:
        content["values"] = list(scored.values)
    if scored.spans is not None:
        content["spans"] = [{"start": span.start, "end": span.end, "severity": span.severity} for span in scored.spans]
    if scored.is_cut:
        content["is_cut"] = True
    return answer_line(request, **content)


_OPTIONS = frozenset(Options.__dataclass_fields__)


def _problems(content: Mapping[str, Any]) -> Sequence[str]:
    metric, model, items = content.get("metric"), content.get("model"), content.get("items")
    problems = []
    if metric not in KIND_OF_METRIC:
        problems.append(f"“metric” must be one of {', '.join(KIND_OF_METRIC)}.")
    if not isinstance(model, dict) or not all(isinstance(model.get(key), str) for key in ("name", "kind", "folder")):
        problems.append("“model” must have name, kind and folder.")
    elif metric in KIND_OF_METRIC and KIND_OF_METRIC[metric] != model["kind"]:
        problems.append(f"{metric} needs a model of the kind {KIND_OF_METRIC[metric]}; {model['name']} is not one.")
    if not isinstance(items, list) or len(items) > MOST_ITEMS:
        problems.append(f"“items” must be a list of at most {MOST_ITEMS}.")
    elif not all(isinstance(each, dict) and isinstance(each.get("mt"), str) and "id" in each for each in items):
        problems.append("Each item must have “id” and “mt”.")
    if (content.get("options") or {}).get("precision", FLOAT32) not in (*PRECISIONS, None):
        problems.append(f"“precision” must be one of {', '.join(PRECISIONS)}.")
    return problems


def _item(content: Mapping[str, Any]) -> Item:
    return Item(
        int(content["id"]),
        content.get("src") or "",
        content["mt"],
        tuple(each or "" for each in content.get("refs") or ()),
    )
