"""What a methods paragraph says of a campaign that changed while people judged: late texts, dropped systems."""

from collections.abc import Iterator

from metrics.analyses.allocation import NOT_ADAPTIVE
from metrics.methods.facts import Facts


def counted(number: int, word: str, plural: str = "") -> str:
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def plain(text: str) -> str:
    """Text that somebody entered: no part of it is read as the name of a source."""
    return text.replace("{", "(").replace("}", ")")


def counted_list(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def were(count: int) -> str:
    return "was" if count == 1 else "were"


def late_texts(facts: Facts) -> Iterator[str]:
    """Systems and documents that came while the campaign ran."""
    for late in facts.scope.late:
        parts = [f"{'the system' if len(late.systems) == 1 else 'the systems'} {plain(counted_list([*late.systems]))}"]
        parts = parts if late.systems else []
        parts += [counted(late.documents, "document")] if late.documents else []
        was = "was" if len(late.systems) + late.documents == 1 else "were"
        added = f"On {late.on}, {counted_list(parts)} {was} added to the running evaluation"
        known = "the earlier translations of the same documents" if not late.documents else "earlier translations"
        if not late.judgments:
            yield f"{added}; no judgment of what was added counts so far."
        else:
            yield (
                f"{added}; {late.by_same:,} of the {counted(late.judgments, 'judgment')} of what was added came from "
                f"annotators who also judged {known}."
            )


def dropped_systems(facts: Facts) -> Iterator[str]:
    """Systems that were dropped while people judged, and by which rule."""
    race = facts.allocation
    if race is None or race.reason == NOT_ADAPTIVE:
        return
    aims = {"best": "the best system", "top": f"the best {race.top} systems"}
    yield (
        f"Systems were dropped during the evaluation to find {aims.get(race.question, 'the order of all systems')}: "
        f"documents were judged in random order with all systems still in the race; {counted(len(race.looks), 'look')} "
        "compared document means by an asymptotic confidence sequence ({waudby-smith-2024-time}), corrected for "
        f"the number of comparisons, with a risk of {100 * race.alpha:g}% over all looks."
    )
    out = [f"{plain(each.system)} after {each.dropped_after:,}" for each in race.systems if each.dropped_after]
    if out:
        yield f"Dropped were, with the number of documents: {counted_list(out)}."
    else:
        yield "No system was dropped."
    back = [plain(each.system) for each in race.systems if each.is_protected]
    if back:
        yield f"By hand {counted_list(back)} {were(len(back))} brought back."
