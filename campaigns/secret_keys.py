"""Random keys that are handed out once and kept as their hash."""

import hashlib
import secrets

# Letters and digits that are not taken for one another when read aloud or typed from paper.
_LEGIBLE = "abcdefghjkmnpqrstuvwxyz23456789"


def new_secret() -> str:
    """192 random bits, fit for an address."""
    return secrets.token_urlsafe(24)


def hash_secret(secret: str) -> str:
    """SHA-256 is enough for a random key: there is no dictionary to try."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_password() -> str:
    """Four groups of four legible characters: 79 bits, to be typed once and then changed."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _ in range(4)) for _ in range(4))
