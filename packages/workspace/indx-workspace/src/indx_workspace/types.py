"""Document types: what an installation calls its kinds of documents, and the fields they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.contracts import DocumentType, DocumentTypeSpec, TypeList
from indx_core.errors import InvalidRecord, NotFound
from indx_workspace.checks import Clock, is_key, require_key, writable

if TYPE_CHECKING:
    from indx_core.discovery import Registry
    from indx_core.ports import SchemaStore

__all__ = ["Types"]


class Types:
    """The document types of an installation: every caller's, and they never expire."""

    def __init__(self, store: SchemaStore, registry: Registry, *, clock: Clock) -> None:
        """Serve the types of an open store."""
        self._store, self._registry, self._clock = store, registry, clock

    def list(self) -> TypeList:
        """All types by key."""
        return TypeList(types=tuple(self._store.list()), writable=writable())

    def get(self, key: str) -> DocumentType:
        """One type.

        Raises:
            NotFound: `type_not_found`.
        """
        found = self._store.get(key) if is_key(key) else None
        if found is None:
            raise NotFound(
                f"no document type {key[:200]!r}; list them to see those there are", code="type_not_found"
            )
        return found

    def put(self, key: str, spec: DocumentTypeSpec) -> DocumentType:
        """Create or replace a type; a replaced one keeps when it was first made.

        Raises:
            InvalidRequest: `validation_error`: the key is none.
            InvalidRecord: `invalid_type`: its signature is not that of an installed parser.
        """
        require_key(key)
        self._check_signature(spec.signature)
        with self._store.transaction():
            now = self._clock()
            known = self._store.get(key)
            record = DocumentType(
                label=spec.label,
                fields=spec.fields,
                signature=spec.signature,
                id=key,
                created_at=now if known is None else known.created_at,
                updated_at=now,
            )
            self._store.put(key, record)
        return record

    def delete(self, key: str) -> None:
        """Drop a type; nothing happens when there is none. What copied it stays."""
        if is_key(key):
            self._store.delete(key)

    def _check_signature(self, signature: str | None) -> None:
        if signature is None:
            return
        parsers = {
            p.item.declaration.id
            for p in self._registry.advertised("indx.capabilities")
            if p.item.declaration.kind == "parser"
        }
        if signature not in parsers:
            known = ", ".join(sorted(parsers)) or "none"
            raise InvalidRecord(
                f"{signature[:200]!r} is no installed parser, whose signature could recognise the type; "
                f"installed parsers: {known}",
                code="invalid_type",
                param="signature",
            )
