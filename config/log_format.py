"""One formatter for every log line, Django's and ours: text for people, JSON for collectors."""

import re
from typing import Any

import structlog

# The address of an invitation, of shared results, or of who wants no more mail, is its key.
_INVITATION = re.compile(r"(/(?:invitations|shared|no-more-mail)/)[^/\s\"'?#]+")
# What follows the address of a crowd's link says who somebody is elsewhere.
_LABELS = re.compile(r"(/join/[^/\s\"'?#]+/?\?)[^\s\"'#]+")


def _hidden(text: str) -> str:
    return _LABELS.sub(r"\1…", _INVITATION.sub(r"\1…", text))


def hide_invitations(_logger: Any, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return {name: _hidden(value) if isinstance(value, str) else value for name, value in event.items()}


def make_formatter(*, style: str) -> structlog.stdlib.ProcessorFormatter:
    renderer: structlog.typing.Processor
    if style == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,  # plain: local variables in a traceback would hold passwords
            hide_invitations,
            renderer,
        ],
    )
