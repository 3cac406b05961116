"""What several guidelines say: sections, rules for every item, anchors and severities with an example each."""

from collections.abc import Iterable, Sequence
from typing import Literal

from django.utils.translation import gettext as _

Line = str | Literal[False]  # False, like an empty text, is left out

_SEVERITY_WORTH = ("neutral", "minor", "major", "critical")


def section(heading: str, *parts: str) -> str:
    return "\n\n".join([*([f"# {heading}"] if heading else []), *filter(None, parts)])


def steps(*texts: Line) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate((each for each in texts if each), start=1))


def bullets(*texts: Line) -> str:
    return "\n".join(f"- {text}" for text in texts if text)


def task(*texts: Line) -> str:
    return section(_("Your task"), " ".join(each for each in texts if each))


def order_of_work(*texts: Line) -> str:
    return section(_("Order of work"), steps(*texts))


def compared_texts(judge_against: str) -> str:
    """The first step, by what is shown beside the translation."""
    if judge_against == "reference":
        return _("Read the reference. It is in the same language as the translation.")
    if judge_against == "both":
        return _("Read the source and the reference. The reference is one good translation among many.")
    return _("Read the source.")


def common_rules() -> str:
    return section(
        _("For every item"),
        bullets(
            _("Read the whole text around a segment; some words can only be judged there."),
            _("If the source itself is wrong, judge whether the translation says the same wrong thing."),
            _("Judge the text, not who may have written it: some translations are by people, some by machines."),
            _("A text may come again. Judge it as if you saw it for the first time."),
            _("If you cannot judge an item, say why. That is better than a guess."),
            _("Everything you enter is saved at once. Take a break whenever you need one."),
        ),
    )


def severities(names: Iterable[str]) -> str:
    """Each with its digit, what it means, and an error of it."""
    meanings = {
        "neutral": (
            _("Neutral"),
            _("You would write it differently, but it is not wrong. Example: “begin” where “start” is more usual."),
        ),
        "minor": (
            _("Minor"),
            _("A reader notices it, but is not misled. Example: “until friday”, with a small letter."),
        ),
        "major": (
            _("Major"),
            _(
                "The meaning changes, or a part is hard to understand. Example: “The bridge is closed”, where it is "
                "closed to lorries only."
            ),
        ),
        "critical": (
            _("Critical"),
            _(
                "It could do harm (health, money, law, safety, good name), or the text is of no use. Example: “Take "
                "two tablets” becomes “Take ten tablets”."
            ),
        ),
    }
    shown = [(_SEVERITY_WORTH.index(name), *meanings[name]) for name in names if name in meanings]
    return section(_("Severity"), bullets(*(f"**{title}** (`{digit}`): {text}" for digit, title, text in shown)))


def scale(points: Sequence[tuple[int, str]], *, of_language: bool = False) -> str:
    """Points and their labels; every labelled one with an example of what would be there."""
    low, high = points[0][0], points[-1][0]
    lines = []
    for point, label in points:
        share = (point - low) / (high - low) if high > low else 1.0
        example = (_example_of_language if of_language else _example_of_meaning)(share) if label else ""
        lines.append(f"**{point}**" + (f" {_(label)}: {example}" if label else ""))
    return bullets(*lines)


def about_examples() -> str:
    return _(
        "The examples are what might become of the sentence “The bridge is closed to lorries until Friday”. They are "
        "in one language so that everybody can read them."
    )


def _example_of_meaning(share: float) -> str:
    if share < 1 / 6:
        return _("“The fridge opens on Friday.” Nothing of the message arrives.")
    if share < 1 / 2:
        return _("“On Friday there are lorries on the bridge.” Some words arrive, but what is said of them is wrong.")
    if share < 3 / 5:
        return _("“The bridge is closed.” The message arrives, but two parts are lost: until when, and to whom.")
    if share < 5 / 6:
        return _("“The bridge is closed until Friday.” The message arrives, but a part is lost: lorries only.")
    return _("“Until Friday, lorries cannot use the bridge.” Everything arrives; other words for it are no error.")


def _example_of_language(share: float) -> str:
    if share < 1 / 6:
        return _("“Bridge the lorry Friday close is up.” It cannot be understood.")
    if share < 3 / 8:
        return _("“The bridge for lorries stays in close until Friday.” One has to guess.")
    if share < 5 / 8:
        return _("“The bridge is until Friday not open for that lorries drive.” Clear, but nobody would write it so.")
    if share < 7 / 8:
        return _("“The bridge is closed for lorries until friday.” One or two slips.")
    return _("“The bridge is closed to lorries until Friday.” Nothing to correct.")
