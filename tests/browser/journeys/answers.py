"""How each protocol asks for an opinion, and what an annotator then enters."""

from collections.abc import Mapping
from typing import Any

from tests.browser.journeys.annotators import Answering, Seen, Slots
from tests.browser.journeys.texts import RIGHT, WRONG

MOST_WITH_ERRORS = 96
_MAJOR = 5


def scores(seen: list[Seen], _questions: object) -> Slots:
    return {each.slot: {"score": round(each.opinion)} for each in seen}


def points(seen: list[Seen], _questions: object) -> Slots:
    point = {each.slot: 1 + round(4 * each.opinion / 100) for each in seen}
    return {slot: {"adequacy": value, "fluency": value} for slot, value in point.items()}


def ranks(seen: list[Seen], _questions: object) -> Slots:
    best_first = sorted(seen, key=lambda each: -each.opinion)
    return {each.slot: {"rank": rank} for rank, each in enumerate(best_first, start=1)}


def errors(seen: list[Seen], _questions: object) -> Slots:
    """The lower the opinion, the more penalty points: five for a major error, one for a minor one."""
    return {each.slot: {"spans": _spans(each, category="accuracy/mistranslation")} for each in seen}


def errors_and_scores(seen: list[Seen], _questions: object) -> Slots:
    return {each.slot: {"spans": _spans(each), "score": min(round(each.opinion), MOST_WITH_ERRORS)} for each in seen}


def marks_and_scores(seen: list[Seen], _questions: object) -> Slots:
    """In steps of five, with a mark where the score asks for one."""
    mark = {"side": "target", "start": 0, "end": 4, "severity": "major"}
    score = {each.slot: 5 * round(each.opinion / 5) for each in seen}
    return {
        slot: {"spans": [mark] if value < 85 else [], "tags": [], "score": value, "comment": ""}
        for slot, value in score.items()
    }


def corrections(seen: list[Seen], _questions: object) -> Slots:
    """The lower the opinion, the more words are put otherwise."""
    slots: Slots = {}
    for each in seen:
        words = each.text.split()
        for position in range(round((100 - each.opinion) / 10)):
            words[position] = f"besser{position}"
        text = " ".join(words)
        steps: list[list[int | str]] = [[4000, 0, len(each.text), text]]
        slots[each.slot] = {"text": text, "keystrokes": 20, "steps": steps if text != each.text else []}
    return slots


def understanding(seen: list[Seen], questions: list[dict[str, Any]]) -> Slots:
    """The better the text, the more questions are answered rightly."""
    return {
        each.slot: {
            "answers": {
                question["name"]: RIGHT if number < round(len(questions) * each.opinion / 100) else WRONG
                for number, question in enumerate(questions)
            }
        }
        for each in seen
    }


def _spans(each: Seen, **more: str) -> list[dict[str, Any]]:
    majors, minors = divmod(round((100 - each.opinion) / 10), _MAJOR)
    severities = ["major"] * majors + ["minor"] * minors
    return [
        {"side": "target", "start": 4 * number, "end": 4 * number + 3, "severity": severity, "note": "", **more}
        for number, severity in enumerate(severities)
    ]


ANSWERS: Mapping[str, Answering] = {
    "direct_assessment": scores,
    "likert": points,
    "ranking": ranks,
    "mqm": errors,
    "esa": errors_and_scores,
    "post_editing": corrections,
    "gisting": understanding,
}
