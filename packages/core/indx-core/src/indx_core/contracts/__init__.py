"""The wire models of indx, one module per noun.

Names are resolved when first touched, so that using one noun does not build the models of the others, and
importing this package alone does not import pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

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
    from indx_core.contracts.annotations import (
        Annotations,
        CharacterRange,
        Classification,
        Enrichment,
        Entities,
        EntityCount,
        EntitySpan,
        LabelScore,
        LaneAnswer,
        LanguageScore,
        Member,
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
    from indx_core.contracts.datasets import (
        Dataset,
        DatasetDocument,
        DatasetList,
        DatasetRecord,
        DatasetSpec,
    )
    from indx_core.contracts.documents import (
        DocumentList,
        DocumentSummary,
        SearchHitKept,
        SearchRequest,
        SearchResult,
        StoredDocument,
    )
    from indx_core.contracts.embed import (
        EmbedInput,
        EmbedRequest,
        EmbedRequestPart,
        EmbedResult,
        InlineInput,
        TextInput,
        UriInput,
    )
    from indx_core.contracts.encode import (
        EncodeResult,
    )
    from indx_core.contracts.errors import (
        ErrorEnvelope,
    )
    from indx_core.contracts.experiments import (
        PRODUCTION,
        Candidate,
        CandidateReport,
        CellError,
        Experiment,
        ExperimentCell,
        ExperimentList,
        ExperimentReport,
        ExperimentResult,
        ExperimentSpec,
        ExperimentState,
        ExperimentSummary,
        Promotion,
        PromotionRequest,
        ScoreRow,
    )
    from indx_core.contracts.health import (
        Health,
        Readiness,
    )
    from indx_core.contracts.invoice import (
        Invoice,
        Money,
    )
    from indx_core.contracts.labels import (
        Correction,
        EntityTarget,
        FacetTarget,
        Label,
        LabelList,
        LabelSpec,
        LabelTarget,
        Verdict,
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
        RegionRoute,
        Route,
        SignatureMatch,
        TypedPage,
    )
    from indx_core.contracts.process_chart import (
        ChartEdge,
        ChartNode,
        Point,
        ProcessChart,
    )
    from indx_core.contracts.requests import (
        RESERVED_LABELS,
        RESERVED_METADATA_KEY,
        Constraints,
        EncodeRequest,
        EncodeRequestPart,
        Granularities,
        Labels,
        PlanRequest,
        PlanRequestPart,
        RouterRef,
    )
    from indx_core.contracts.routers import (
        Origin,
        Router,
        RouterBranch,
        RouterList,
        RouterSpec,
        RouterVersionList,
    )
    from indx_core.contracts.routing import (
        ResolvedRouter,
    )
    from indx_core.contracts.schema import (
        index_schema,
        wire_schemas,
    )
    from indx_core.contracts.selection import (
        ChunkerRef,
        Chunking,
        ExtractionSelection,
        LaneSelection,
        Recognizer,
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
        MAX_FAILED_BLOCKS,
        Actuals,
        FailureRole,
        PageBranch,
        Trace,
        TraceEvent,
        TraceFailure,
        Usage,
    )
    from indx_core.contracts.types import (
        DocumentType,
        DocumentTypeSpec,
        TypeField,
        TypeList,
    )

# fmt: off
__all__ = [
    "MAX_FAILED_BLOCKS", "PRODUCTION", "RESERVED_LABELS", "RESERVED_METADATA_KEY", "SCOPES",
    "SPACE_VERSION", "Actuals", "Annotations", "BBox", "BBoxReason", "Base64Bytes", "Block",
    "BlockStatus", "Branch", "Candidate", "CandidateReport", "CapabilityInfo", "CapabilityKind", "Cell",
    "CellError", "CharacterRange", "ChartEdge", "ChartNode", "Chunk", "ChunkerInfo", "ChunkerRef",
    "Chunking", "Classification", "Component", "ComponentRole", "Constraints", "ContentAddressed",
    "Correction", "Dataset", "DatasetDocument", "DatasetList", "DatasetRecord", "DatasetSpec", "Device",
    "Digest", "Document", "DocumentList", "DocumentSummary", "DocumentType", "DocumentTypeSpec",
    "EmbedInput", "EmbedRequest", "EmbedRequestPart", "EmbedResult", "EmbedderInfo", "EmbedderRole",
    "EmbeddingSpaceInfo", "EncodeRequest", "EncodeRequestPart", "EncodeResult", "Enrichment", "Entities",
    "EntityCount", "EntitySpan", "EntityTarget", "ErrorEnvelope", "Estimates", "Experiment",
    "ExperimentCell", "ExperimentList", "ExperimentReport", "ExperimentResult", "ExperimentSpec",
    "ExperimentState", "ExperimentSummary", "ExtractionSelection", "FacetTarget", "FailureRole",
    "Granularities", "Health", "ImageRef", "InlineInput", "InlineSource", "Invoice", "JsonObject", "Key",
    "Label", "LabelList", "LabelScore", "LabelSpec", "LabelTarget", "Labels", "LaneAnswer", "LaneInfo",
    "LaneSelection", "LanguageScore", "Layout", "Limits", "Member", "Metric", "Modality", "Money",
    "Numbered", "Origin", "PageBranch", "PageNumber", "PageRoute", "Plan", "PlanRequest",
    "PlanRequestPart", "PlanResult", "PlanRouter", "Point", "ProcessChart", "Promotion",
    "PromotionRequest", "Provenance", "Readiness", "Reason", "Recognizer", "RegionRoute", "Relation",
    "RelationType", "RequestModel", "Resolvable", "ResolvedRouter", "Route", "Router", "RouterBranch",
    "RouterList", "RouterRef", "RouterSpec", "RouterVersionList", "Scope", "ScoreRow", "SearchHit",
    "SearchHitKept", "SearchRequest", "SearchResult", "Sha256", "SignatureMatch", "Snapshot", "Source",
    "SourceInput", "Space", "SpaceModel", "SpaceStats", "StageErrorRecord", "StoredDocument", "TextInput",
    "Timestamp", "Trace", "TraceEvent", "TraceFailure", "TypeField", "TypeList", "TypedPage", "Unit",
    "UriInput", "UriSource", "Usage", "Vector", "VectorTable", "Verdict", "WireModel", "chunk_id",
    "document_id", "index_schema", "wire_schemas",
]
# fmt: on

_NAMES_OF: Final = {
    "_base": (
        "BBox ContentAddressed Device Digest JsonObject Key Modality PageNumber RequestModel SCOPES "
        "Scope Timestamp Unit WireModel"
    ),
    "annotations": (
        "Annotations CharacterRange Classification Enrichment Entities EntityCount EntitySpan "
        "LabelScore LaneAnswer LanguageScore Member"
    ),
    "blocks": "BBoxReason Block BlockStatus Cell ImageRef Layout Provenance Vector",
    "datasets": "Dataset DatasetDocument DatasetList DatasetRecord DatasetSpec",
    "documents": "DocumentList DocumentSummary SearchHitKept SearchRequest SearchResult StoredDocument",
    "embed": "EmbedInput EmbedRequest EmbedRequestPart EmbedResult InlineInput TextInput UriInput",
    "encode": "EncodeResult",
    "errors": "ErrorEnvelope",
    "experiments": (
        "Candidate CandidateReport CellError Experiment ExperimentCell ExperimentList "
        "ExperimentReport ExperimentResult ExperimentSpec ExperimentState ExperimentSummary "
        "PRODUCTION Promotion PromotionRequest ScoreRow"
    ),
    "health": "Health Readiness",
    "invoice": "Invoice Money",
    "labels": "Correction EntityTarget FacetTarget Label LabelList LabelSpec LabelTarget Verdict",
    "plan": (
        "Branch Component ComponentRole Estimates PageRoute Plan PlanResult PlanRouter Reason "
        "RegionRoute Route SignatureMatch TypedPage"
    ),
    "process_chart": "ChartEdge ChartNode Point ProcessChart",
    "requests": (
        "Constraints EncodeRequest EncodeRequestPart Granularities Labels PlanRequest "
        "PlanRequestPart RESERVED_LABELS RESERVED_METADATA_KEY RouterRef"
    ),
    "routers": "Origin Router RouterBranch RouterList RouterSpec RouterVersionList",
    "routing": "ResolvedRouter",
    "selection": "ChunkerRef Chunking ExtractionSelection LaneSelection Recognizer",
    "snapshot": (
        "CapabilityInfo CapabilityKind ChunkerInfo EmbedderInfo EmbedderRole EmbeddingSpaceInfo "
        "LaneInfo Limits Metric Resolvable Snapshot"
    ),
    "source": "Base64Bytes InlineSource Sha256 SourceInput UriSource",
    "space": (
        "Chunk Document Numbered Relation RelationType SPACE_VERSION SearchHit Source Space "
        "SpaceModel SpaceStats StageErrorRecord VectorTable chunk_id document_id"
    ),
    "trace": "Actuals FailureRole MAX_FAILED_BLOCKS PageBranch Trace TraceEvent TraceFailure Usage",
    "types": "DocumentType DocumentTypeSpec TypeField TypeList",
    "schema": "index_schema wire_schemas",
}
_HOME: Final = {name: f".{module}" for module, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazily(__name__, _HOME)
