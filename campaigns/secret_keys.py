"""Random keys that are shown once and stored as their hash."""

import hashlib
import secrets
import string

# Letters and digits only: nothing that a mail program cuts off a link or a spreadsheet takes for a formula.
_ALPHABET = string.ascii_letters + string.digits
# For people: none that is taken for another when read aloud or typed from paper.
_LEGIBLE = "abcdefghjkmnpqrstuvwxyz23456789"
TOKEN_PREFIX = "assay_"  # noqa: S105 - lets scanners tell a leaked token


def new_secret() -> str:
    """190 random bits, fit for an address."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(32))


def new_token() -> str:
    return TOKEN_PREFIX + new_secret()


def new_password() -> str:
    """Four groups of four legible characters: 79 bits, to be typed once and then changed."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _ in range(4)) for _ in range(4))


def new_completion_code() -> str:
    """Three groups of four legible characters, to be typed where one was hired."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _ in range(4)) for _ in range(3)).upper()


def hash_secret(secret: str) -> str:
    """SHA-256 is enough for a random key: there is no dictionary to try."""
    return hashlib.sha256(secret.encode()).hexdigest()
