"""What a log line must never hold."""

import io
import json
import logging

import pytest

from config.log_format import make_formatter

SECRET = "Zq8rTk3vYw5nBx7mLp2sHd9fGj4cNa6e"


def _logged(style: str, message: str, *values: object, failing_with: str = "") -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(make_formatter(style=style))
    logger = logging.Logger("tests.log")
    logger.addHandler(handler)
    if not failing_with:
        logger.error(message, *values)
        return stream.getvalue()
    try:
        _fail(failing_with)
    except ValueError:
        logger.exception(message, *values)
    return stream.getvalue()


def _fail(password: str) -> None:
    raise ValueError(f"{len(password)} characters")


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize("kind", ["invitations", "shared"])
def test_an_address_that_is_a_key_is_not_logged(style: str, kind: str) -> None:
    line = _logged(style, "Internal Server Error: %s", f"/{kind}/{SECRET}/")
    assert f"Internal Server Error: /{kind}/" in line
    assert SECRET not in line


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_traceback_is_logged_without_the_values_of_variables(style: str) -> None:
    line = _logged(style, "This failed", failing_with="seven quiet herons")
    assert "ValueError: 18 characters" in line
    assert "seven quiet herons" not in line


def test_json_lines_are_json() -> None:
    line = json.loads(_logged("json", "This failed", failing_with="seven quiet herons"))
    assert line["event"] == "This failed"
    assert line["level"] == "error"
    assert "Traceback" in line["exception"]
