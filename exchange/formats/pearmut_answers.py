"""What one output got in a record of Pearmut, as each protocol stores it, and the options that go with it."""

from collections.abc import Mapping, Sequence
from typing import Any

from exchange.formats.pearmut_info import Info, category_path
from exchange.formats.pearmut_marks import ReadMarks


def options_of(campaign: Info, widest: int) -> dict[str, Any]:
    options: dict[str, Any] = {"systems_per_screen": min(widest, campaign.most_systems)}
    if campaign.is_contrastive:
        options["tags"] = [{"name": name, "title": title} for name, title in campaign.tags]
    elif "missing_content" in campaign.option_names:
        options["missing_content"] = bool(campaign.tags)
    return options if campaign.typology is None else options | {"typology": campaign.typology}


def answer_of(campaign: Info, score: float | None, read: ReadMarks, length: int) -> dict[str, Any]:
    """What one output got, as the protocol stores it. Where there are no tags, one is an omission at the end."""
    whole = {} if score is None else {"score": int(score) if float(score).is_integer() else score}
    if not campaign.has_marks:
        return whole
    if campaign.has_tags:
        return {"spans": _without("category", read.spans), "tags": _without("category", read.tags), **whole}
    omissions = [{"side": "target", "start": length, "end": length, **tag} for tag in read.tags]
    spans = _without("tag", [*read.spans, *omissions])
    if not campaign.has_categories:
        return {"spans": _without("category", spans), **whole}
    return {"spans": [{**each, "category": category_path(each.get("category", ""))} for each in spans]}


def _without(key: str, marks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{name: mark[name] for name in mark if name != key} for mark in marks]


def score_in(answered: object) -> float | None:
    score = answered.get("score") if isinstance(answered, Mapping) else None
    return score if isinstance(score, int | float) and not isinstance(score, bool) else None


def is_judged(campaign: Info, answered: object) -> bool:
    """Where errors have categories, no score is asked."""
    if campaign.has_categories:
        return isinstance(answered, Mapping) and isinstance(answered.get("error_spans"), list)
    return score_in(answered) is not None
