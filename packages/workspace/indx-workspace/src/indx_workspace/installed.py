"""Whether what a branch or a recognizer names is installed here, by the checks that a request has to pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from indx_core.contracts import Chunking, EncodeRequestPart, Recognizer, RouterBranch
from indx_core.discovery import State
from indx_core.errors import IndxError, InvalidRecord
from indx_runtime.chunking import requested_chunkers
from indx_runtime.lanes import choose_lanes
from indx_runtime.vectors import check_spaces

if TYPE_CHECKING:
    from indx_core.discovery import Registry

__all__ = ["Refusal", "check_branch", "check_recognizer"]

Refusal: TypeAlias = Literal["invalid_router", "invalid_experiment"]
"""The code under which something that is not installed is refused."""


def check_branch(branch: RouterBranch, registry: Registry, *, code: Refusal, param: str) -> None:
    """Refuse a branch that names a reader, lane, chunker or space which cannot be used here.

    Raises:
        InvalidRecord: With `code`, and what is installed instead.
    """
    if branch.reader is not None:
        _check_reader(branch.reader, registry, code=code, param=f"{param}.reader")
    asked = EncodeRequestPart(
        granularities=("DOCUMENT", "PAGE", "CHUNK"),
        embedding_space_ids=branch.embedding_space_ids or (),
        classification=branch.classification,
        extraction=branch.extraction,
        enrichment=branch.enrichment,
        chunking=Chunking(chunkers=branch.chunkers or ()),
    )
    try:
        choose_lanes(asked, registry)
        requested_chunkers(branch.chunkers or (), registry)
        check_spaces(asked, registry)
    except IndxError as refused:
        place = (refused.param or "").removeprefix("chunking.")
        raise InvalidRecord(refused.message, code=code, param=f"{param}.{place}") from None


def _check_reader(name: str, registry: Registry, *, code: Refusal, param: str) -> None:
    provider = registry.find("indx.capabilities", name)
    if provider is None:
        known = (
            ", ".join(sorted(p.item.declaration.id for p in registry.usable("indx.capabilities"))) or "none"
        )
        raise InvalidRecord(
            f"no reader {name[:200]!r} is installed; installed: {known}", code=code, param=param
        )
    if provider.state is not State.AVAILABLE:
        raise InvalidRecord(
            f"{name} cannot read here: {provider.reason}; {provider.fix}", code=code, param=param
        )


def check_recognizer(recognizer: Recognizer | None, registry: Registry) -> None:
    """Refuse a recognizer that is no installed classifier of documents or pages.

    Raises:
        InvalidRecord: `invalid_router`.
    """
    if recognizer is None:
        return
    fitting = {
        p.item.declaration.id
        for p in registry.usable("indx.classifiers")
        if p.item.declaration.unit in ("document", "page")
    }
    if recognizer.classifier_id not in fitting:
        known = ", ".join(sorted(fitting)) or "none"
        raise InvalidRecord(
            f"no classifier {recognizer.classifier_id[:200]!r} of documents or pages is installed; "
            f"installed: {known}",
            code="invalid_router",
            param="recognizer.classifier_id",
        )
