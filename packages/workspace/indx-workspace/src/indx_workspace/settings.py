"""Settings of the workspace. Which stores there are is read at start, the rest whenever it is needed."""

from __future__ import annotations

from indx_core.settings import Setting, integer, string

__all__ = [
    "DATASET_STORE",
    "DOCUMENT_STORE",
    "EXPERIMENT_STORE",
    "JOB_RUNNER",
    "LABEL_STORE",
    "ROUTER_STORE",
    "SCHEMA_STORE",
    "SETTINGS",
    "SOURCE_STORE",
    "STORE_MAX_DOCUMENTS",
    "STORE_TTL",
    "VECTOR_INDEX",
    "WORKSPACE_TOKEN",
]


def _store(name: str, what: str) -> Setting[str | None]:
    return Setting(name, string, None, what, read="start")


DOCUMENT_STORE = _store(
    "INDX_DOCUMENT_STORE", "Where kept documents are; unset: nothing is kept. Set with INDX_VECTOR_INDEX."
)
VECTOR_INDEX = _store(
    "INDX_VECTOR_INDEX", "Where chunks of kept documents are searched. Set with INDX_DOCUMENT_STORE."
)
SOURCE_STORE = _store(
    "INDX_SOURCE_STORE", "Where the files of kept documents are; unset: files are gone once read."
)
SCHEMA_STORE = _store("INDX_SCHEMA_STORE", "Where document types are; unset: there are none.")
LABEL_STORE = _store("INDX_LABEL_STORE", "Where labels are; needs INDX_SCHEMA_STORE. Unset: there are none.")
DATASET_STORE = _store("INDX_DATASET_STORE", "Where datasets are; unset: there are none.")
ROUTER_STORE = _store("INDX_ROUTER_STORE", "Where routers are; unset: there are none.")
EXPERIMENT_STORE = _store(
    "INDX_EXPERIMENT_STORE", "Where experiments are; needs the four stores before it. Unset: there are none."
)
JOB_RUNNER = _store("INDX_JOB_RUNNER", "What runs experiments; unset: they can be read and not run.")
STORE_TTL: Setting[int] = Setting(
    "INDX_STORE_TTL_SECONDS",
    integer(minimum=1),
    86400,
    "Seconds for which a document is kept after it was last kept.",
)
STORE_MAX_DOCUMENTS: Setting[int] = Setting(
    "INDX_STORE_MAX_DOCUMENTS_PER_OWNER",
    integer(minimum=1),
    20,
    "The most documents a caller keeps; keeping one more drops the oldest.",
)
WORKSPACE_TOKEN: Setting[str | None] = Setting(
    "INDX_WORKSPACE_TOKEN",
    string,
    None,
    "The operator's token, which every write to the workspace bears; unset: nothing can be written.",
    secret=True,
)
SETTINGS = (
    DOCUMENT_STORE,
    VECTOR_INDEX,
    SOURCE_STORE,
    SCHEMA_STORE,
    LABEL_STORE,
    DATASET_STORE,
    ROUTER_STORE,
    EXPERIMENT_STORE,
    JOB_RUNNER,
    STORE_TTL,
    STORE_MAX_DOCUMENTS,
    WORKSPACE_TOKEN,
)
