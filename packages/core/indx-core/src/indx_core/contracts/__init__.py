"""The wire models of indx, one module per noun.

Names are resolved when first touched, so that using one noun does not build the models of the others, and
importing this package alone does not import pydantic.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from indx_core.contracts._base import (
        SCOPES,
        BBox,
        ContentAddressed,
        Device,
        Digest,
        JsonObject,
        Key,
        Modality,
        PageNumber,
        RequestModel,
        Scope,
        Timestamp,
        Unit,
        WireModel,
    )
    from indx_core.contracts.blocks import (
        BBoxReason,
        Block,
        BlockStatus,
        Cell,
        ImageRef,
        Layout,
        Provenance,
        Vector,
    )
    from indx_core.contracts.embed import (
        EmbedInput,
        EmbedRequest,
        EmbedResult,
        InlineInput,
        TextInput,
        UriInput,
    )
    from indx_core.contracts.encode import (
        EncodeResult,
    )
    from indx_core.contracts.plan import (
        Branch,
        Component,
        ComponentRole,
        Estimates,
        PageRoute,
        Plan,
        PlanResult,
        PlanRouter,
        Reason,
        Recognizer,
        RegionRoute,
        Route,
        SignatureMatch,
        TypedPage,
    )
    from indx_core.contracts.requests import (
        RESERVED_LABELS,
        RESERVED_METADATA_KEY,
        Constraints,
        EmbedRequestPart,
        EncodeRequest,
        EncodeRequestPart,
        Granularities,
        Labels,
        PlanRequest,
        PlanRequestPart,
        RouterRef,
    )
    from indx_core.contracts.selection import (
        ChunkerRef,
        Chunking,
        ExtractionSelection,
        LaneSelection,
    )
    from indx_core.contracts.snapshot import (
        CapabilityInfo,
        CapabilityKind,
        ChunkerInfo,
        EmbedderInfo,
        EmbedderRole,
        EmbeddingSpaceInfo,
        LaneInfo,
        Limits,
        Metric,
        Resolvable,
        Snapshot,
    )
    from indx_core.contracts.source import (
        Base64Bytes,
        InlineSource,
        Sha256,
        SourceInput,
        UriSource,
    )
    from indx_core.contracts.space import (
        SPACE_VERSION,
        Chunk,
        Document,
        Numbered,
        Relation,
        RelationType,
        SearchHit,
        Source,
        Space,
        SpaceModel,
        SpaceStats,
        StageErrorRecord,
        VectorTable,
        chunk_id,
        document_id,
    )
    from indx_core.contracts.trace import (
        Actuals,
        PageBranch,
        Trace,
        TraceEvent,
        Usage,
    )

# fmt: off
__all__ = [
    "RESERVED_LABELS", "RESERVED_METADATA_KEY", "SCOPES", "SPACE_VERSION", "Actuals", "BBox", "BBoxReason",
    "Base64Bytes", "Block", "BlockStatus", "Branch", "CapabilityInfo", "CapabilityKind", "Cell", "Chunk",
    "ChunkerInfo", "ChunkerRef", "Chunking", "Component", "ComponentRole", "Constraints",
    "ContentAddressed", "Device", "Digest", "Document", "EmbedInput", "EmbedRequest", "EmbedRequestPart",
    "EmbedResult", "EmbedderInfo", "EmbedderRole", "EmbeddingSpaceInfo", "EncodeRequest",
    "EncodeRequestPart", "EncodeResult", "Estimates", "ExtractionSelection", "Granularities", "ImageRef",
    "InlineInput", "InlineSource", "JsonObject", "Key", "Labels", "LaneInfo", "LaneSelection", "Layout",
    "Limits", "Metric", "Modality", "Numbered", "PageBranch", "PageNumber", "PageRoute", "Plan",
    "PlanRequest", "PlanRequestPart", "PlanResult", "PlanRouter", "Provenance", "Reason", "Recognizer",
    "RegionRoute", "Relation", "RelationType", "RequestModel", "Resolvable", "Route", "RouterRef", "Scope",
    "SearchHit", "Sha256", "SignatureMatch", "Snapshot", "Source", "SourceInput", "Space", "SpaceModel",
    "SpaceStats", "StageErrorRecord", "TextInput", "Timestamp", "Trace", "TraceEvent", "TypedPage", "Unit",
    "UriInput", "UriSource", "Usage", "Vector", "VectorTable", "WireModel", "chunk_id", "document_id",
]
# fmt: on

_NAMES_OF: Final = {
    "_base": (
        "BBox ContentAddressed Device Digest JsonObject Key Modality PageNumber RequestModel SCOPES "
        "Scope Timestamp Unit WireModel"
    ),
    "blocks": "BBoxReason Block BlockStatus Cell ImageRef Layout Provenance Vector",
    "embed": "EmbedInput EmbedRequest EmbedResult InlineInput TextInput UriInput",
    "encode": "EncodeResult",
    "plan": (
        "Branch Component ComponentRole Estimates PageRoute Plan PlanResult PlanRouter Reason "
        "Recognizer RegionRoute Route SignatureMatch TypedPage"
    ),
    "requests": (
        "Constraints EmbedRequestPart EncodeRequest EncodeRequestPart Granularities Labels "
        "PlanRequest PlanRequestPart RESERVED_LABELS RESERVED_METADATA_KEY RouterRef"
    ),
    "selection": "ChunkerRef Chunking ExtractionSelection LaneSelection",
    "snapshot": (
        "CapabilityInfo CapabilityKind ChunkerInfo EmbedderInfo EmbedderRole EmbeddingSpaceInfo "
        "LaneInfo Limits Metric Resolvable Snapshot"
    ),
    "source": "Base64Bytes InlineSource Sha256 SourceInput UriSource",
    "space": (
        "Chunk Document Numbered Relation RelationType SPACE_VERSION SearchHit Source Space "
        "SpaceModel SpaceStats StageErrorRecord VectorTable chunk_id document_id"
    ),
    "trace": "Actuals PageBranch Trace TraceEvent Usage",
}
_HOME: Final = {name: module for module, names in _NAMES_OF.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import the module of a public name when the name is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names beside what is already here."""
    return sorted({*globals(), *__all__})
