"""What every record must be, whatever its format."""

from collections.abc import Mapping, Sequence

from campaigns.reading.problems import Problems, text_error

NAME_LIMIT = 255
SHORT_LIMIT = 100


def check_text(value: str, *, file: str, line: int, column: str, what: str, problems: Problems) -> bool:
    """A source, reference or translation: not empty, and text all through."""
    if not value.strip():
        problems.add(file, line, column, f"Empty {what}. Fill it in, or leave the segment out.")
        return False
    return _is_sound(value, file, line, column, problems)


def check_name(value: str, *, file: str, line: int, column: str, problems: Problems, limit: int = NAME_LIMIT) -> bool:
    if not value:
        problems.add(file, line, column, f"Empty {column}. Every segment needs one.")
        return False
    return check_short(value, file=file, line=line, column=column, problems=problems, limit=limit)


def check_short(value: str, *, file: str, line: int, column: str, problems: Problems, limit: int = SHORT_LIMIT) -> bool:
    if len(value) > limit:
        problems.add(file, line, column, f"{len(value)} characters, at most {limit} fit. Shorten it.", value)
        return False
    return _is_sound(value, file, line, column, problems)


def _is_sound(value: str, file: str, line: int, column: str, problems: Problems) -> bool:
    fault = text_error(value)
    if fault:
        problems.add(file, line, column, fault, value)
    return fault is None


def check_texts(
    source: str, references: Mapping[str, str], translations: Mapping[str, str], *, file: str, line: int,
    columns: Mapping[str, str], problems: Problems,
) -> bool:  # fmt: skip
    """All texts of one segment; `columns` names where each came from. Every fault is reported, not the first."""
    sound = check_text(source, file=file, line=line, column="source", what="source", problems=problems)
    for kind, what, texts in (("reference", "reference", references), ("system", "translation", translations)):
        for name, text in texts.items():
            column = columns.get(f"{kind}:{name}", f"{kind}:{name}")
            if not check_text(text, file=file, line=line, column=column, what=what, problems=problems):
                sound = False
    return sound


def split_tags(text: str) -> Sequence[str]:
    return tuple(tag.strip() for tag in text.replace(";", ",").split(",") if tag.strip())
