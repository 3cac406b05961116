"""Typed readers of environment variables: a value that is not understood is refused, never guessed."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


def read_text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def read_bool(name: str, *, default: bool) -> bool:
    value = read_text(name).lower()
    if value == "":
        return default
    if value in _TRUE | _FALSE:
        return value in _TRUE
    raise ImproperlyConfigured(f"{name} is {value!r}; write true or false.")


def read_int(name: str, *, default: int, low: int, high: int) -> int:
    value = read_text(name)
    if value == "":
        return default
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}; write a whole number from {low} to {high}.") from None
    if not low <= number <= high:
        raise ImproperlyConfigured(f"{name} is {number}; it must be between {low} and {high}.")
    return number


def read_list(name: str, default: list[str]) -> list[str]:
    value = os.environ.get(name)
    if value is None:
        return default
    return [part.strip() for part in value.split(",") if part.strip()]


def read_choice(name: str, default: str, choices: set[str]) -> str:
    value = read_text(name) or default
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}; choose one of {', '.join(sorted(choices))}.")
    return value


def read_url(name: str, default: str, schemes: set[str]) -> str:
    value = read_text(name) or default
    if value and urlsplit(value).scheme not in schemes:
        shown = value.split("@")[-1]
        raise ImproperlyConfigured(f"{name} is {shown!r}; it must begin with one of {', '.join(sorted(schemes))}.")
    return value


def read_path(name: str, default: Path) -> Path:
    return Path.cwd() / (read_text(name) or default)  # an absolute path replaces the folder


def read_secret(name: str, *, stored_in: Path | None, required: bool) -> str:
    """From the variable, from the file named by `<NAME>_FILE`, or (unless required) made once and stored in a file.

    Empty where it may be missing and is stored nowhere.
    """
    value = read_text(name)
    if value:
        return value
    named_file = read_text(f"{name}_FILE")
    if named_file:
        try:
            return Path(named_file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE: {named_file} cannot be read ({error.strerror}).") from error
    if required:
        raise ImproperlyConfigured(f"{name} is not set. Production needs one: 50 random characters, kept secret.")
    return _stored_secret(stored_in) if stored_in else ""


def _stored_secret(path: Path) -> str:
    """Made once, whoever starts first: the file appears under its name with the key in it, never empty."""
    from django.core.management.utils import get_random_secret_key  # noqa: PLC0415 - costs start-up time, rarely needed

    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, encoding="utf-8") as stream:
                stream.write(get_random_secret_key())
                stream.flush()
                with suppress(FileExistsError):
                    os.link(stream.name, path)
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key cannot be stored in {path} ({error.strerror}). "
            "Choose a writable folder with ASSAY_DATA_DIR, or set ASSAY_SECRET_KEY."
        ) from error
