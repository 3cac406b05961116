from frontend.researcher.drawn_text import INSERTED, REMOVED, SAME, Piece, difference


def marked(before: str, after: str, language: str = "de") -> str:
    signs = {SAME: "{}", REMOVED: "[-{}-]", INSERTED: "[+{}+]"}
    return "".join(signs[piece.kind].format(piece.text) for piece in difference(before, after, language))


def test_removed_words_come_before_their_replacement() -> None:
    assert marked("Mit warmen Grüßen, Martha", "Herzliche Grüße, Martha") == (
        "[-Mit warmen Grüßen,-] [+Herzliche Grüße,+] Martha"
    )


def test_equal_texts_do_not_differ_and_spaces_are_no_words() -> None:
    assert marked("so  ist es", "so ist es") == "so ist es"
    assert marked("", "neu") == "[+neu+]"
    assert marked("weg", "") == "[-weg-]"
    assert marked("", "") == ""


def test_where_words_are_not_spaced_letters_are_compared() -> None:
    assert marked("能见度一百米", "能见度一千米", "zh") == "能见度一[-百-][+千+]米"
    assert marked("أهلا وسهلا", "أهلا بكم", "ar") == "أهلا [-وسهلا-] [+بكم+]"


def test_very_long_texts_differ_as_a_whole() -> None:
    before, after = "a " * 3000, "b " * 3000
    assert difference(before, after, "en") == [Piece(REMOVED, before), Piece(INSERTED, after)]
