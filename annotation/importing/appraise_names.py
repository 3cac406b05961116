"""What Appraise packs into its names: the system, copies and planted errors after the document, language codes."""

import re
from functools import cache
from typing import NamedTuple

from campaigns.languages import LANGUAGES

_CONTROL = re.compile(r"bad\d*", re.IGNORECASE)
_DUPLICATE = re.compile(r"dup(licate)?\d*", re.IGNORECASE)
_INCOMPLETE = re.compile(r"incomplete\d*", re.IGNORECASE)
# ISO 639-2 and 639-3 codes of languages that BCP 47 writes in two letters
_THREE_LETTERS = (
    "af afr; am amh; ar ara arb; as asm; az aze; be bel; bg bul; bn ben; bo bod; bs bos; ca cat; cs ces cze; cy cym; "
    "da dan; de deu ger; el ell; en eng; eo epo; es spa; et est; eu eus; fa fas pes; fi fin; fr fra fre; ga gle; "
    "gl glg; gu guj; ha hau; he heb; hi hin; hr hrv; hu hun; hy hye; id ind; ig ibo; is isl ice; it ita; ja jpn; "
    "ka kat; kk kaz; km khm; kn kan; ko kor; lo lao; lt lit; lv lav; mk mkd; ml mal; mn mon; mr mar; ms msa; mt mlt; "
    "my mya; nb nob; ne nep; nl nld dut; nn nno; no nor; pa pan; pl pol; ps pus; pt por; ro ron rum; ru rus; rw kin; "
    "si sin; sk slk; sl slv; so som; sq sqi; sr srp; sv swe; sw swa swh; ta tam; te tel; tg tgk; th tha; tl tgl; "
    "tr tur; uk ukr; ur urd; uz uzb; vi vie; xh xho; yo yor; zh chi zho; zu zul"
)
_TWO_LETTERS = {code: two for two, *codes in map(str.split, _THREE_LETTERS.split(";")) for code in codes}


class DocumentName(NamedTuple):
    """`named` is the system as the document's name has it; the copies are what came after it."""

    name: str
    named: str
    is_control: bool
    is_duplicate: bool
    is_incomplete: bool


def read_document_name(text: str, system: str) -> DocumentName:
    """`news-1#Heron#bad2` is `news-1`, of Heron, with errors planted; parts nobody knows stay in the name."""
    name, *parts = text.split("#")
    kept, named = [name], ""
    control = duplicate = incomplete = False
    for part in parts:
        if part and (part == system or system.endswith(f".{part}")):
            named = part
        elif _CONTROL.fullmatch(part):
            control = True
        elif _DUPLICATE.fullmatch(part):
            duplicate = True
        elif _INCOMPLETE.fullmatch(part):
            incomplete = True
        else:
            kept.append(part)
    return DocumentName("#".join(kept), named, control, duplicate, incomplete)


@cache
def language_tag(code: str) -> str:
    """BCP 47 for a code of two or three letters; what is not known stays as it is."""
    code = code.strip()
    lower = code.lower()
    return lower if lower in LANGUAGES else _TWO_LETTERS.get(lower, code)
