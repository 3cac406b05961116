"""Which words of a source and a translation correspond, as the test set says: pairs of token numbers (`0-0 1-2`).

Nothing about an item may be told by whether there is one. So a segment's are shown only if all its translations have
one, and not in a test set whose source or reference is read as a translation, which has none. On a damaged text the
pairs of the genuine one go with their words.
"""

from django.db.models import Case, Exists, OuterRef, TextField, When

from campaigns.models import System, Translation

_UNALIGNED = Translation.objects.filter(segment=OuterRef("item__segment"), alignment=None).exclude(text="")
_STAND_INS = System.objects.filter(test_set=OuterRef("item__document__test_set")).exclude(stands_for="")


def alignment_of_slot() -> Case:
    """Of the genuine translation; null where it must not be shown."""
    may_be_shown = When(~Exists(_UNALIGNED) & ~Exists(_STAND_INS), then="translation__alignment")
    return Case(may_be_shown, default=None, output_field=TextField(null=True))


def moved_alignment(alignment: str, genuine: str, shown: str) -> str:
    """The pairs of a genuine translation, on the text that is shown instead.

    Words that both begin or end with keep their pairs. Those between get the pairs of the words in whose place they
    are, by proportion, so that as many are aligned as before.

    >>> moved_alignment("0-0 1-1 2-2", "das alte Haus", "das sehr kleine Haus")
    '0-0 1-1 1-2 2-3'
    """
    if genuine == shown:
        return alignment
    old, new = genuine.split(), shown.split()
    left = _alike(old, new)
    right = _alike(old[left:][::-1], new[left:][::-1])
    places = _places(len(old), len(new), left, right)
    pairs = [(int(source), int(token)) for source, token in (pair.split("-") for pair in alignment.split())]
    return " ".join(dict.fromkeys(f"{source}-{place}" for source, token in pairs for place in places.get(token, ())))


def _places(old: int, new: int, left: int, right: int) -> dict[int, list[int]]:
    """By token of the genuine text, those of the other that stand in its place."""
    places = {token: [token] for token in range(left)}
    places |= {old - 1 - token: [new - 1 - token] for token in range(right)}
    gone, come = old - left - right, new - left - right
    if gone and come:
        for token in range(gone):
            first = token * come // gone
            after = max(first + 1, (token + 1) * come // gone)
            places[left + token] = [left + place for place in range(first, after)]
    return places


def _alike(one: list[str], other: list[str]) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
