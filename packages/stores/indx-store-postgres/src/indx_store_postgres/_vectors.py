"""Vectors in Postgres: a row of pgvector's type each, without an index that would only approximate.

The database finds, in single precision, every row that could be among the nearest; those few are ranked by
the core in double precision, so that the order is that of every other store.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    MetaData,
    Table,
    and_,
    between,
    bindparam,
    case,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.types import UserDefinedType

from indx_core.ranking import best, check_lengths, is_odd, norms, similarities, slack
from indx_store_sql.owned import Owned, live
from indx_store_sql.tables import Exact, indexed

if TYPE_CHECKING:
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_store_sql.backend import Found, Spaces

__all__ = ["STATEMENTS", "find", "rows_of", "vector", "vectors_of"]


class Embedding(UserDefinedType[Any]):
    """pgvector's `vector`, whose values are those of the pgvector package."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """Its name in SQL."""
        return "vector"


STATEMENTS: Final = (
    """CREATE TABLE vectors (
        owner_key BIGINT NOT NULL, space BYTEA NOT NULL,
        document_id BIGINT NOT NULL REFERENCES indexed (id) ON DELETE CASCADE, number BIGINT NOT NULL,
        dimension BIGINT NOT NULL, norm DOUBLE PRECISION NOT NULL, embedding vector NOT NULL,
        PRIMARY KEY (owner_key, space, document_id, number))""",
    "CREATE INDEX vectors_of_document ON vectors (document_id)",
)
"""Part of the first step."""

vector: Final = Table(
    "vectors",
    MetaData(),
    Column("owner_key", BigInteger, primary_key=True),
    Column("space", Exact, primary_key=True),
    Column("document_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("dimension", BigInteger, nullable=False),
    Column("norm", Float, nullable=False),
    Column("embedding", Embedding, nullable=False),
)

_OPERATORS: Final = {"cosine": "<=>", "dot": "<#>", "euclidean": "<->"}
"""Distances, lower is nearer; that of `dot` is the product with its sign turned."""

_ROUNDED: Final = 2e-6


def rows_of(mine: Owned, document_id: int, spaces: Spaces) -> list[dict[str, Any]]:
    """The rows of a document's vectors."""
    from pgvector import Vector

    return [
        {
            "owner_key": mine.key,
            "space": space,
            "document_id": document_id,
            "number": number,
            "dimension": rows.shape[1],
            "norm": float(norm),
            "embedding": Vector(row),
        }
        for space, (numbers, rows) in spaces.items()
        for number, row, norm in zip(numbers, rows, norms(rows), strict=True)
    ]


def vectors_of(mine: Owned, document_id: int) -> dict[int, dict[str, npt.NDArray[np.float32]]]:
    """The vectors of a document by number of chunk and space."""
    found: dict[int, dict[str, npt.NDArray[np.float32]]] = {}
    query = mine.select(vector, vector.c.number, vector.c.space, vector.c.embedding)
    for row in mine.rows(query.where(vector.c.document_id == document_id).order_by(vector.c.space)):
        found.setdefault(row.number, {})[row.space] = row.embedding.to_numpy().astype("<f4")
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
    rows = mine.rows(_candidates(mine, space_id, asked, metric=metric, limit=limit, now=now))
    check_lengths(space_id, [row.dimension for row in rows], len(asked))
    if not rows or limit <= 0:
        return []
    rows = sorted(rows, key=lambda row: (row.digest, row.number))
    matrix = np.stack([row.embedding.to_numpy() for row in rows])
    scores = similarities(metric, matrix, asked)
    return [
        (rows[place].id, rows[place].digest, rows[place].number, score)
        for place, score in best(scores, limit)
    ]


def _candidates(
    mine: Owned,
    space_id: str,
    asked: npt.NDArray[np.float32],
    *,
    metric: Metric,
    limit: int,
    now: datetime,
) -> Any:
    """A query for every row that could be among the nearest, and for any of another length."""
    length = float(norms(asked[None])[0])
    ours = and_(mine.mine(vector), vector.c.space == space_id, live(now))
    distance = _distance(metric, asked, length).label("distance")
    judged = (
        select(indexed.c.digest, vector.c.document_id, vector.c.number, vector.c.norm, distance)
        .where(ours)
        .cte("judged")
    )
    last = (
        select(judged.c.distance)
        .where(judged.c.distance.is_not(None))
        .order_by(judged.c.distance)
        .offset(max(0, limit - 1))
        .limit(1)
        .scalar_subquery()
    )
    reach = func.coalesce(last + _margin(metric, len(asked), length, last, judged), literal(np.inf, Float()))
    at = and_(vector.c.document_id == judged.c.document_id, vector.c.number == judged.c.number)
    columns = (vector.c.document_id.label("id"), judged.c.digest, vector.c.number, vector.c.dimension)
    return (
        select(*columns, vector.c.embedding)
        .where(vector.c.owner_key == mine.key, vector.c.space == space_id, at)
        .where(or_(judged.c.distance.is_(None), judged.c.distance <= reach))
    )


def _distance(metric: Metric, asked: npt.NDArray[np.float32], length: float) -> Any:
    """The distance of a row; null where its length is odd, or the question's: such a row is always taken."""
    from pgvector import Vector

    usual = and_(vector.c.dimension == len(asked), between(vector.c.norm, 1e-14, 1e14))
    question = bindparam("asked", Vector(asked), type_=Embedding())
    distance = vector.c.embedding.op(_OPERATORS[metric], return_type=Float())(question)
    return case((usual, distance) if not is_odd(length) else (literal(False), 0.0))


def _margin(metric: Metric, dimension: int, length: float, last: Any, judged: Any) -> Any:
    """By how much the distance of a row may be misjudged, as `slack` says, in SQL."""
    share = slack("cosine", dimension, 0, 0, 0) - _ROUNDED
    if metric == "cosine":
        return share + _ROUNDED
    if metric == "euclidean":
        return last * share + _ROUNDED
    longest = select(func.max(judged.c.norm)).where(judged.c.distance.is_not(None)).scalar_subquery()
    return longest * (share * length) + _ROUNDED
