"""A test set small enough to know by heart: 2 documents × 3 segments × 3 systems."""

from campaigns.models import Document, Reference, Segment, System, TestSet, TestSetStatus, Translation

# Names no annotator may ever receive: easy to look for in a response.
WOMBAT = "sentinel-wombat"
QUOKKA = "sentinel-quokka"
HUMAN = "sentinel-human"
SYSTEMS = (WOMBAT, QUOKKA, HUMAN)

_DOCUMENTS = {
    "harbour": (
        "The ferry left an hour late.",
        "Nobody on the quay knew why.",
        "By noon the café had run out of bread.",
    ),
    "orchard": (
        "The first pears were picked in August.",
        "They were small, green and very sweet.",
        "The wasps had noticed before we did.",
    ),
}
_TEXTS = {
    WOMBAT: (
        ("Die Fähre fuhr eine Stunde zu spät ab.", "Niemand am Kai wusste, warum.", "Mittags war das Brot alle."),
        ("Die ersten Birnen pflückte man im August.", "Sie waren klein und grün.", "Die Wespen merkten es vor uns."),
    ),
    # the second segment of "harbour" is identical to the first system's: judged once, credited to both
    QUOKKA: (
        ("Die Fähre hat spät verlassen.", "Niemand am Kai wusste, warum.", "Das Café lief aus dem Brot."),
        ("Erste Birnen waren im August.", "Sie waren klein, grün und süß.", "Wespen hatten bemerkt."),
    ),
    HUMAN: (
        ("Die Fähre legte mit einer Stunde Verspätung ab.", "Am Kai ahnte keiner, warum.", "Gegen Mittag war es aus."),
        ("Im August ernteten wir die ersten Birnen.", "Klein, grün und zuckersüß.", "Die Wespen waren schneller."),
    ),
}


def make_test_set(
    name: str = "Harbour and orchard",
    *,
    slug: str = "harbour-and-orchard",
    source_language: str = "en",
    target_language: str = "de",
) -> TestSet:
    test_set = TestSet.objects.create(
        name=name,
        slug=slug,
        source_language=source_language,
        target_language=target_language,
        status=TestSetStatus.READY,
        format="jsonl",
    )
    systems = {
        system: System.objects.create(test_set=test_set, name=system, is_human=system == HUMAN) for system in SYSTEMS
    }
    for document_index, (document_name, sources) in enumerate(_DOCUMENTS.items()):
        document = Document.objects.create(
            test_set=test_set, name=document_name, position=document_index + 1, domain="news"
        )
        for segment_index, source in enumerate(sources):
            segment = Segment.objects.create(
                document=document,
                name=str(segment_index + 1),
                position=segment_index + 1,
                source=source,
                domain="news",
            )
            Reference.objects.create(segment=segment, text=_TEXTS[HUMAN][document_index][segment_index])
            for system_name, texts in _TEXTS.items():
                Translation.objects.create(
                    segment=segment, system=systems[system_name], text=texts[document_index][segment_index]
                )
    return test_set
