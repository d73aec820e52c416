"""Routers: which branch reads which type of document, in versions that never change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.contracts import (
    FacetTarget,
    Label,
    Origin,
    ResolvedRouter,
    Router,
    RouterBranch,
    RouterList,
    RouterRef,
    RouterSpec,
    RouterVersionList,
)
from indx_core.errors import InvalidRecord, NotFound
from indx_workspace.checks import Clock, is_key, require_key, writable
from indx_workspace.installed import check_branch, check_recognizer
from indx_workspace.stores import Stores, together

if TYPE_CHECKING:
    from indx_core.discovery import Registry
    from indx_core.ports import RouterStore

__all__ = ["Routers", "with_branch"]


class Routers:
    """The routers of an installation."""

    def __init__(self, store: RouterStore, stores: Stores, registry: Registry, *, clock: Clock) -> None:
        """Serve the routers of an open store, with the types and labels beside it."""
        self._store, self._registry, self._clock = store, registry, clock
        self._types, self._labels = stores.types, stores.labels

    def list(self) -> RouterList:
        """The latest version of each router, by key."""
        return RouterList(routers=tuple(self._store.list()), writable=writable())

    def versions(self, key: str) -> RouterVersionList:
        """The versions of a router, oldest first.

        Raises:
            NotFound: `router_not_found`.
        """
        found = tuple(self._store.versions(key)) if is_key(key) else ()
        if not found:
            raise _missing(key, None)
        return RouterVersionList(versions=found, writable=writable())

    def get(self, key: str, version: int | None = None) -> Router:
        """A version of a router, by default its latest.

        Raises:
            NotFound: `router_not_found`.
        """
        found = self.find(key, version)
        if found is None:
            raise _missing(key, version)
        return found

    def find(self, key: str, version: int | None = None) -> Router | None:
        """A version of a router, by default its latest; None when there is none."""
        storable = version is None or 0 < version < 2**31
        return self._store.get(key, version) if is_key(key) and storable else None

    def history(self, key: str) -> tuple[Router, ...]:
        """The versions of a router, oldest first; none where there is no such router."""
        return tuple(self._store.versions(key))

    def publish(self, key: str, spec: RouterSpec) -> Router:
        """Publish a specification as the next version. Publishing an old one again restores it.

        Raises:
            InvalidRequest: `validation_error`: the key is none.
            InvalidRecord: `invalid_router`: it names a type the workspace does not hold, or what is not
                installed.
        """
        require_key(key)
        self._check_installed(spec)
        with together(self._types, self._store):
            self._check_types(spec)
            latest = self._store.get(key)
            return self._put(key, spec, 1 if latest is None else latest.version + 1, None)

    def promote(self, measured: Router, branch: RouterBranch, origin: Origin) -> Router | None:
        """Publish the version after the one that was measured, with one branch replaced.

        Returns:
            The new version; None when the router has moved past the one that was measured.

        Raises:
            InvalidRecord: `invalid_router`: it names what the workspace or the installation lost meanwhile.
        """
        spec = with_branch(measured, branch)
        self._check_installed(spec)
        with together(self._types, self._store):
            if self._store.get(measured.id) != measured:
                return None
            self._check_types(spec)
            return self._put(measured.id, spec, measured.version + 1, origin)

    def delete(self, key: str) -> None:
        """Drop every version of a router; nothing happens when there is none."""
        if is_key(key):
            self._store.delete(key)

    def resolve(self, reference: RouterRef) -> ResolvedRouter:
        """A router as the engine takes it: with the parser of each type, and what people said of documents.

        Raises:
            NotFound: `router_not_found`.
            InvalidRecord: `invalid_router`: it names a type that was deleted meanwhile.
        """
        return self.resolved(self.get(reference.id, reference.version))

    def resolved(self, router: Router) -> ResolvedRouter:
        """As `resolve`, of a version in hand.

        Raises:
            InvalidRecord: `invalid_router`: it names a type that was deleted meanwhile.
        """
        parsers: dict[str, str] = {}
        for branch in router.branches:
            assert branch.type_id is not None, "a branch of a router names its type"
            kind = None if self._types is None else self._types.get(branch.type_id)
            if kind is None:
                raise InvalidRecord(
                    f"router {router.id!r} has a branch for the document type {branch.type_id!r}, which the "
                    "workspace no longer holds; publish a version without it",
                    code="invalid_router",
                    param="router",
                )
            if kind.signature is not None:
                parsers[branch.type_id] = kind.signature
        return ResolvedRouter(
            id=router.id,
            version=router.version,
            branches=router.branches,
            default=router.default,
            recognizer=router.recognizer,
            parsers=parsers,
            approved=self._approved(router),
        )

    def _put(self, key: str, spec: RouterSpec, version: int, origin: Origin | None) -> Router:
        members = {name: getattr(spec, name) for name in RouterSpec.model_fields}
        router = Router(**members, id=key, version=version, origin=origin, created_at=self._clock())
        self._store.put(key, router)
        return router

    def _check_installed(self, spec: RouterSpec) -> None:
        """Refuse what is not installed; before a transaction, because looking may load providers."""
        for place, branch in enumerate(spec.branches):
            check_branch(branch, self._registry, code="invalid_router", param=f"branches.{place}")
        check_branch(spec.default, self._registry, code="invalid_router", param="default")
        check_recognizer(spec.recognizer, self._registry)

    def _check_types(self, spec: RouterSpec) -> None:
        for place, branch in enumerate(spec.branches):
            if self._types is None or branch.type_id is None or self._types.get(branch.type_id) is None:
                raise InvalidRecord(
                    f"the workspace holds no document type {branch.type_id!r}; make it first",
                    code="invalid_router",
                    param=f"branches.{place}.type_id",
                )

    def _approved(self, router: Router) -> dict[str, str]:
        """The type that people gave a document on the recognizer's facet, by digest.

        A verdict on the document counts before verdicts on its pages, which count when they agree; of
        several on the document the latest does.
        """
        if self._labels is None or router.recognizer is None:
            return {}
        facet = router.recognizer.facet
        types = {branch.type_id for branch in router.branches}
        documents: dict[str, str] = {}
        pages: dict[str, set[str]] = {}
        for label in sorted(self._labels.list(), key=lambda label: (label.updated_at, label.id)):
            said = _said(label, facet)
            if said is None or said not in types:
                continue
            if isinstance(label.target, FacetTarget) and label.target.unit == "document":
                documents[label.digest] = said
            else:
                pages.setdefault(label.digest, set()).add(said)
        agreed = {digest: next(iter(said)) for digest, said in pages.items() if len(said) == 1}
        return dict(sorted({**agreed, **documents}.items()))


def with_branch(router: RouterSpec, branch: RouterBranch) -> RouterSpec:
    """A router's specification with the branch of one type replaced, or added where it had none."""
    kept = tuple(branch if old.type_id == branch.type_id else old for old in router.branches)
    added = () if any(old.type_id == branch.type_id for old in router.branches) else (branch,)
    return RouterSpec(
        label=router.label,
        branches=(*kept, *added),
        default=router.default,
        recognizer=router.recognizer,
    )


def _said(label: Label, facet: str) -> str | None:
    """What a person said a document or page is on a facet: the label approved, or the one it should be."""
    target = label.target
    if not isinstance(target, FacetTarget) or target.facet != facet or target.unit == "chunk":
        return None
    if label.verdict == "approved":
        return target.label
    return label.correction.label if label.verdict == "corrected" and label.correction is not None else None


def _missing(key: str, version: int | None) -> NotFound:
    what = f"router {key[:200]!r}" + ("" if version is None else f" in version {version}")
    return NotFound(f"no {what}; list the routers to see those there are", code="router_not_found")
