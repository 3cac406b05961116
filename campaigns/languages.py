"""Names and writing directions of BCP 47 language tags."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# The interface translates these names like all its words; a language that is missing here is shown by its tag.
LANGUAGES: dict[str, Promise] = {
    "af": gettext_lazy("Afrikaans"),
    "am": gettext_lazy("Amharic"),
    "ar": gettext_lazy("Arabic"),
    "arz": gettext_lazy("Egyptian Arabic"),
    "as": gettext_lazy("Assamese"),
    "az": gettext_lazy("Azerbaijani"),
    "be": gettext_lazy("Belarusian"),
    "bg": gettext_lazy("Bulgarian"),
    "bho": gettext_lazy("Bhojpuri"),
    "bn": gettext_lazy("Bengali"),
    "bo": gettext_lazy("Tibetan"),
    "br": gettext_lazy("Breton"),
    "bs": gettext_lazy("Bosnian"),
    "ca": gettext_lazy("Catalan"),
    "ceb": gettext_lazy("Cebuano"),
    "ckb": gettext_lazy("Central Kurdish"),
    "cmn": gettext_lazy("Mandarin Chinese"),
    "cs": gettext_lazy("Czech"),
    "cv": gettext_lazy("Chuvash"),
    "cy": gettext_lazy("Welsh"),
    "da": gettext_lazy("Danish"),
    "de": gettext_lazy("German"),
    "dsb": gettext_lazy("Lower Sorbian"),
    "dv": gettext_lazy("Dhivehi"),
    "el": gettext_lazy("Greek"),
    "en": gettext_lazy("English"),
    "eo": gettext_lazy("Esperanto"),
    "es": gettext_lazy("Spanish"),
    "et": gettext_lazy("Estonian"),
    "eu": gettext_lazy("Basque"),
    "fa": gettext_lazy("Persian"),
    "fi": gettext_lazy("Finnish"),
    "fil": gettext_lazy("Filipino"),
    "fo": gettext_lazy("Faroese"),
    "fr": gettext_lazy("French"),
    "fy": gettext_lazy("West Frisian"),
    "ga": gettext_lazy("Irish"),
    "gd": gettext_lazy("Scottish Gaelic"),
    "gl": gettext_lazy("Galician"),
    "gu": gettext_lazy("Gujarati"),
    "ha": gettext_lazy("Hausa"),
    "he": gettext_lazy("Hebrew"),
    "hi": gettext_lazy("Hindi"),
    "hr": gettext_lazy("Croatian"),
    "hsb": gettext_lazy("Upper Sorbian"),
    "ht": gettext_lazy("Haitian Creole"),
    "hu": gettext_lazy("Hungarian"),
    "hy": gettext_lazy("Armenian"),
    "id": gettext_lazy("Indonesian"),
    "ig": gettext_lazy("Igbo"),
    "is": gettext_lazy("Icelandic"),
    "it": gettext_lazy("Italian"),
    "iu": gettext_lazy("Inuktitut"),
    "ja": gettext_lazy("Japanese"),
    "jv": gettext_lazy("Javanese"),
    "ka": gettext_lazy("Georgian"),
    "kk": gettext_lazy("Kazakh"),
    "km": gettext_lazy("Khmer"),
    "kn": gettext_lazy("Kannada"),
    "ko": gettext_lazy("Korean"),
    "ku": gettext_lazy("Kurdish"),
    "ky": gettext_lazy("Kyrgyz"),
    "la": gettext_lazy("Latin"),
    "lb": gettext_lazy("Luxembourgish"),
    "ln": gettext_lazy("Lingala"),
    "lo": gettext_lazy("Lao"),
    "lt": gettext_lazy("Lithuanian"),
    "lv": gettext_lazy("Latvian"),
    "mai": gettext_lazy("Maithili"),
    "mas": gettext_lazy("Maasai"),
    "mg": gettext_lazy("Malagasy"),
    "mi": gettext_lazy("Māori"),
    "mk": gettext_lazy("Macedonian"),
    "ml": gettext_lazy("Malayalam"),
    "mn": gettext_lazy("Mongolian"),
    "mr": gettext_lazy("Marathi"),
    "ms": gettext_lazy("Malay"),
    "mt": gettext_lazy("Maltese"),
    "my": gettext_lazy("Burmese"),
    "nb": gettext_lazy("Norwegian Bokmål"),
    "ne": gettext_lazy("Nepali"),
    "nl": gettext_lazy("Dutch"),
    "nn": gettext_lazy("Norwegian Nynorsk"),
    "no": gettext_lazy("Norwegian"),
    "nqo": gettext_lazy("N’Ko"),
    "nso": gettext_lazy("Northern Sotho"),
    "oc": gettext_lazy("Occitan"),
    "om": gettext_lazy("Oromo"),
    "or": gettext_lazy("Odia"),
    "pa": gettext_lazy("Punjabi"),
    "pl": gettext_lazy("Polish"),
    "ps": gettext_lazy("Pashto"),
    "pt": gettext_lazy("Portuguese"),
    "qu": gettext_lazy("Quechua"),
    "rm": gettext_lazy("Romansh"),
    "ro": gettext_lazy("Romanian"),
    "ru": gettext_lazy("Russian"),
    "rw": gettext_lazy("Kinyarwanda"),
    "sa": gettext_lazy("Sanskrit"),
    "sah": gettext_lazy("Yakut"),
    "sd": gettext_lazy("Sindhi"),
    "se": gettext_lazy("Northern Sami"),
    "si": gettext_lazy("Sinhala"),
    "sk": gettext_lazy("Slovak"),
    "sl": gettext_lazy("Slovenian"),
    "sn": gettext_lazy("Shona"),
    "so": gettext_lazy("Somali"),
    "sq": gettext_lazy("Albanian"),
    "sr": gettext_lazy("Serbian"),
    "su": gettext_lazy("Sundanese"),
    "sv": gettext_lazy("Swedish"),
    "sw": gettext_lazy("Swahili"),
    "syr": gettext_lazy("Syriac"),
    "ta": gettext_lazy("Tamil"),
    "te": gettext_lazy("Telugu"),
    "tg": gettext_lazy("Tajik"),
    "th": gettext_lazy("Thai"),
    "ti": gettext_lazy("Tigrinya"),
    "tk": gettext_lazy("Turkmen"),
    "tl": gettext_lazy("Tagalog"),
    "tn": gettext_lazy("Tswana"),
    "tr": gettext_lazy("Turkish"),
    "tt": gettext_lazy("Tatar"),
    "ug": gettext_lazy("Uyghur"),
    "uk": gettext_lazy("Ukrainian"),
    "ur": gettext_lazy("Urdu"),
    "uz": gettext_lazy("Uzbek"),
    "vi": gettext_lazy("Vietnamese"),
    "wo": gettext_lazy("Wolof"),
    "xh": gettext_lazy("Xhosa"),
    "yi": gettext_lazy("Yiddish"),
    "yo": gettext_lazy("Yoruba"),
    "yue": gettext_lazy("Cantonese"),
    "zh": gettext_lazy("Chinese"),
    "zu": gettext_lazy("Zulu"),
}
_VARIETIES: dict[str, Promise] = {
    "arab": gettext_lazy("Arabic script"),
    "cyrl": gettext_lazy("Cyrillic"),
    "deva": gettext_lazy("Devanagari"),
    "hans": gettext_lazy("simplified"),
    "hant": gettext_lazy("traditional"),
    "latn": gettext_lazy("Latin script"),
    "419": gettext_lazy("Latin America"),
    "at": gettext_lazy("Austria"),
    "br": gettext_lazy("Brazil"),
    "ca": gettext_lazy("Canada"),
    "ch": gettext_lazy("Switzerland"),
    "cn": gettext_lazy("China"),
    "eg": gettext_lazy("Egypt"),
    "es": gettext_lazy("Spain"),
    "gb": gettext_lazy("United Kingdom"),
    "hk": gettext_lazy("Hong Kong"),
    "in": gettext_lazy("India"),
    "mx": gettext_lazy("Mexico"),
    "pt": gettext_lazy("Portugal"),
    "tw": gettext_lazy("Taiwan"),
    "us": gettext_lazy("United States"),
}
_RTL_LANGUAGES = {"ar", "arz", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
_RTL_SCRIPTS = {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}


# language, script, region, variants; the rare rest of the standard (extensions, private use) is let through
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-[A-Za-z0-9]{1,8})*")


def _subtags(tag: str) -> list[str]:
    return tag.strip().replace("_", "-").lower().split("-")


def language_name(tag: str) -> str:
    """`de-CH` is "German (Switzerland)"; an unknown language is its tag."""
    language, *rest = _subtags(tag)
    if language not in LANGUAGES:
        return tag
    known = [str(_VARIETIES.get(part, part.upper())) for part in rest]
    if not known:
        return str(LANGUAGES[language])
    return _("%(language)s (%(variety)s)") % {"language": LANGUAGES[language], "variety": ", ".join(known)}


def language_direction(tag: str) -> str:
    """`rtl` or `ltr` by the tag's script, else by its language; `auto` for a language not known here."""
    language, *rest = _subtags(tag)
    script = next((part for part in rest if len(part) == 4 and part.isalpha()), None)
    if script:
        return "rtl" if script in _RTL_SCRIPTS else "ltr"
    if language in _RTL_LANGUAGES:
        return "rtl"
    return "ltr" if language in LANGUAGES else "auto"


def language_problem(tag: str) -> str | None:
    """Why a text is no language tag of BCP 47, or None."""
    if _TAG.fullmatch(tag.strip()):
        return None
    if not tag.strip():
        return _("Name the language, such as en or pt-BR.")
    return _("“%(tag)s” is no language tag. Write one such as en, pt-BR or zh-Hans.") % {"tag": tag}
