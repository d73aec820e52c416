"""What lanes that run an ONNX graph share: files from the hub's cache, a tokenizer, a session, its labels."""

from indx_model_onnx._engine import lacking_engine, report_nothing
from indx_model_onnx._errors import ModelFailure, too_slow
from indx_model_onnx._hub import identity, is_cached, located, offline
from indx_model_onnx._models import load
from indx_model_onnx._running import OnnxModel, softmax
from indx_model_onnx._source import ModelSource, model_source
from indx_model_onnx.settings import DOWNLOAD_SECONDS
from indx_model_onnx.settings import SETTINGS as RUNNING

__all__ = [
    "DOWNLOAD_SECONDS",
    "RUNNING",
    "ModelFailure",
    "ModelSource",
    "OnnxModel",
    "identity",
    "is_cached",
    "lacking_engine",
    "load",
    "located",
    "model_source",
    "offline",
    "report_nothing",
    "softmax",
    "too_slow",
]
