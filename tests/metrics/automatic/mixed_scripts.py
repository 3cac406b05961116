"""Invented pairs in several scripts, with empty texts, repeats and odd blanks; the same at every call."""

import random

WORDS = [
    word
    for line in (
        "the a of pilot Pilot السفينة fog bell, bell. (quay) 1,000 3.5 it's re-entry & “ferry”",
        "der die Hafen Möwe straße STRASSE ждёт паром в тумане и колокол 大海 港口的雾 霧が深い 。 、 مرفأ ضباب",
        "बंदरगाह कोहरा है 🚢 👩‍🚀 é e\u0301 naïve — ! ? ...",
    )
    for word in line.split()
]
BLANKS = (" ", " ", " ", " ", " ", "  ", "\u00a0", "\u3000")
UNSPACED = "海港雾钟船霧が深い港の鐘"


def mixed_pairs(count: int, *, seed: int = 7, references: int = 1) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and for each the requested number of references; none is real text."""
    rng = random.Random(seed)
    hypotheses, lists = [], []
    for _ in range(count):
        words = _words(rng)
        hypotheses.append(_joined(words, rng))
        lists.append([_joined(_edited(words, rng), rng) for _ in range(references)])
    return hypotheses, lists


def _words(rng: random.Random) -> list[str]:
    kind = rng.random()
    if kind < 0.04:
        return []
    if kind < 0.14:
        few = rng.sample(WORDS, 3)
        return rng.choices(few, k=rng.randint(4, 16))  # repeats
    if kind < 0.24:
        return ["".join(rng.choices(UNSPACED, k=rng.randint(1, 16)))]
    return rng.choices(WORDS, k=rng.randint(1, 14))


def _edited(words: list[str], rng: random.Random) -> list[str]:
    """The words after a few edits and shifts; now and then untouched, others, or none."""
    kind = rng.random()
    if kind < 0.1:
        return list(words)
    if kind < 0.15:
        return _words(rng)
    if kind < 0.18:
        return []
    edited = list(words)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(edited) + 1)
        if edited and rng.random() < 0.5:
            end = min(len(edited), place + rng.randint(1, 4))
            moved, edited = edited[place:end], edited[:place] + edited[end:]
            to = rng.randrange(len(edited) + 1)
            edited[to:to] = moved if rng.random() < 0.7 else []
        else:
            edited[place:place] = rng.choices(WORDS, k=rng.randint(0, 2))
    return edited


def _joined(words: list[str], rng: random.Random) -> str:
    text = "".join(word + rng.choice(BLANKS) for word in words)
    return text if rng.random() < 0.2 else text.strip()
