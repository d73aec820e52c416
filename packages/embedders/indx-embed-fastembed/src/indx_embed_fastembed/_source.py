"""A model's files by names of their own, for the library that finds and verifies them."""

from __future__ import annotations

from dataclasses import dataclass

from indx_model_onnx import ModelSource

__all__ = ["HubFiles"]


@dataclass(frozen=True, slots=True)
class HubFiles(ModelSource):
    """A model of a repository, made of `names`; some of them have to have a SHA-256."""

    names: tuple[str, ...] = ()
    digests: tuple[tuple[str, str], ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the model is made of."""
        return self.names

    def digest(self, name: str) -> str | None:
        """The SHA-256 that a file has to have, where it is known."""
        return dict(self.digests).get(name)
