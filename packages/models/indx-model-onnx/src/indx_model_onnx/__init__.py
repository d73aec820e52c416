"""What lanes that run an ONNX graph share: files from the hub's cache, a tokenizer, a session, its labels."""

from indx_model_onnx._engine import lacking_engine
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx._models import load
from indx_model_onnx._running import OnnxModel, softmax
from indx_model_onnx._source import ModelSource, model_source

__all__ = ["ModelFailure", "ModelSource", "OnnxModel", "lacking_engine", "load", "model_source", "softmax"]
