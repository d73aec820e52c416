"""Opens an archive as a knowledge space: the index parsed and checked, everything else left for later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from indx_core.contracts.space import SPACE_VERSION
from indx_core.errors import ArchiveError
from indx_space.archive.members import EMBEDDING_MANIFEST, INDEX, VECTORS
from indx_space.archive.reading import Archive, locate
from indx_space.lazy import Items
from indx_space.stored import check_depth, chunk_maker, document_maker, relation_maker
from indx_space.vectors import DTYPE, MappedVectors, VectorFacts

if TYPE_CHECKING:
    from indx_space.knowledge import KnowledgeSpace

__all__ = ["load"]

S = TypeVar("S", bound="KnowledgeSpace")
_MEMBERS: Final = frozenset({"version", "root", "metadata", "documents", "chunks", "relations", "stats"})
_WIDEST: Final = 1 << 20


def load(kind: type[S], path: Path, *, verify: bool) -> S:
    """Open an archive as a space of class `kind`; see `KnowledgeSpace.load`."""
    where = locate(path)
    if verify:
        from indx_space.archive.verifying import verify_archive

        verify_archive(where)
    archive = Archive(where)
    try:
        return _space(kind, archive)
    except BaseException:
        archive.close()
        raise


def _space(kind: type[S], archive: Archive) -> S:
    index = archive.json(INDEX)
    _check_version(archive, index)
    metadata = index.get("metadata") or {}
    if not isinstance(index.get("root"), str) or not isinstance(metadata, dict):
        archive.corrupt(f"{INDEX!r} states no root, or metadata that are no object")
    _check_metadata(archive, metadata)
    extra = {key: value for key, value in index.items() if key not in _MEMBERS}
    check_depth([metadata, extra], f"the metadata of {str(archive.path)!r}")
    raw_documents = _objects(archive, index, "documents", ("id", "path"))
    raw_chunks = _objects(archive, index, "chunks", ("id", "doc_id", "text"))
    ids = [chunk["id"] for chunk in raw_chunks]
    mapped = _vectors(archive, ids)
    documents = Items(raw_documents, make=document_maker)

    def path_of(identity: str) -> str | None:
        place = documents.place(identity)
        return None if place is None else documents[place].path

    space = kind.model_construct(
        version=index["version"],
        root=index["root"],
        metadata=metadata,
        documents_=documents,
        chunks=Items(raw_chunks, make=chunk_maker(mapped, path_of)),
        relations=Items(_objects(archive, index, "relations", ()), make=relation_maker),
    )
    space.adopt(archive, mapped, extra | {key: index[key] for key in ("stats",) if key in index})
    return cast("S", space)


def _check_version(archive: Archive, index: dict[str, Any]) -> None:
    version = index.get("version")
    if not isinstance(version, str):
        archive.corrupt(f"{INDEX!r} states no version")
    if version.partition(".")[0] != SPACE_VERSION.partition(".")[0]:
        raise ArchiveError(
            f"{str(archive.path)!r} holds a space of version {version!r}, and this release reads "
            f"{SPACE_VERSION!r}: use a release of indx for that version, or build the space again",
            code="archive_version",
        )


def _check_metadata(archive: Archive, metadata: dict[str, Any]) -> None:
    """Refuse metadata whose members are not what the format says; what it does not name is kept as it is."""
    texts: dict[str, Any] = {k: metadata[k] for k in ("tool_version", "created_at") if k in metadata}
    embedder, errors = metadata.get("embedder", {"name": ""}), metadata.get("errors", [])
    texts["embedder"] = embedder.get("name") if isinstance(embedder, dict) else None
    texts["errors"] = "" if isinstance(errors, list) and all(map(_is_error, errors)) else None
    for key, value in texts.items():
        if not isinstance(value, str):
            archive.corrupt(f"{key!r} of the metadata of {INDEX!r} is not what the format says")


def _is_error(entry: Any) -> bool:
    return isinstance(entry, dict) and all(type(entry.get(key)) is str for key in ("path", "code", "message"))


def _objects(
    archive: Archive, index: dict[str, Any], name: str, texts: tuple[str, ...]
) -> list[dict[str, Any]]:
    """A list of the index, whose elements are objects with these members, each `id` of its own."""
    found = index.get(name)
    if found is None and not texts:
        return []
    if not isinstance(found, list) or not all(type(one) is dict for one in found):
        archive.corrupt(f"{name!r} of {INDEX!r} is not a list of objects")
    for member in texts:
        if not all(type(one.get(member)) is str for one in found):
            archive.corrupt(f"one of {name!r} of {INDEX!r} has no {member!r}")
    if "id" in texts and len({one["id"] for one in found}) != len(found):
        archive.corrupt(f"two of {name!r} of {INDEX!r} have the same id")
    return found


def _vectors(archive: Archive, chunk_ids: list[str]) -> MappedVectors:
    """The vectors of an archive, with every number of the manifest held against the member."""
    if not archive.has(VECTORS) and not archive.has(EMBEDDING_MANIFEST):
        return MappedVectors()
    stated = archive.json(EMBEDDING_MANIFEST)
    dim, count, ids, space = (stated.get(name) for name in ("dim", "count", "ids", "space"))
    if (
        stated.get("dtype") != DTYPE
        or type(dim) is not int
        or not 0 < dim < _WIDEST
        or type(space) is not str
    ):
        archive.corrupt(f"{EMBEDDING_MANIFEST!r} does not describe vectors of {DTYPE!r}")
    if type(ids) is not list or type(count) is not int or len(ids) != count:
        archive.corrupt(f"{EMBEDDING_MANIFEST!r} states {count!r} vectors and lists other ids")
    if ids != chunk_ids and not _are_some(ids, chunk_ids):
        archive.corrupt(f"{EMBEDDING_MANIFEST!r} lists an id twice, or one that no chunk has")
    if archive.stated(VECTORS)[0] != dim * count * 4:
        archive.corrupt(f"{VECTORS!r} is not {count} vectors of {dim} numbers")
    names = {
        key: value for key in ("model", "backend", "fingerprint") if type(value := stated.get(key)) is str
    }
    return MappedVectors(ids, VectorFacts(space, dim, **names), archive.mapped(VECTORS))


def _are_some(ids: list[Any], chunk_ids: list[str]) -> bool:
    if not all(type(identity) is str for identity in ids):
        return False
    distinct = set(ids)
    return len(distinct) == len(ids) and distinct <= set(chunk_ids)
