"""Where LibreOffice is, and what to say where it is not."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from indx_core.errors import ConfigurationError
from indx_core.ports import Unavailability
from indx_reader_libreoffice.settings import COMMAND, SETTINGS

__all__ = ["find_command", "lack"]

_NAMES: Final = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
_FIX: Final = (
    "install LibreOffice (`apt-get install libreoffice-writer libreoffice-calc libreoffice-impress`, or from "
    f"libreoffice.org), or name its program in {COMMAND.name}"
)


def find_command() -> str | None:
    """The absolute path of the program that converts, None where there is none."""
    named = COMMAND.get()
    found = next(filter(None, map(shutil.which, (named,) if named else _NAMES)), None)
    return str(Path(found).absolute()) if found else None


def lack() -> Unavailability | None:
    """Why nothing can be converted here; None when it can."""
    if os.name != "posix":
        return Unavailability(
            f"a conversion cannot be held to its bounds on {sys.platform}", "run indx on Linux or macOS"
        )
    for setting in SETTINGS:
        try:
            setting.get()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct or unset {setting.name}")
    if find_command() is not None:
        return None
    if COMMAND.is_set():
        return Unavailability(f"{COMMAND.name} names {COMMAND.get()!r}, which is no program here", _FIX)
    return Unavailability("LibreOffice is not installed: `soffice` is not on the PATH", _FIX)
