"""Opens an index: checks all of it, runs nothing, changes nothing.

A folder may be replaced while it is read. All files are opened, then it is looked whether the folder is
still the same; if not, all is read anew. So a reader sees one generation, the old or the new.
"""

from __future__ import annotations

import os
import time
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from indx_core.errors import ConfigurationError
from indx_core.paths import named
from indx_graph.chunks import GraphChunk, chunk_of
from indx_graph.errors import IndexError_, IndexWarning
from indx_graph.graph import Graph
from indx_graph.layout import ANN_FILES, FORMAT_VERSION, INFO, beside, is_index, read_info
from indx_graph.nearest import require
from indx_graph.options import SIGNALS, GraphSettings, read_settings

__all__ = ["open_graph", "read_account"]

_ATTEMPTS: Final = 100
_KINDS: Final = {
    "embeddings.npy": ("<f4", 2),
    "edges.npy": ("<f8", 2),
    "spectral.npy": ("<f4", 2),
    "eigenvalues.npy": ("<f8", 1),
    "question_vectors.npy": ("<f4", 2),
    "question_owners.npy": ("<i8", 1),
}
_DAMAGE: Final = (
    *(ValueError, TypeError, KeyError, SyntaxError, TokenError),  # the header of an array is a Python literal
    *(EOFError, OverflowError, MemoryError, RecursionError),
)
"""What NumPy raises over files that are damaged."""
_MOMENTS: Final = 20
_MOMENT: Final = 0.002
"""A replacement at work puts the new index there within some moments; a stopped one never does."""
_PROBE: Final = "embedder_probe.npy"
_REBUILD: Final = "build the index again"
_BUILD: Final = "indx graph build SPACE --out"


def open_graph(folder: str | Path, *, signals: bool = False) -> tuple[Graph, dict[str, Any], Path]:
    """The graph of an index, its account, and the folder it was read from.

    Args:
        folder: The index.
        signals: Whether to read the raw signals too, which only fusing again needs.

    Raises:
        IndexError_: `archive_missing`, `archive_corrupt`, or `archive_version`: a later release made it.
        UsageError: The path is empty.
    """
    path = Path(os.path.realpath(named(folder)))
    for attempt in range(_ATTEMPTS):
        with _same_folder(path) as look:
            if look is None:
                continue
            source, is_same = look
            if source != path and attempt < _MOMENTS:
                time.sleep(_MOMENT)
                continue
            try:
                graph, info = _read(source, signals=signals)
            except (FileNotFoundError, IndexError_):
                if not is_same():
                    continue
                raise
            if not is_same():
                continue
            if source != path:
                warnings.warn(
                    f"{str(path)!r} is missing and was read from {source.name!r}, where a stopped ingest "
                    "left it; the next ingest puts it back",
                    IndexWarning,
                    stacklevel=3,
                )
            return graph, info, source
    raise IndexError_(f"{str(path)!r} is replaced over and over; try again", code="archive_missing")


def read_account(folder: str | Path) -> dict[str, Any]:
    """What `info.json` of an index says, checked as far as its version.

    Raises:
        IndexError_: As `open_graph`.
    """
    path = Path(os.path.realpath(named(folder)))
    for _ in range(_ATTEMPTS):
        with _same_folder(path) as look:
            if look is None:
                continue
            source, is_same = look
            try:
                return _account(source)
            except (FileNotFoundError, IndexError_):
                if is_same():
                    raise
    raise IndexError_(f"{str(path)!r} is replaced over and over; try again", code="archive_missing")


@contextmanager
def _same_folder(path: Path) -> Iterator[Any]:
    """The folder to read and what tells whether it is still there; None where it has just gone.

    Where the system can, the folder is held open, so that no later one gets its number.

    Raises:
        IndexError_: `archive_missing`: there is none, and none was set aside.
    """
    old = beside(path)[1]
    source = path if _stands(path) or not is_index(old) else old
    try:
        handle = os.open(source, os.O_RDONLY) if hasattr(os, "O_DIRECTORY") else None
        seen = source.stat()
    except FileNotFoundError:
        if _stands(path) or is_index(old):
            yield None
            return
        raise IndexError_(
            f"{str(path)!r} does not exist; build an index there first: {_BUILD} {path}",
            code="archive_missing",
        ) from None
    except OSError as error:
        raise IndexError_(
            f"{str(path)!r} cannot be opened: {error.strerror or type(error).__name__}; let it be read, or "
            "name another index",
            code="archive_missing",
        ) from None

    def is_same() -> bool:
        try:
            return os.path.samestat(seen, source.stat()) and (source == path or not path.exists())
        except OSError:
            return False

    try:
        yield source, is_same
    finally:
        if handle is not None:
            os.close(handle)


def _stands(path: Path) -> bool:
    """Whether something is there; not so where nobody may look, which a Path would raise for."""
    return os.path.exists(path)  # noqa: PTH110


def _foreign(folder: Path) -> IndexError_:
    return IndexError_(
        f"{str(folder)!r} is not the folder of an index; name one that was built: {_BUILD} FOLDER",
        code="archive_foreign",
    )


def _account(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise _foreign(folder)
    if not _stands(folder / INFO) and not _stands(folder / "chunks.json") and any(folder.iterdir()):
        raise _foreign(folder)
    try:
        _refuse_special(folder)
        info = read_info(folder / INFO)
    except OSError as error:
        if not folder.exists():
            raise
        reason = error.strerror or type(error).__name__
        raise IndexError_(f"{INFO} in {str(folder)!r} cannot be read: {reason}; {_REBUILD}") from None
    found = info.get("format_version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise IndexError_(f"{INFO} has the format_version {found!r}, which is none; {_REBUILD}")
    if found > FORMAT_VERSION:
        raise IndexError_(
            f"the index is of format {found} and this release reads up to {FORMAT_VERSION}: upgrade, "
            "pip install -U indx-graph",
            code="archive_version",
        )
    return info


def _refuse_special(folder: Path) -> None:
    """Refuse pipes and devices, and links to them: reading one may never end."""
    for one in folder.iterdir():
        if one.exists() and not one.is_file() and not one.is_dir():
            raise IndexError_(f"{one.name!r} in {str(folder)!r} is no regular file; {_REBUILD}")


def _read(folder: Path, *, signals: bool) -> tuple[Graph, dict[str, Any]]:
    """Read and check every file.

    Raises:
        FileNotFoundError: A file has gone with its folder.
    """
    info = _account(folder)
    try:
        arrays = {name: _array(folder / name, *kind) for name, kind in _KINDS.items()}
        settings = _settings(folder)
        chunks = _chunks(folder)
        probe = _array(folder / _PROBE, "<f4", 1) if (folder / _PROBE).exists() else None
        raw = _signals(folder, len(chunks)) if signals else {}
    except FileNotFoundError as missing:
        if not folder.exists():
            raise
        name = Path(str(missing.filename)).name
        raise IndexError_(f"{name} is missing from {str(folder)!r}; {_REBUILD}") from None
    except OSError as error:
        raise IndexError_(
            f"{str(folder)!r} cannot be read: {error.strerror or error}; let it be read, or {_REBUILD}"
        ) from None
    _check(arrays, len(chunks))
    rows, width = arrays["embeddings.npy"].shape
    graph = Graph(
        chunks,
        arrays["embeddings.npy"],
        settings,
        arrays["edges.npy"],
        weights=info["weights"] if isinstance(info.get("weights"), dict) else {},
        signals=raw,
        spectral=arrays["spectral.npy"],
        eigenvalues=arrays["eigenvalues.npy"],
        question_vectors=arrays["question_vectors.npy"],
        question_owners=arrays["question_owners.npy"],
        probe=probe,
        nearest=_nearest(folder, settings.backend, rows, width) if rows else None,
    )
    return graph, info


def _nearest(folder: Path, backend: str, rows: int, width: int) -> Any:
    """The approximate index; None, and all vectors are compared, where it or its extra is missing."""
    if backend not in ANN_FILES or not (folder / ANN_FILES[backend]).exists():
        return None
    try:
        require(backend)
    except ConfigurationError as error:
        warnings.warn(f"all vectors are compared: {error}", IndexWarning, stacklevel=5)
        return None
    from indx_graph.backends import FaissIndex, HnswIndex

    kind = FaissIndex if backend == "faiss" else HnswIndex
    return kind.load(folder / ANN_FILES[backend], rows, width)


def _array(path: Path, kind: str, dimensions: int) -> npt.NDArray[Any]:
    """An array, mapped where it has any number: a size that the file does not bear out is refused."""
    try:
        value: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        value = _empty(path, error)
    if value.dtype != np.dtype(kind) or value.ndim != dimensions:
        raise IndexError_(
            f"{path.name} holds {value.dtype} of {value.ndim} dimensions where {np.dtype(kind)} of "
            f"{dimensions} are due; {_REBUILD}"
        )
    return value


def _empty(path: Path, error: Exception) -> npt.NDArray[Any]:
    """An array without a number, which cannot be mapped; anything else is damaged.

    Raises:
        IndexError_: `archive_corrupt`.
    """
    try:
        with path.open("rb") as file:
            form = np.lib.format
            version = form.read_magic(file)
            read = form.read_array_header_1_0 if version == (1, 0) else form.read_array_header_2_0
            shape, _, kind = read(file)
            if 0 in shape and not kind.hasobject:
                return np.zeros(shape, kind)
    except (*_DAMAGE, OSError):
        pass
    raise IndexError_(
        f"{path.name} is damaged or holds objects, which are never read: {error}; {_REBUILD}"
    ) from None


def _settings(folder: Path) -> GraphSettings:
    """The settings of the build; what a later release may have added is passed over."""
    written = read_info(folder / "settings.json")
    known = {name: value for name, value in written.items() if name in GraphSettings.model_fields}
    try:
        return read_settings(GraphSettings, known)
    except ConfigurationError as error:
        raise IndexError_(f"settings.json: {error}; {_REBUILD}") from None


def _chunks(folder: Path) -> list[GraphChunk]:
    try:
        records = orjson.loads((folder / "chunks.json").read_bytes())
    except orjson.JSONDecodeError:
        raise IndexError_(f"chunks.json is not JSON; {_REBUILD}") from None
    if not isinstance(records, list):
        raise IndexError_(f"chunks.json is no list; {_REBUILD}")
    return [chunk_of(record, place) for place, record in enumerate(records)]


def _signals(folder: Path, nodes: int) -> dict[str, npt.NDArray[np.float64]]:
    """The six raw signals; a member that declares more than the archive holds is refused unread."""
    path = folder / "signals.npz"
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {item.filename: item.file_size for item in archive.infolist()}
            stored = all(item.compress_type == zipfile.ZIP_STORED for item in archive.infolist())
        if not stored or sum(sizes.values()) > path.stat().st_size:
            raise IndexError_(f"signals.npz is packed otherwise than it is written; {_REBUILD}")
        with np.load(path, allow_pickle=False) as archive:
            found = {name: np.asarray(archive[name]) for name in SIGNALS}
    except (*_DAMAGE, zipfile.BadZipFile) as error:
        raise IndexError_(f"signals.npz is damaged or holds objects: {error}; {_REBUILD}") from None
    for name, edges in found.items():
        if edges.dtype != np.dtype("<f8"):
            raise IndexError_(f"signals.npz: {name} holds {edges.dtype} where float64 is due; {_REBUILD}")
        _check_edges(edges, nodes, f"signals.npz: {name}")
    return found


def _check(arrays: dict[str, npt.NDArray[Any]], nodes: int) -> None:
    """Hold the arrays against the chunks and each other."""
    for name in ("embeddings.npy", "spectral.npy"):
        if len(arrays[name]) != nodes:
            raise IndexError_(f"{name} has {len(arrays[name])} rows for {nodes} chunks; {_REBUILD}")
        if not np.isfinite(arrays[name]).all():
            raise IndexError_(f"{name} holds what is no number; {_REBUILD}")
    if arrays["eigenvalues.npy"].shape[0] != arrays["spectral.npy"].shape[1]:
        raise IndexError_(f"eigenvalues.npy does not match the columns of spectral.npy; {_REBUILD}")
    _check_edges(arrays["edges.npy"], nodes, "edges.npy")
    vectors, owners = arrays["question_vectors.npy"], arrays["question_owners.npy"]
    if len(vectors) != len(owners) or (len(owners) and not 0 <= owners.min() <= owners.max() < nodes):
        raise IndexError_(f"question_owners.npy names chunks that are not there; {_REBUILD}")
    if len(vectors) and vectors.shape[1] != arrays["embeddings.npy"].shape[1]:
        raise IndexError_(f"question_vectors.npy is of another size than embeddings.npy; {_REBUILD}")


def _check_edges(edges: npt.NDArray[Any], nodes: int, name: str) -> None:
    if edges.ndim != 2 or edges.shape[1] != 3:
        raise IndexError_(f"{name} has not three columns; {_REBUILD}")
    if not len(edges):
        return
    ends = edges[:, :2]
    sound = np.isfinite(edges).all() and ((ends >= 0) & (ends < nodes) & (ends == np.floor(ends))).all()
    if not sound or not (ends[:, 0] < ends[:, 1]).all() or (edges[:, 2] < 0).any():
        raise IndexError_(f"{name} names chunks that are not there, or weighs below 0; {_REBUILD}")
