"""Models made of the JSON objects of a loaded index: checked when they are touched, not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import ConfigDict, PrivateAttr, ValidationError

from indx_core.contracts._base import MAX_JSON_DEPTH
from indx_core.contracts.space import Chunk, Document, Relation, SpaceModel
from indx_core.errors import ArchiveError

if TYPE_CHECKING:
    from indx_space.vectors import MappedVectors

__all__ = ["StoredChunk", "check_depth", "chunk_maker", "document_maker", "relation_maker"]

M = TypeVar("M", bound=SpaceModel)


class StoredChunk(Chunk):
    """A chunk whose vector is a row of the archive it was loaded from, until it is given another."""

    model_config = ConfigDict(defer_build=True)

    _rows: MappedVectors | None = PrivateAttr(default=None)

    def with_rows(self, rows: MappedVectors) -> Self:
        """Itself, its vector being the one that `rows` has for it."""
        del self.__dict__["embedding"]
        self._rows = rows
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name != "embedding":
                return super().__getattr__(name)
            self.__dict__["embedding"] = None if self._rows is None else self._rows.row(self.id)
            return self.__dict__["embedding"]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "embedding" and self._rows is not None:
            self._rows.overridden = True
        super().__setattr__(name, value)

    def __getstate__(self) -> dict[Any, Any]:
        # Touch the vector: a copy in another process has no map.
        vector, state = self.embedding, super().__getstate__()
        return {
            **state,
            "__dict__": {**state["__dict__"], "embedding": vector},
            "__pydantic_private__": {**(state["__pydantic_private__"] or {}), "_rows": None},
        }

    def __repr_name__(self) -> str:
        return Chunk.__name__


def check_depth(value: Any, what: str, depth: int = 0) -> None:
    """Refuse JSON nested so deep that writers of it would fail.

    Raises:
        ArchiveError: `archive_corrupt`.
    """
    if depth > MAX_JSON_DEPTH:
        raise ArchiveError(f"{what} is nested more than {MAX_JSON_DEPTH} levels deep; build the space again")
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return
    for item in value:
        if isinstance(item, dict | list):
            check_depth(item, what, depth + 1)


def _checked(model: type[M], raw: dict[str, Any], what: str) -> M:
    name = f"{what} {raw.get('id')!r}" if "id" in raw else f"a {what}"
    check_depth(raw, name)
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        message = f"{name} does not fit the format: {place}: {first['msg']}; build the space again"
        raise ArchiveError(message, code="archive_corrupt") from None


def document_maker(raw: dict[str, Any]) -> Document:
    """Make a document."""
    return _checked(Document, raw, "document")


def relation_maker(raw: dict[str, Any]) -> Relation:
    """Make an edge."""
    return _checked(Relation, raw, "relation")


def chunk_maker(
    rows: MappedVectors, document_path: Callable[[str], str | None]
) -> Callable[[dict[str, Any]], Chunk]:
    """A maker of chunks with their vectors.

    Args:
        rows: The mapped vectors.
        document_path: The path of a document, for chunks that do not state their source.
    """

    def make(raw: dict[str, Any]) -> Chunk:
        if "embedding" in raw:
            raw = {key: value for key, value in raw.items() if key != "embedding"}
        chunk = _checked(StoredChunk, raw, "chunk")
        section = chunk.metadata.get("section", [])
        if not isinstance(section, list) or not all(type(title) is str for title in section):
            message = f"the section of chunk {chunk.id!r} is no list of titles; build the space again"
            raise ArchiveError(message, code="archive_corrupt")
        if "source" not in raw:
            chunk.source.path = document_path(chunk.doc_id) or ""
            chunk.source.folder = chunk.source.path.rpartition("/")[0]
        return chunk.with_rows(rows)

    return make
