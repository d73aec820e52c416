"""Which model: a repository of the hub at a revision, or a folder of this machine; told from settings."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from indx_core.errors import ConfigurationError
from indx_core.settings import Setting
from indx_model_onnx._digests import is_there

__all__ = ["CONFIG", "TOKENIZER", "ModelSource", "model_source"]

CONFIG: Final = "config.json"
TOKENIZER: Final = "tokenizer.json"

_REPOSITORY: Final = re.compile(r"(?:[A-Za-z0-9][\w.-]{0,95}/)?[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_REVISION: Final = re.compile(r"[A-Za-z0-9][\w./-]{0,199}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model by name.

    Attributes:
        name: The name as it was given.
        repository: `owner/name` on the hub; empty for a folder.
        revision: The branch, tag or commit.
        folder: The folder of this machine, if it is one.
        graph: The graph's file in it, with `/` between parts.
        setting: The setting that names it, and takes a folder too; empty where none does.
    """

    name: str
    repository: str
    revision: str
    folder: Path | None
    graph: str
    setting: str = field(default="", kw_only=True, compare=False)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that a model is made of."""
        return (CONFIG, TOKENIZER, self.graph)

    def digest(self, name: str) -> str | None:  # noqa: ARG002  a model of a setting may be any
        """The SHA-256 that a file has to have when it is fetched, where it is known beforehand."""
        return None

    @property
    def remedy(self) -> str:
        """What brings a repository's files to this machine by hand."""
        revision = "" if self.revision == "main" else f" --revision {self.revision}"
        folder = (
            f", or set {self.setting} to a folder that holds {', '.join(self.files)}" if self.setting else ""
        )
        return (
            f"run 'hf download {self.repository}{revision}' once with a network (a cache filled elsewhere "
            f"is named by HF_HUB_CACHE){folder}"
        )

    def missing(self) -> tuple[str, ...]:
        """The files that a folder lacks; none for a repository, which is first looked at when it is used."""
        if self.folder is None:
            return ()
        return tuple(name for name in self.files if not is_there(self.folder / name))


def model_source(model: Setting[str], graph: Setting[str]) -> ModelSource:
    """The model that two settings name: `owner/name`, `owner/name@revision`, or a folder.

    A folder is written absolute, or begins with `.` or `~`, so that a repository is never mistaken for one.

    Raises:
        ConfigurationError: `invalid_setting`; neither, or a graph outside the model.
    """
    name, file = model.get(), graph.get()
    parts = PurePosixPath(file).parts
    if "\\" in file or "\0" in file or not parts or parts[0] == "/" or ".." in parts:
        raise ConfigurationError(
            f"{graph.name}: {file!r} is not a file within the model, such as 'onnx/model.onnx'",
            code="invalid_setting",
        )
    if name.startswith((".", "~")) or Path(name).is_absolute():
        return ModelSource(name, "", "", Path(os.path.expanduser(name)), file)  # noqa: PTH111  as the hub's
    repository, _, revision = name.partition("@")
    if _REPOSITORY.fullmatch(repository) is None or ("@" in name and not _is_revision(revision)):
        raise ConfigurationError(
            f"{model.name}: {name!r} is neither a repository of the hub, such as 'owner/name' or "
            "'owner/name@revision', nor a folder, written absolute or with a leading './'",
            code="invalid_setting",
        )
    return ModelSource(name, repository, revision or "main", None, file, setting=model.name)


def _is_revision(text: str) -> bool:
    return _REVISION.fullmatch(text) is not None and ".." not in text
