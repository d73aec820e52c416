"""A model's files by names of their own, for the library that finds and verifies them."""

from __future__ import annotations

from dataclasses import dataclass

from indx_model_onnx import ModelSource

__all__ = ["HubFiles"]


@dataclass(frozen=True, slots=True)
class HubFiles(ModelSource):
    """A model of a repository, made of `names`."""

    names: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the model is made of."""
        return self.names
