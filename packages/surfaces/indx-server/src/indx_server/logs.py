"""Structured logs: one JSON object a line on standard error, each naming the request it belongs to.

What others wrote into a message or an exception leaves without the secrets it quotes.
"""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.scrubbing import scrubbed

__all__ = ["REQUEST_ID", "JsonFormatter", "log_config"]

REQUEST_ID: ContextVar[str | None] = ContextVar("indx_request_id", default=None)
"""The correlation ID of the request at work, as X-Request-ID says it."""

_LONGEST: Final = 16_384


class JsonFormatter(logging.Formatter):
    """A record as JSON: `time`, `level`, `logger`, `message`, `request_id`, then what the record adds."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line; no text in a record can break it into two."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": clean_text(scrubbed(record.getMessage()))[:_LONGEST],
        }
        request_id = REQUEST_ID.get()
        if request_id is not None:
            line["request_id"] = request_id
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["exception"] = clean_text(scrubbed(self.formatException(record.exc_info)))[-_LONGEST:]
        return json.dumps(line, ensure_ascii=False, default=str)


def log_config(level: str = "INFO") -> dict[str, Any]:
    """The logging configuration of a server process."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "indx_server.logs.JsonFormatter"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "indx": {"level": level},
            "indx.server.start": {"level": "INFO"},
            "uvicorn": {"level": level},
        },
    }
