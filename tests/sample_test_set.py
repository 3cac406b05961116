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
    systems = System.objects.bulk_create(
        System(test_set=test_set, name=system, is_human=system == HUMAN) for system in SYSTEMS
    )
    documents = Document.objects.bulk_create(
        Document(test_set=test_set, name=name, position=place, domain="news")
        for place, name in enumerate(_DOCUMENTS, start=1)
    )
    segments = Segment.objects.bulk_create(
        Segment(document=document, name=str(place), position=place, source=source, domain="news")
        for document in documents
        for place, source in enumerate(_DOCUMENTS[document.name], start=1)
    )
    texts = {system: [text for document in _TEXTS[system.name] for text in document] for system in systems}
    Reference.objects.bulk_create(
        Reference(segment=segment, text=text)
        for segment, text in zip(segments, texts[systems[SYSTEMS.index(HUMAN)]], strict=True)
    )
    Translation.objects.bulk_create(
        Translation(segment=segment, system=system, text=texts[system][place])
        for place, segment in enumerate(segments)
        for system in systems
    )
    return test_set
