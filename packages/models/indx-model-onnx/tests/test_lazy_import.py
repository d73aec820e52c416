"""Importing the library costs nothing: the engine is loaded with the first model."""

from indx_testkit.lazy import assert_light_import


def test_the_library_imports_nothing_heavy():
    assert_light_import("indx_model_onnx")
