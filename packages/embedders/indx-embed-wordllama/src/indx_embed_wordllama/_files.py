"""The two files of the wordllama wheel that make the space, found without importing the package.

The space is these bytes: a release of wordllama with other weights would make other vectors under the same
name, so sizes are checked when availability is asked and digests when the files are loaded.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from indx_core.ports.declarations import Unavailability

__all__ = ["TOKENIZER", "WEIGHTS", "Files", "PinnedFile", "locate"]

INSTALL: Final = 'install "wordllama>=0.4,<0.5" on Python 3.11 to 3.13'
REINSTALL: Final = 'reinstall it: pip install --force-reinstall "wordllama==0.4.0.post1"'


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file of the wheel, known byte for byte."""

    path: str
    size: int
    sha256: str


WEIGHTS: Final = PinnedFile(
    "weights/l2_supercat_256.safetensors",
    16384096,
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
)
TOKENIZER: Final = PinnedFile(
    "tokenizers/l2_supercat_tokenizer_config.json",
    1842796,
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
)


@dataclass(frozen=True, slots=True)
class Files:
    """Where the files are."""

    weights: Path
    tokenizer: Path


def locate(package: str) -> Files | Unavailability:
    """Find both files in the installed `package`, or say why they are not there."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return Unavailability(f"{package} is not installed for Python {version}", INSTALL)
    folder = Path(next(iter(spec.submodule_search_locations)))
    for pinned in (WEIGHTS, TOKENIZER):
        path = folder / pinned.path
        try:
            size = path.stat().st_size
        except OSError:
            return Unavailability(f"the installed {package} lacks its file {pinned.path!r}", REINSTALL)
        if size != pinned.size:
            reason = f"{pinned.path!r} of the installed {package} has {size} bytes, not {pinned.size}"
            return Unavailability(reason, REINSTALL)
    return Files(folder / WEIGHTS.path, folder / TOKENIZER.path)
