"""Labels: reviewers' verdicts on what lanes answered, each with a copy of the answer it judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.contracts import Label, LabelList, LabelSpec
from indx_core.errors import InvalidRecord
from indx_workspace.checks import Clock, is_digest, is_key, writable
from indx_workspace.stores import together

if TYPE_CHECKING:
    from indx_core.ports import LabelStore, SchemaStore

__all__ = ["Labels"]


class Labels:
    """The labels of an installation. They outlive the documents they judge."""

    def __init__(self, store: LabelStore, types: SchemaStore, *, clock: Clock) -> None:
        """Serve the labels of an open store."""
        self._store, self._types, self._clock = store, types, clock

    def list(self, *, digest: str | None = None, type_id: str | None = None) -> LabelList:
        """Labels by digest, then ID, narrowed by what is given."""
        possible = (digest is None or is_digest(digest)) and (type_id is None or is_key(type_id))
        found = self._store.list_for(digest=digest, type_id=type_id) if possible else ()
        return LabelList(labels=tuple(found), writable=writable())

    def put(self, spec: LabelSpec) -> Label:
        """Keep a verdict; a second one on the same answer replaces the first and keeps when that was made.

        Raises:
            InvalidRecord: `invalid_label`: the workspace does not hold its type or field.
        """
        with together(self._types, self._store):
            self._check_field(spec)
            now = self._clock()
            key = spec.label_id()
            known = self._store.get(key)
            members = {name: getattr(spec, name) for name in LabelSpec.model_fields}
            created = now if known is None else known.created_at
            record = Label(**members, id=key, created_at=created, updated_at=now)
            self._store.put(key, record)
        return record

    def delete(self, key: str) -> None:
        """Drop a label; nothing happens when there is none."""
        if is_digest(key):
            self._store.delete(key)

    def _check_field(self, spec: LabelSpec) -> None:
        if spec.type_id is None:
            if spec.field is not None:
                raise InvalidRecord(
                    f"field {spec.field!r} is one of a document type: give type_id too",
                    code="invalid_label",
                    param="type_id",
                )
            return
        kind = self._types.get(spec.type_id)
        if kind is None:
            raise InvalidRecord(
                f"the workspace holds no document type {spec.type_id!r}; make it first, or leave type_id out",
                code="invalid_label",
                param="type_id",
            )
        fields = [field.key for field in kind.fields]
        if spec.field is not None and spec.field not in fields:
            known = ", ".join(fields) or "none"
            raise InvalidRecord(
                f"document type {spec.type_id!r} has no field {spec.field!r}; its fields: {known}",
                code="invalid_label",
                param="field",
            )
