"""Named entities by a token classification model on ONNX."""

from indx_ner_onnx.provider import OnnxExtractor, chunks, pages

__all__ = ["OnnxExtractor", "chunks", "pages"]
