"""How WMT's general task names documents and languages."""

from dataclasses import dataclass

from babel.core import get_global

from campaigns.languages import language_of_code

_SEPARATOR, _SEPARATOR_OF_2025 = "_###_", "_#_"
SET_OF_2025 = "WMT25"  # its names do not tell the set
PAIR_SEPARATOR = "-"


@dataclass(frozen=True)
class DocumentId:
    """`WMT26_###_news_###_eng_Latn_###_deu_Latn_###_gull.001`, or in 2025 `en-cs_CZ_#_news_#_gull.001`."""

    set_name: str
    domain: str
    source: str
    target: str
    document: str

    @property
    def pair(self) -> str:
        return f"{self.source}{PAIR_SEPARATOR}{self.target}"


def parse_document_id(text: str) -> DocumentId | None:
    parts = text.split(_SEPARATOR, 4)
    if len(parts) == 5:
        parsed = DocumentId(*parts)
    else:
        pair, *rest = text.split(_SEPARATOR_OF_2025, 2)
        source, dash, target = pair.partition(PAIR_SEPARATOR)
        if len(rest) != 2 or not dash:
            return None
        parsed = DocumentId(SET_OF_2025, rest[0], source, target, rest[1])
    return parsed if all((parsed.set_name, parsed.source, parsed.target, parsed.document.strip())) else None


def language_of_wmt(code: str) -> str:
    """The language tag of a code: `deu_Latn` is `de`, `zho_Hant_TW` is `zh-Hant-TW`; a usual script is left out."""
    language, script, region = _subtags(code)
    usual = str(get_global("likely_subtags").get(language, "")).split("_")
    if script and script in usual:
        script = ""
    return "-".join(part for part in (language, script, region) if part)


def language_fits(tag: str, code: str) -> bool:
    """Whether every part of the tag agrees with the code's: `en` fits `eng_Latn`, and `zh` both of its scripts."""
    return all(
        not wanted or not there or wanted == there for wanted, there in zip(_subtags(tag), _subtags(code), strict=True)
    )


def _subtags(code: str) -> tuple[str, str, str]:
    """Language, script and region, as a language tag spells them."""
    language, *more = code.strip().replace("_", "-").split("-")
    script = next((part.title() for part in more if len(part) == 4 and part.isalpha()), "")
    region = next((part.upper() for part in more if len(part) in (2, 3) and part.isalnum()), "")
    return language_of_code(language.lower()), script, region
