"""What is told beside an item: only of texts that its annotator sees."""

from annotation.beside.shown_item import Glossary, beside_item
from annotation.protocols.base import ShownItem, ShownSlot
from campaigns.actions.text_guidance import GlossaryTerm

GLOSSARY = Glossary((GlossaryTerm("basket", ("Korb",), ("Warenkorb",)),), "en", "de")


def shown(source: str | None, *texts: str | None) -> ShownItem:
    slots = tuple(ShownSlot(label, text) for label, text in zip("ABC", texts, strict=False))
    return ShownItem("segment", source, None, slots)


def test_codes_losses_and_terms_come_together() -> None:
    told = beside_item(shown("Your basket, {name}", "Ihr Korb, {name}", "Ihr Warenkorb"), GLOSSARY)
    assert told is not None
    assert {slot: [code.text for code in codes] for slot, codes in told.codes.items()} == {
        "": ["{name}"],
        "A": ["{name}"],
    }
    assert told.lost == {"B": ("{name}",)}
    [term] = told.terms
    assert [(each.required, each.forbidden) for each in term.outputs] == [(((4, 8),), ()), ((), ((4, 13),))]


def test_of_a_hidden_source_neither_terms_nor_losses_are_told() -> None:
    told = beside_item(shown(None, "Ihr Korb, %s"), GLOSSARY)
    assert told is not None
    assert (told.lost, told.terms, list(told.codes)) == ({}, (), ["A"])


def test_plain_texts_have_nothing_beside_them() -> None:
    assert beside_item(shown("<p>Plain.</p>", "<p>Schlicht.</p>", None), GLOSSARY) is None
