"""Variables of the environment: those the contract names, each with its default, and which are secret."""

import importlib
import json
from importlib.resources import files
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "packages"

# What is unset changes nothing: no list, no limit, no lane, no store.
DEFAULTS = {
    # sources
    "INDX_MAX_INPUT_BYTES": 104_857_600, "INDX_URI_SCHEMES": None,
    "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS": False, "INDX_LOADER_HTTP_TIMEOUT_SECONDS": 30,
    "INDX_LOADER_FILE_ROOTS": None,
    "INDX_LOADER_S3_ACCESS_KEY_ID": None, "INDX_LOADER_S3_SECRET_ACCESS_KEY": None,
    "INDX_LOADER_S3_SESSION_TOKEN": None, "INDX_LOADER_S3_BUCKETS": None,
    "INDX_LOADER_S3_ENDPOINT_URL": None, "INDX_LOADER_S3_REGION": None, "INDX_LOADER_S3_TIMEOUT_SECONDS": 30,
    "INDX_LOADER_GS_CREDENTIALS_JSON": None, "INDX_LOADER_GS_BUCKETS": None,
    "INDX_LOADER_GS_ENDPOINT_URL": None, "INDX_LOADER_GS_TIMEOUT_SECONDS": 30,
    "INDX_LOADER_AZ_CONNECTION_STRING": None, "INDX_LOADER_AZ_ACCOUNT": None,
    "INDX_LOADER_AZ_CONTAINERS": None, "INDX_LOADER_AZ_TIMEOUT_SECONDS": 30,
    # planning and execution
    "INDX_REQUEST_TIMEOUT_SECONDS": None, "INDX_ROUTING_ECONOMICS": None,
    "INDX_VALIDATION_MIN_CONFIDENCE": None,
    # readers
    "INDX_TEXT_ENCODING": ("utf-8-sig",),
    "INDX_OCR_DPI": 200, "INDX_OCR_MAX_PIXELS": 178_956_970,
    "INDX_VLM_MODEL": None, "INDX_VLM_API_KEY": None, "INDX_VLM_API_BASE": None,
    "INDX_VLM_TIMEOUT_SECONDS": 60, "INDX_VLM_RETRIES": 1, "INDX_VLM_DPI": 200,
    "INDX_VLM_MAX_PIXELS": 178_956_970,
    # vectors
    "INDX_EMBED_MODEL": None, "INDX_EMBED_DIMENSION": None, "INDX_EMBED_API_KEY": None,
    "INDX_EMBED_API_BASE": None, "INDX_EMBED_TIMEOUT_SECONDS": 60, "INDX_EMBED_RETRIES": 1,
    # chunks
    "INDX_CHUNKERS": None, "INDX_CHUNK_DPI": 120, "INDX_CHUNK_LAYOUT_MAX_CHARS": 2000,
    "INDX_CHUNK_GRID_MAX_ROWS": 50,
    # languages
    "INDX_LANGUAGE_CANDIDATES": None, "INDX_LANGUAGE_MINIMUM_CONFIDENCE": 0.05,
    "INDX_LANGUAGE_LOW_ACCURACY": False,
    # entities
    "INDX_NER_PATTERNS_GAZETTEER": None,
    "INDX_NER_VIBRATO_DICTIONARY": None, "INDX_NER_VIBRATO_CACHE": Path("~/.cache/indx-ner-vibrato"),
    "INDX_NER_ONNX_MODEL": "Xenova/bert-base-multilingual-cased-ner-hrl",
    "INDX_NER_ONNX_MODEL_FILE": "onnx/model_quantized.onnx", "INDX_NER_ONNX_MAX_TOKENS": 512,
    "INDX_NER_ONNX_WINDOW_CHARACTERS": 400, "INDX_NER_ONNX_MINIMUM_CONFIDENCE": 0.5,
    "INDX_NER_LLM_MODEL": None, "INDX_NER_LLM_API_KEY": None, "INDX_NER_LLM_API_BASE": None,
    "INDX_NER_LLM_TIMEOUT_SECONDS": 60, "INDX_NER_LLM_RETRIES": 1, "INDX_NER_LLM_MAX_CHARACTERS": 6000,
    "INDX_NER_LLM_LABELS": ("person", "organization", "location", "date", "money", "invoice_number"),
    # enrichment
    "INDX_ENRICH_EXTRACTIVE_SENTENCES": 3, "INDX_ENRICH_EXTRACTIVE_MAX_CHARACTERS": 600,
    "INDX_ENRICH_LLM_MODEL": None, "INDX_ENRICH_LLM_API_KEY": None, "INDX_ENRICH_LLM_API_BASE": None,
    "INDX_ENRICH_LLM_TIMEOUT_SECONDS": 60, "INDX_ENRICH_LLM_RETRIES": 1,
    "INDX_ENRICH_LLM_MAX_CHARACTERS": 6000, "INDX_ENRICH_LLM_SUMMARY_SENTENCES": 2,
    "INDX_ENRICH_LLM_TAGS": 5,
    # classification
    "INDX_CLASSIFIER_WORDS_LABELS": None,
    "INDX_CLASSIFIER_ZEROSHOT_MODEL": "Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
    "INDX_CLASSIFIER_ZEROSHOT_MODEL_FILE": "onnx/model_quantized.onnx",
    "INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS": "This document is a {}.",
    "INDX_CLASSIFIER_ZEROSHOT_MINIMUM_CONFIDENCE": 0.5, "INDX_CLASSIFIER_ZEROSHOT_MAX_TOKENS": 512,
    "INDX_CLASSIFIER_LLM_MODEL": None, "INDX_CLASSIFIER_LLM_API_KEY": None,
    "INDX_CLASSIFIER_LLM_API_BASE": None, "INDX_CLASSIFIER_LLM_TIMEOUT_SECONDS": 60,
    "INDX_CLASSIFIER_LLM_RETRIES": 1, "INDX_CLASSIFIER_LLM_MAX_CHARACTERS": 6000,
    # kept documents and the workspace
    "INDX_DOCUMENT_STORE": None, "INDX_VECTOR_INDEX": None, "INDX_SOURCE_STORE": None,
    "INDX_STORE_TTL_SECONDS": 86_400, "INDX_STORE_MAX_DOCUMENTS_PER_OWNER": 20,
    "INDX_STORE_COOKIE_SECURE": True, "INDX_STORE_MEMORY_MAX_DOCUMENTS": 512,
    "INDX_STORE_MEMORY_MAX_BYTES": 268_435_456, "INDX_STORE_MEMORY_PRESSURE": 0.8,
    "INDX_STORE_SQLITE_PATH": None, "INDX_STORE_POSTGRES_URL": None,
    "INDX_STORE_POSTGRES_SCHEMA_NAME": "indx", "INDX_WORKSPACE_TOKEN": None,
    "INDX_SCHEMA_STORE": None, "INDX_LABEL_STORE": None, "INDX_DATASET_STORE": None,
    "INDX_ROUTER_STORE": None, "INDX_EXPERIMENT_STORE": None, "INDX_JOB_RUNNER": None,
}  # fmt: skip

# Their defaults are the labels of the shipped table of words.
LABELS = ("INDX_CLASSIFIER_ZEROSHOT_LABELS", "INDX_CLASSIFIER_LLM_LABELS")

SECRET = (
    "API_KEY", "API_BASE", "SECRET_ACCESS_KEY", "ACCESS_KEY_ID", "SESSION_TOKEN", "CREDENTIALS_JSON",
    "CONNECTION_STRING", "WORKSPACE_TOKEN", "POSTGRES_URL",
)  # fmt: skip


@pytest.fixture(scope="module")
def declared():
    """Every setting that a member declares in its `settings.py`."""
    modules = [path.parent.name for path in PACKAGES.glob("*/*/src/*/settings.py")]
    made = [importlib.import_module(f"{name}.settings").SETTINGS for name in sorted(modules)]
    return {setting.name: setting for settings in made for setting in settings}


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_variable_of_the_contract_has_its_default(declared, name):
    assert (declared[name].default or None) == (DEFAULTS[name] or None)


@pytest.mark.parametrize("name", LABELS)
def test_labels_to_choose_from_are_those_of_the_shipped_table(declared, name):
    shipped = json.loads((files("indx_classifier_words") / "taxonomy.json").read_bytes())
    assert list(declared[name].default) == list(shipped["document_type"])


def test_what_nobody_may_read_is_declared_secret(declared):
    for name in DEFAULTS:
        if name.endswith(SECRET):
            assert declared[name].secret, f"{name} is a credential or a private address"
