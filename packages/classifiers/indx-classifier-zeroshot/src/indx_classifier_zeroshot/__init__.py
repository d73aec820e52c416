"""Labels by natural language inference, with a small ONNX model."""

from indx_classifier_zeroshot.provider import ZeroShotClassifier, chunks, documents, pages

__all__ = ["ZeroShotClassifier", "chunks", "documents", "pages"]
