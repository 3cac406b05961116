"""Texts that are hard to cut: Arabic, Chinese, emoji of several code points, letters with marks of their own."""

from campaigns.models import Document, Segment, System, TestSet, TestSetStatus, Translation

FAMILY = "👩\u200d👩\u200d👧"  # five code points, one letter
CAFE = "cafe\u0301"  # the accent is a code point of its own

HARBOUR = [
    (
        "The ferry left an hour late, and nobody on the pier knew why.",
        "Die Fähre fuhr eine Stunde zu früh ab, und niemand auf der Brücke wusste warum.",
    ),
    ("We are not asking for the moon.", "Wir fragen nicht nach dem Mond."),
    ("The harbour closes at nine.", "Der Hafen schließt um neun."),
]
ARABIC = [("The ferry left an hour late.", "غادرت العبّارة متأخرة ساعة كاملة.")]
EMOJI = [(f"See you at the café {FAMILY} today", f"Bis gleich im {CAFE} {FAMILY} heute 🇩🇪🇫🇷 ja")]
CHINESE = [("The harbour closes at nine.", "港口九点关门，渡轮不再出发。")]


def make_marked_texts(
    pairs: list[tuple[str, str]], *, target: str = "de", source: str = "en", systems: int = 1
) -> TestSet:
    """One document; a second system leaves the last word out, a third the last two."""
    test_set = TestSet.objects.create(
        name="Marked",
        slug="marked",
        source_language=source,
        target_language=target,
        status=TestSetStatus.READY,
        format="jsonl",
    )
    document = Document.objects.create(test_set=test_set, name="marked", title="Marked", position=1)
    makers = [System.objects.create(test_set=test_set, name=f"system-{number}") for number in range(systems)]
    for place, (original, output) in enumerate(pairs, start=1):
        segment = Segment.objects.create(document=document, name=str(place), position=place, source=original)
        words = output.split(" ")
        for number, system in enumerate(makers):
            Translation.objects.create(segment=segment, system=system, text=" ".join(words[: len(words) - number]))
    return test_set
