"""Each flag with a planted case, and what must not raise it."""

from dataclasses import replace
from functools import partial

import pytest

from metrics.flagging.languages import other_language
from metrics.flagging.outputs import (
    CODES,
    COPIED,
    CUT,
    EMPTY,
    NUMBERS,
    OTHER_LANGUAGE,
    UNTRANSLATED,
    Flag,
    FlagRules,
    SegmentTexts,
    flags_of,
    has_end,
    usual_length,
)

SOURCE = "The ferry left the harbour an hour late, and nobody on the quay knew why it had waited so long."
GOOD = "Die Fähre verließ den Hafen eine Stunde zu spät, und niemand am Kai wusste, warum sie gewartet hatte."
OTHER = "Mit einer Stunde Verspätung legte die Fähre ab, und am Kai ahnte keiner, worauf sie so lange gewartet hatte."
THIRD = "Das Schiff lief eine Stunde später aus als geplant, doch keiner der Wartenden kannte den Grund für das Warten."
RULES = FlagRules("en", "de", partial(other_language, expected="de"))


def flags(source: str | None, *outputs: str, rules: FlagRules = RULES) -> dict[tuple[int, str], Flag]:
    segment = SegmentTexts(source, dict(enumerate(outputs)))
    return {(key, flag.name): flag for key, flag in flags_of(segment, rules)}


def test_good_outputs_have_no_flag() -> None:
    assert flags(SOURCE, GOOD, OTHER, THIRD) == {}


@pytest.mark.parametrize("empty", ["", " \n", "<p></p>"])
def test_an_empty_output_is_that_and_nothing_else(empty: str) -> None:
    assert flags(SOURCE, GOOD, OTHER, empty) == {(2, EMPTY): Flag(EMPTY)}
    assert flags(" ", GOOD, "") == {}, "nothing was there to be translated"


def test_an_output_in_another_language() -> None:
    french = (
        "Le ferry a quitté le port avec une heure de retard, et personne sur le quai ne savait pourquoi il attendait."
    )
    flag = flags(SOURCE, GOOD, french, OTHER)[1, OTHER_LANGUAGE]
    assert (flag.expected, flag.found) == ("de", "fr")
    assert flag.share is not None
    assert flag.share > 0.9
    assert flags(SOURCE, GOOD, french, OTHER, rules=replace(RULES, told=None)) == {}, "a language nobody can tell"


def test_an_untranslated_output_also_with_small_changes() -> None:
    for text in (SOURCE, SOURCE.upper(), SOURCE.replace("nobody", "no one")):
        assert set(flags(SOURCE, GOOD, text, OTHER)) == {(1, UNTRANSLATED)}


def test_what_most_systems_leave_as_it_is_needs_no_translation() -> None:
    names = "Clara Schumann, Fanny Hensel, Amy Beach, Ethel Smyth, Lili Boulanger"
    assert flags(names, names, names, names.replace(", Lili Boulanger", " und Lili Boulanger")) == {}
    assert set(flags("Angela Merkel", "Angela Merkel", "Merkel, Angela")) == set(), "short"
    assert flags(SOURCE, SOURCE, rules=FlagRules("en-GB", "en-US", None)) == {}, "from one variant into another"


def test_a_long_text_that_two_systems_share() -> None:
    long = f"{GOOD} Erst lange nach dem Mittagessen fuhr sie dann doch noch los."
    found = flags(SOURCE, long, OTHER, f"{long} ")
    assert found == {(0, COPIED): Flag(COPIED, systems=(2,)), (2, COPIED): Flag(COPIED, systems=(0,))}
    assert flags(SOURCE, GOOD, GOOD, THIRD) == {}, "short sentences are often the same"


def test_an_output_that_is_much_shorter_than_those_of_the_others() -> None:
    flag = flags(SOURCE, GOOD, OTHER, "Die Fähre verließ den Hafen.")[2, CUT]
    assert flag.found == "short"
    assert flag.share == pytest.approx(28 / 104.5)  # of the median of 101 and 108 characters
    assert flags("Yes, of course I will.", "Ja.", "Ja, das werde ich natürlich.", "Ja, natürlich werde ich das.") == {}


def test_a_system_alone_is_compared_with_its_source() -> None:
    assert flags(SOURCE, "Die Fähre fuhr.", rules=replace(RULES, usual_length=1.1))[0, CUT].found == "short"
    assert flags(SOURCE, "Die Fähre fuhr.", rules=replace(RULES, usual_length=0.2)) == {}
    assert usual_length([(100, 110), (10, 13), (50, 60), (0, 5), (7, 0)]) == 1.2


def test_an_output_without_its_end() -> None:
    cut = GOOD[:-18]
    assert flags(SOURCE, cut, OTHER, THIRD)[0, CUT].found == "end"
    assert flags(SOURCE, cut, OTHER[:-1], THIRD[:-1]) == {}, "a habit of most systems"
    assert flags(SOURCE.rstrip("."), cut, OTHER, THIRD) == {}, "a headline"


@pytest.mark.parametrize("text", ["Ende.", "„Ende!“", "Ende?)", "終わり。", "「終わり」", "<p>Ende…</p>"])
def test_sentences_end_with_a_mark_before_quotes_and_brackets(text: str) -> None:
    assert has_end(text)
    assert not has_end("Kein Ende, weil")


def test_numbers_and_codes_that_differ() -> None:
    found = flags("{name} has 40 files.", "{name} hat 41 Dateien.", "{Name} hat 40 Dateien.")
    assert found == {
        (0, NUMBERS): Flag(NUMBERS, missing=("40",), added=("41",)),
        (1, CODES): Flag(CODES, missing=("{name}",), added=("{Name}",)),
    }


def test_without_a_source_outputs_are_compared_with_each_other_alone() -> None:
    assert set(flags(None, GOOD, OTHER, "Die Fähre fuhr.", "")) == {(2, CUT), (3, EMPTY)}
