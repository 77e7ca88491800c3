"""Logging: structured lines with ids, kinds and error types, never the contents of orders or messages.

An exception's text may quote what somebody wrote (a validation error does), and a debugger-like traceback shows whole
variables. So a line carries the exception's type and where it arose, and nothing else of it; that holds for the lines
of libraries too.
"""

import logging
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

_QUIET = ("discord", "alembic", "sqlalchemy", "aiosqlite", "aiohttp", "asyncio", "PIL")
"""Libraries whose lines matter only when something is wrong, and whose debug lines would hold contents."""


def setup(level: str = "INFO", *, as_json: bool = False) -> None:
    """Log to standard error from now on, ours and the libraries' alike. Calling it again replaces the set-up."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        where_only,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def where_only(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an exception by its type and the places it passed."""
    found: BaseException | tuple[Any, BaseException | None, Any] | bool | None = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()[1]
    elif isinstance(found, tuple):
        found = found[1]
    record = event.get("_record")
    if record is not None:  # of the standard library: its formatter would print the whole traceback
        record.exc_info = record.exc_text = None
    if isinstance(found, BaseException):
        event["error"] = type(found).__name__
        event["where"] = where(found)
    return event


def where(error: BaseException) -> str:
    """The places an exception passed, innermost first (``module.py:12 in name``), then its cause's, never its text."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} in {frame.name}" for frame in frames[::-1][:8]
    )
    cause = error.__cause__
    return f"{places}; from {type(cause).__name__}: {where(cause)}" if cause is not None else places
