"""One-time codes by time (TOTP, RFC 6238): what a phone shows, worked out again here."""

import base64
import hmac
import struct
from urllib.parse import quote, urlencode

STEP_SECONDS = 30
DIGITS = 6
STEPS_ASIDE = 1  # a clock may be this many steps ahead or behind


def code_at(key: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of one step: HOTP (RFC 4226, section 5.3) with HMAC-SHA1 over the number of the step.

    `digits` is at most 9. The example is the first of RFC 6238, appendix B, at the 59th second.

    >>> code_at(b"12345678901234567890", step_of(59), digits=8)
    '94287082'
    """
    digest = hmac.digest(key, struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 0xF
    (number,) = struct.unpack_from(">I", digest, offset)
    return f"{(number & 0x7FFFFFFF) % 10**digits:0{digits}d}"


def step_of(seconds: float) -> int:
    """The number of the step that contains this second since 1970 (UTC).

    >>> step_of(29.9), step_of(30)
    (0, 1)
    """
    return int(seconds // STEP_SECONDS)


def matching_step(key: bytes, code: str, *, seconds: float, after: int = 0) -> int | None:
    """The step whose code this is: the present one or its neighbours, later than `after`; None if there is none.

    With `after` as the step that was accepted last, no code is accepted twice. Every candidate is compared in the
    same time, whichever digits are right.

    >>> key = b"12345678901234567890"
    >>> matching_step(key, code_at(key, 7), seconds=7.5 * 30), matching_step(key, code_at(key, 7), seconds=240, after=7)
    (7, None)
    """
    present = step_of(seconds)
    steps = [step for step in range(present - STEPS_ASIDE, present + STEPS_ASIDE + 1) if step >= 0]
    same = [step for step in steps if hmac.compare_digest(code_at(key, step).encode(), code.encode())]
    return next((step for step in same if step > after), None)


def shown_key(key: bytes) -> str:
    """Base32 in groups of four, to be typed where a picture cannot be read.

    >>> shown_key(b"12345678901234567890")
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = base64.b32encode(key).decode().rstrip("=")
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def enrolment_address(key: bytes, *, account: str, site: str) -> str:
    """What authenticator apps read from the picture: `otpauth://totp/…`, by their common convention.

    >>> enrolment_address(b"12345678901234567890", account="olive", site="Assay")
    'otpauth://totp/Assay:olive?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Assay'
    """
    values = {"secret": shown_key(key).replace(" ", ""), "issuer": site}
    return f"otpauth://totp/{quote(site)}:{quote(account)}?{urlencode(values, quote_via=quote)}"
