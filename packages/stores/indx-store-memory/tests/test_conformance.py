"""Every store in memory keeps the rules of its port."""

from indx_store_memory import provider
from indx_testkit import (
    DatasetStoreKit,
    DocumentStoreKit,
    ExperimentStoreKit,
    HostileNamesKit,
    LabelStoreKit,
    RouterStoreKit,
    SchemaStoreKit,
    SourceStoreKit,
    VectorIndexKit,
)


class TestDocuments(DocumentStoreKit):
    factory = staticmethod(provider.documents)


class TestVectors(VectorIndexKit):
    factory = staticmethod(provider.vectors)


class TestSources(SourceStoreKit):
    factory = staticmethod(provider.sources)


class TestTypes(SchemaStoreKit):
    factory = staticmethod(provider.types)


class TestLabels(LabelStoreKit):
    factory = staticmethod(provider.labels)


class TestDatasets(DatasetStoreKit):
    factory = staticmethod(provider.datasets)


class TestRouters(RouterStoreKit):
    factory = staticmethod(provider.routers)


class TestExperiments(ExperimentStoreKit):
    factory = staticmethod(provider.experiments)


class TestNames(HostileNamesKit):
    provider = provider
