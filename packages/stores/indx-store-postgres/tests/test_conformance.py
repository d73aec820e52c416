"""Every store in Postgres keeps the rules of its port."""

from indx_store_postgres import provider
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
    durable = True
    factory = staticmethod(provider.documents)


class TestVectors(VectorIndexKit):
    durable = True
    factory = staticmethod(provider.vectors)


class TestSources(SourceStoreKit):
    durable = True
    factory = staticmethod(provider.sources)


class TestTypes(SchemaStoreKit):
    durable = True
    factory = staticmethod(provider.types)


class TestLabels(LabelStoreKit):
    durable = True
    factory = staticmethod(provider.labels)


class TestDatasets(DatasetStoreKit):
    durable = True
    factory = staticmethod(provider.datasets)


class TestRouters(RouterStoreKit):
    durable = True
    factory = staticmethod(provider.routers)


class TestExperiments(ExperimentStoreKit):
    durable = True
    factory = staticmethod(provider.experiments)


class TestNames(HostileNamesKit):
    provider = provider
