"""Configuration of a build: `indx.toml`, its defaults, and who overrides whom.

Code beats a flag, a flag beats the file, the file beats the environment, the environment beats a default.
A file with a key that does not exist, or with a value of another kind, is refused, naming the nearest key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

from indx_core.contracts import RelationType
from indx_core.errors import ConfigurationError
from indx_runtime.settings import CHUNKERS

__all__ = [
    "FILE_NAME",
    "ChunkConfig",
    "Config",
    "EmbedConfig",
    "EnrichConfig",
    "Layer",
    "OutputConfig",
    "ParseConfig",
    "RelateConfig",
    "WalkConfig",
    "read_file",
    "resolve",
]

FILE_NAME: Final = "indx.toml"
_LARGEST: Final = 1_048_576

Names: TypeAlias = tuple[str, ...]
Layer: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Some keys of some sections: `{"walk": {"hidden": True}}`."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class WalkConfig:
    """Which files are documents.

    Attributes:
        include: Patterns as in `.gitignore`; where any is given, only files that match one are taken.
        exclude: Patterns of files and folders to leave out.
        hidden: Whether names that begin with a dot are taken.
        gitignore: Whether `.gitignore` files are obeyed; `.indxignore` files always are.
        follow_symlinks: Whether links are followed, as far as they stay inside the input.
    """

    include: Names = ()
    exclude: Names = ()
    hidden: bool = False
    gitignore: bool = True
    follow_symlinks: bool = False


@dataclass(frozen=True, slots=True)
class ParseConfig:
    """How files are read: the only readers allowed (empty: all), and whether parsers are asked."""

    readers: Names = ()
    signature_detection: bool = False


@dataclass(frozen=True, slots=True)
class ChunkConfig:
    """Chunkers to ask first, as `pdf@2`."""

    chunkers: Names = ()


@dataclass(frozen=True, slots=True)
class RelateConfig:
    """Which relations are looked for, and from which estimated likeness on texts are near duplicates."""

    types: Names = tuple(kind.value for kind in RelationType)
    near_duplicate: float = 0.9


@dataclass(frozen=True, slots=True)
class EnrichConfig:
    """Lanes by ID, asked in order; `auto` stands for those of a standard install that are there."""

    classifiers: Names = ("auto",)
    extractors: Names = ()
    enrichers: Names = ("auto",)


@dataclass(frozen=True, slots=True)
class EmbedConfig:
    """The embedding space: an ID, `auto` for the best one that is there, or `none`."""

    space: str = "auto"


@dataclass(frozen=True, slots=True)
class OutputConfig:
    """The archive's base name, and writers to run beside it."""

    name: str = "handbook"
    writers: Names = ()


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration of a build."""

    walk: WalkConfig = field(default_factory=WalkConfig)
    parse: ParseConfig = field(default_factory=ParseConfig)
    chunk: ChunkConfig = field(default_factory=ChunkConfig)
    relate: RelateConfig = field(default_factory=RelateConfig)
    enrich: EnrichConfig = field(default_factory=EnrichConfig)
    embed: EmbedConfig = field(default_factory=EmbedConfig)
    output: OutputConfig = field(default_factory=OutputConfig)

    def with_layer(self, layer: Layer, *, origin: str = "the configuration") -> Self:
        """The configuration with the keys of `layer` in place of its own.

        Raises:
            ConfigurationError: `invalid_config_file`: an unknown section or key, or a value of another kind.
        """
        changed = {}
        for name, values in layer.items():
            _known(name, [f.name for f in fields(self)], origin, "section")
            if not isinstance(values, Mapping):
                raise _refusal(f"{origin}: {name!r} is a section: write [{name}] and its keys below")
            changed[name] = _section(getattr(self, name), name, values, origin)
        return replace(self, **changed)

    def content(self) -> dict[str, Any]:
        """What changes the content of a space: everything but `output`, as JSON data."""
        return {
            section: {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
            for section, values in asdict(self).items()
            if section != "output"
        }


def resolve(
    *,
    code: Layer | None = None,
    flags: Layer | None = None,
    file: Path | None = None,
    folder: Path | None = None,
) -> Config:
    """The configuration that holds: code over flags over the file over the environment over defaults.

    Args:
        code: What the program says.
        flags: What the command line says.
        file: A configuration file that must exist.
        folder: Where to look for `indx.toml` when no file is given.

    Raises:
        ConfigurationError: `invalid_config_file`, or `invalid_setting` of the environment.
    """
    config = Config()
    if CHUNKERS.is_set():
        config = config.with_layer({"chunk": {"chunkers": list(CHUNKERS.get())}}, origin=CHUNKERS.name)
    if file is None and folder is not None and (folder / FILE_NAME).is_file():
        file = folder / FILE_NAME
    if file is not None:
        config = config.with_layer(read_file(file), origin=file.name)
    for layer in (flags, code):
        if layer:
            config = config.with_layer(layer)
    return config


def read_file(path: Path) -> Layer:
    """The sections of a configuration file as written.

    Raises:
        ConfigurationError: `invalid_config_file`: it cannot be read, or is not TOML.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise _refusal(f"{path.name}: more than {_LARGEST} bytes; a configuration is a short text")
        return tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _refusal(f"{str(path)!r} cannot be read: {reason}; {_remedy(error)}") from None
    except UnicodeDecodeError:
        raise _refusal(f"{path.name}: is not UTF-8; save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _refusal(f"{path.name}: is not TOML: {error}") from None


def _remedy(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "name a configuration file in it"
    return "let it be read" if isinstance(error, PermissionError) else "check its path"


def _section(present: S, name: str, values: Mapping[str, Any], origin: str) -> S:
    known = [f.name for f in fields(present)]  # type: ignore[arg-type]
    checked = {}
    for key, value in values.items():
        _known(key, known, origin, "key", f"[{name}] ")
        try:
            check = _CHECKS.get(f"{name}.{key}") or _KINDS[type(getattr(present, key))]
            checked[key] = check(value)
        except ValueError as error:
            raise _refusal(f"{origin}: [{name}] {key} is {value!r}; it takes {error}") from None
    return replace(present, **checked)  # type: ignore[type-var]


def _known(name: str, known: list[str], origin: str, what: str, where: str = "") -> None:
    if name not in known:
        nearest = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are {', '.join(known)}"
        raise _refusal(f"{origin}: no {what} {where}{name!r}; {hint}")


def _refusal(message: str) -> ConfigurationError:
    return ConfigurationError(message, code="invalid_config_file")


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _names(value: Any) -> Names:
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) and v.strip() for v in value):
        raise ValueError("a list of texts")
    return tuple(dict.fromkeys(v.strip() for v in value))


def _patterns(value: Any) -> Names:
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) and v.strip() for v in value):
        raise ValueError("a list of patterns")
    return tuple(value)


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text")
    return value.strip()


def _file_name(value: Any) -> str:
    name = _word(value)
    if (
        name in (".", "..")
        or len(name.encode()) > 200
        or any(c in name for c in '/\\:*?"<>|')
        or not name.isprintable()
    ):
        raise ValueError('a file name without a folder and without any of : * ? " < > |')
    return name


def _relations(value: Any) -> Names:
    known = [kind.value for kind in RelationType]
    names = _names(value)
    if any(name not in known for name in names):
        raise ValueError(f"a list of {', '.join(known)}")
    return tuple(name for name in known if name in names)


def _likeness(value: Any) -> float:
    if value is False:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ValueError("a number above 0 and at most 1, or false for exact duplicates only")
    return float(value)


_KINDS: Final[Mapping[type, Callable[[Any], Any]]] = {bool: _boolean, tuple: _names, str: _word}
_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "walk.include": _patterns,
    "walk.exclude": _patterns,
    "relate.types": _relations,
    "relate.near_duplicate": _likeness,
    "output.name": _file_name,
}
