"""Codes by time against the published test vectors."""

import pytest

from campaigns.one_time_codes import code_at, enrolment_address, matching_step, shown_key, step_of

KEY = b"12345678901234567890"
# RFC 6238, appendix B (SHA-1, eight digits): seconds since 1970, and the code
VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
# RFC 4226, appendix D (six digits): the codes of the counters 0 to 9
COUNTED = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_the_vectors_of_rfc_6238_come_out(seconds: int, code: str) -> None:
    assert code_at(KEY, step_of(seconds), digits=8) == code
    assert matching_step(KEY, code[2:], seconds=seconds) == step_of(seconds)


def test_the_vectors_of_rfc_4226_come_out() -> None:
    assert [code_at(KEY, step) for step in range(10)] == COUNTED


@pytest.mark.parametrize(("aside", "right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_one_step_aside(aside: int, right: bool) -> None:
    assert (matching_step(KEY, code_at(KEY, 1000 + aside), seconds=30_000) is not None) == right


def test_a_code_is_not_taken_again_nor_one_before_it() -> None:
    assert matching_step(KEY, code_at(KEY, 1000), seconds=30_000, after=1000) is None
    assert matching_step(KEY, code_at(KEY, 999), seconds=30_000, after=1000) is None
    assert matching_step(KEY, code_at(KEY, 1001), seconds=30_000, after=1000) == 1001


@pytest.mark.parametrize("code", ["", "12345", "1234567", "é", "²²²²²²"])
def test_what_is_no_code_is_wrong(code: str) -> None:
    assert matching_step(KEY, code, seconds=0) is None


def test_apps_read_the_address_whatever_the_name_is() -> None:
    address = enrolment_address(KEY, account="ada:?&l", site="Assay (a.example)")
    assert address == (
        "otpauth://totp/Assay%20%28a.example%29:ada%3A%3F%26l"
        "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Assay%20%28a.example%29"
    )
    assert shown_key(KEY).replace(" ", "") in address
