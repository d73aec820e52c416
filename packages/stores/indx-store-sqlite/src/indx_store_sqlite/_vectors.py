"""Vectors in SQLite: one matrix for each document and space, compared exactly by numpy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, Table, insert, select

from indx_core.ranking import check_lengths, nearest, norms
from indx_store_sql.owned import Owned, live
from indx_store_sql.tables import Exact, indexed

if TYPE_CHECKING:
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_store_sql.backend import Found, Spaces

__all__ = ["TABLE", "find", "put", "vector", "vectors_of"]

TABLE: Final = """CREATE TABLE vectors (
    document_id BIGINT NOT NULL REFERENCES indexed (id) ON DELETE CASCADE, space BLOB NOT NULL,
    dimension BIGINT NOT NULL, numbers BLOB NOT NULL, norms BLOB NOT NULL, matrix BLOB NOT NULL,
    PRIMARY KEY (document_id, space))"""
"""Made by the first step."""

vector: Final = Table(
    "vectors",
    MetaData(),
    Column("document_id", BigInteger, primary_key=True),
    Column("space", Exact, primary_key=True),
    Column("dimension", BigInteger, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
    Column("norms", LargeBinary, nullable=False),
    Column("matrix", LargeBinary, nullable=False),
)
"""Numbers of chunks (`<u4`), lengths of rows (`<f8`) and rows (`<f4`)."""


def put(mine: Owned, document_id: int, spaces: Spaces) -> None:
    """Keep the vectors of a document."""
    for space, (numbers, rows) in spaces.items():
        mine.connection.execute(
            insert(vector).values(
                document_id=document_id,
                space=space,
                dimension=rows.shape[1],
                numbers=np.asarray(numbers, dtype="<u4").tobytes(),
                norms=norms(rows).astype("<f8").tobytes(),
                matrix=rows.astype("<f4").tobytes(),
            )
        )


def vectors_of(mine: Owned, document_id: int) -> dict[int, dict[str, npt.NDArray[np.float32]]]:
    """The vectors of a document by number of chunk and space."""
    found: dict[int, dict[str, npt.NDArray[np.float32]]] = {}
    query = mine.select(vector, *vector.c).where(vector.c.document_id == document_id)
    for row in mine.rows(query.order_by(vector.c.space)):
        for number, values in zip(
            np.frombuffer(row.numbers, dtype="<u4").tolist(), _matrix(row), strict=True
        ):
            found.setdefault(number, {})[row.space] = values
    return found


def find(
    mine: Owned,
    space_id: str,
    asked: npt.NDArray[np.float32],
    *,
    metric: Metric,
    limit: int,
    now: datetime,
) -> Sequence[Found]:
    """The owner's nearest vectors, best first; ties by digest and number."""
    columns = (indexed.c.id, indexed.c.digest, vector.c.dimension, vector.c.numbers, vector.c.norms)
    query = select(*columns, vector.c.matrix).where(mine.mine(vector), vector.c.space == space_id, live(now))
    rows = mine.rows(query.order_by(indexed.c.digest))
    check_lengths(space_id, [row.dimension for row in rows], len(asked))
    blocks = [(_matrix(row), np.frombuffer(row.norms, dtype="<f8")) for row in rows]
    return [
        (
            rows[block].id,
            rows[block].digest,
            int(np.frombuffer(rows[block].numbers, dtype="<u4")[place]),
            score,
        )
        for block, place, score in nearest(metric, blocks, asked, limit)
    ]


def _matrix(row: Any) -> npt.NDArray[np.float32]:
    return np.frombuffer(row.matrix, dtype="<f4").reshape(-1, row.dimension)
