"""The tables as queries see them. How they come about is in `migrations`; a test holds the two together."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from sqlalchemy import BigInteger, Column, Dialect, Integer, LargeBinary, MetaData, Table
from sqlalchemy.types import TypeDecorator

__all__ = [
    "METADATA",
    "Exact",
    "Moment",
    "cells",
    "chunk",
    "documents",
    "exact",
    "experiments",
    "indexed",
    "labels",
    "posting",
    "read",
    "records",
    "routers",
    "sources",
    "version",
    "written",
]

M = TypeVar("M")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def exact(text: str) -> bytes:
    """A string as it is kept: in UTF-8, lone surrogates too."""
    return text.encode("utf-8", "surrogatepass")


class Exact(TypeDecorator[str]):
    """Any string, as bytes: no collation orders it; NUL and lone surrogates are characters like others."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        """Encode it."""
        return None if value is None else exact(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Decode it."""
        return None if value is None else bytes(value).decode("utf-8", "surrogatepass")


class Moment(TypeDecorator[datetime]):
    """An instant, in microseconds: exact, and ordered as it is in every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Count it from 1970."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Count it back."""
        return None if value is None else _EPOCH + value * _MICROSECOND


METADATA: Final = MetaData()

version: Final = Table("indx_version", METADATA, Column("number", Integer, primary_key=True))

documents: Final = Table(
    "documents",
    METADATA,
    Column("owner", LargeBinary, primary_key=True),
    Column("digest", Exact, primary_key=True),
    Column("updated_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("result", LargeBinary, nullable=False),
)

sources: Final = Table(
    "sources",
    METADATA,
    Column("owner", LargeBinary, primary_key=True),
    Column("digest", Exact, primary_key=True),
    Column("media_type", Exact, nullable=False),
    Column("filename", Exact),
    Column("expires_at", Moment),
    Column("data", LargeBinary, nullable=False),
)

indexed: Final = Table(
    "indexed",
    METADATA,
    Column("id", BigInteger, primary_key=True),
    Column("owner", LargeBinary, nullable=False),
    Column("digest", Exact, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("chunks", BigInteger, nullable=False),
    Column("terms", BigInteger, nullable=False),
    Column("block_ids", LargeBinary, nullable=False),
)
"""A document's chunks as a whole. They are numbered in the order of their block IDs, because ties rank so."""

chunk: Final = Table(
    "chunk",
    METADATA,
    Column("document_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("place", LargeBinary, nullable=False),
    Column("text", Exact, nullable=False),
)

posting: Final = Table(
    "posting",
    METADATA,
    Column("owner_key", BigInteger, primary_key=True),
    Column("term", LargeBinary, primary_key=True),
    Column("document_id", BigInteger, primary_key=True),
    Column("rows", LargeBinary, nullable=False),
)
"""For each document that holds a term the rows of `indx_core.ranking.Postings`."""

records: Final = Table(
    "records",
    METADATA,
    Column("noun", Exact, primary_key=True),
    Column("key", Exact, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

labels: Final = Table(
    "labels",
    METADATA,
    Column("key", Exact, primary_key=True),
    Column("digest", Exact, nullable=False),
    Column("type_id", Exact),
    Column("body", LargeBinary, nullable=False),
)

routers: Final = Table(
    "routers",
    METADATA,
    Column("key", Exact, primary_key=True),
    Column("version", BigInteger, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

experiments: Final = Table(
    "experiments",
    METADATA,
    Column("key", Exact, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

cells: Final = Table(
    "cells",
    METADATA,
    Column("key", Exact, primary_key=True),
    Column("digest", Exact, primary_key=True),
    Column("candidate", Exact, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)


def written(model: Any) -> bytes:
    """A contract model as JSON. A lone surrogate, which has no UTF-8, is written as an escape."""
    try:
        return model.model_dump_json().encode()  # type: ignore[no-any-return]
    except ValueError:
        return json.dumps(model.model_dump(mode="json")).encode()


def read(kind: type[M], body: bytes) -> M:
    """The model that `written` made the JSON of."""
    model: Any = kind
    try:
        return model.model_validate_json(body)  # type: ignore[no-any-return]
    except ValueError:
        return model.model_validate(json.loads(body))  # type: ignore[no-any-return]
