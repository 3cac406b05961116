"""Names and writing directions of BCP 47 language tags, as Unicode's CLDR has them (through Babel)."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from django.conf.locale import LANG_INFO
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from babel.core import Locale, get_global, parse_locale
from babel.localedata import locale_identifiers

# Which way a script is written is Unicode's, not CLDR's, whose layout data cover the languages of its locales alone.
_RTL_SCRIPTS = {"Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}
# These CLDR names in some languages of the interface only.
_NOT_IN_EVERY_LANGUAGE = {"arz": gettext_lazy("Egyptian Arabic")}

# language, script, region, variants; the rare rest of the standard (extensions, private use) is let through
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-[A-Za-z0-9]{1,8})*")


def language_name(tag: str) -> str:
    """`de-CH` is "German (Switzerland)"; an unknown language is its tag."""
    try:
        language, region, script, variant = _subtags(tag)
    except ValueError:
        return tag
    names = language_names()
    name = names.get(language) or names.get(_written_now(language).replace("_", "-"))
    if name is None:
        return tag
    locale = _interface()
    known = ((locale.scripts, script), (locale.territories, region), (locale.variants, variant))
    varieties = ", ".join(words.get(part, part) for words, part in known if part)
    return f"{name} ({varieties})" if varieties else name


def language_names() -> Mapping[str, str]:
    """By tag, in the language of the interface, else in English."""
    return _names_in(_interface())


def common_languages() -> list[tuple[str, str]]:
    """Tag and name of those that CLDR knows more of than the name, in the order of the names."""
    names = language_names()
    common = {identifier.split("_")[0] for identifier in locale_identifiers()}
    return sorted(((tag, names[tag]) for tag in common & names.keys()), key=lambda language: language[1].casefold())


def tag_of_name(words: str) -> str | None:
    """`German` and `Deutsch` are `de`: names in the interface's language, in English, and each language's own."""
    return _tags_by_name(_interface()).get(words.strip().casefold())


def language_direction(tag: str) -> str:
    """`rtl` or `ltr` by the script, the tag's or the one its language is mostly written in; `auto`: none is known."""
    try:
        language, region, script, _variant = _subtags(tag)
    except ValueError:
        return "auto"
    if script is None:
        usual: Mapping[str, str] = get_global("likely_subtags")
        likely = usual.get(f"{language}_{region}") or usual.get(language) or usual.get(_written_now(language))
        if likely is None:
            return "auto"
        script = likely.split("_")[1]
    return "rtl" if script in _RTL_SCRIPTS else "ltr"


@cache
def language_of_code(code: str) -> str:
    """A tag for a code of two or three letters: `deu` and `ger` are `de`. An unknown code is not changed."""
    code, lower = code.strip(), code.strip().lower()
    if lower in _names_in(Locale("en")):
        return lower
    now = _written_now(lower)
    return code if now == lower else now.replace("_", "-")


def language_problem(tag: str) -> str | None:
    """Why a text is not a BCP 47 language tag, or None."""
    if _TAG.fullmatch(tag.strip()):
        return None
    if not tag.strip():
        return _("Enter a language, such as en or pt-BR.")
    return _("“%(tag)s” is not a language tag. Use one such as en, pt-BR or zh-Hans.") % {"tag": tag}


def _subtags(tag: str) -> tuple[str, str | None, str | None, str | None]:
    """Language, region, script and variant."""
    language, region, script, variant, *_more = parse_locale(tag.strip().replace("_", "-"), sep="-")
    return language, region, script, variant


def _written_now(language: str) -> str:
    """`iw` is `he` today, and `deu` is `de`."""
    current: str = get_global("language_aliases").get(language, language)
    return current


def _interface() -> Locale:
    return Locale.parse(get_language() or "en", sep="-")


@cache
def _names_in(locale: Locale) -> Mapping[str, str]:
    with override(str(locale)):
        unnamed = {tag: str(name) for tag, name in _NOT_IN_EVERY_LANGUAGE.items()}
    names = {**Locale("en").languages, **unnamed, **locale.languages}
    return MappingProxyType({tag.replace("_", "-"): name for tag, name in names.items()})


@cache
def _tags_by_name(locale: Locale) -> Mapping[str, str]:
    django_names = (
        (words[key], tag) for tag, words in LANG_INFO.items() for key in ("name", "name_local") if key in words
    )
    tags = _names_in(locale)
    names = ((name, tag) for tag, name in (*_names_in(Locale("en")).items(), *tags.items()))
    by_name = {name.casefold(): tag for name, tag in (*django_names, *names)}
    return MappingProxyType({name: tag for name, tag in by_name.items() if name not in tags})  # `ga` is Irish, not Ga


@cache
def code_of_language(tag: str) -> str:
    """A code of three letters: `deu` for `de` and `de-AT`. A language without one keeps its own."""
    language = tag.split("-", maxsplit=1)[0].lower()
    aliases: Mapping[str, str] = get_global("language_aliases")
    codes = [code for code, name in aliases.items() if name == language and len(code) == 3]
    return min(codes, key=lambda code: (not code.startswith(language), code), default=language)
