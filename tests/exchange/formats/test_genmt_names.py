import pytest

from exchange.formats.genmt_names import language_fits, language_of_wmt, parse_document_id


def test_a_name_of_2026_has_five_parts() -> None:
    parsed = parse_document_id("WMT26_###_news_###_eng_Latn_###_deu_Latn_###_gull.001")
    assert parsed is not None
    assert (parsed.set_name, parsed.domain, parsed.pair, parsed.document) == (
        "WMT26", "news", "eng_Latn-deu_Latn", "gull.001",
    )  # fmt: skip


def test_a_name_of_2025_has_a_pair_a_domain_and_a_document() -> None:
    parsed = parse_document_id("en-cs_CZ_#_literary_#_a_#_b")
    assert parsed is not None
    assert (parsed.set_name, parsed.domain, parsed.pair, parsed.document) == ("WMT25", "literary", "en-cs_CZ", "a_#_b")


@pytest.mark.parametrize(
    "name", ["", "gull.001", "WMT26_###_news_###_eng_Latn", "en_#_news_#_d", "a_###_b_###_c_###_d_###_ "]
)
def test_any_other_name_is_not_read(name: str) -> None:
    assert parse_document_id(name) is None


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("eng_Latn", "en"), ("deu_Latn", "de"), ("jpn_Jpan", "ja"), ("zho_Hant_TW", "zh-Hant-TW"), ("zho_Hans", "zh"),
        ("arz_Arab", "arz"), ("srp_Latn", "sr-Latn"), ("srp_Cyrl", "sr"), ("cs_CZ", "cs-CZ"), ("qqq_Latn", "qqq-Latn"),
    ],
)  # fmt: skip
def test_a_code_is_a_language_tag(code: str, tag: str) -> None:
    assert language_of_wmt(code) == tag


@pytest.mark.parametrize(
    ("tag", "code", "expected"),
    [
        ("en", "eng_Latn", True), ("de", "eng_Latn", False), ("zh", "zho_Hant_TW", True), ("zh", "zho_Hans_CN", True),
        ("zh-Hans", "zho_Hant_TW", False), ("zh-Hant", "zho_Hant_TW", True), ("cs", "cs_CZ", True),
        ("pt-BR", "por_Latn_PT", False), ("zho_Hant", "zho_Hant_TW", True),
    ],
)  # fmt: skip
def test_a_tag_fits_a_code_that_says_nothing_else(tag: str, code: str, expected: bool) -> None:
    assert language_fits(tag, code) is expected
