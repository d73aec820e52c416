"""The profile a conversion runs under: no macros, nothing fetched, and what the PDF shall hold."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["write_profile"]

_COMMON: Final = "/org.openoffice.Office.Common"
_SCRIPTS: Final = f"{_COMMON}/Security/Scripting"
_EXPORT: Final = f"{_COMMON}/Filter/PDF/Export"
_NETWORK: Final = "/org.openoffice.Inet/Settings"
_NOWHERE: Final = ("127.0.0.1", "9")
"""Where requests go that a document gets past the rules: a port at which nobody answers."""

_ITEMS: Final = (
    (_SCRIPTS, "BlockUntrustedRefererLinks", "true"),
    (_SCRIPTS, "DisableMacrosExecution", "true"),
    (_SCRIPTS, "MacroSecurityLevel", "3"),
    ("/org.openoffice.Office.Calc/Content/Update", "Link", "1"),  # never
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "0"),  # never
    (_NETWORK, "ooInetProxyType", "2"),  # as follows
    *(
        (_NETWORK, f"ooInet{scheme}Proxy{part}", value)
        for scheme in ("HTTP", "HTTPS", "FTP")
        for part, value in zip(("Name", "Port"), _NOWHERE, strict=True)
    ),
    (_NETWORK, "ooInetNoProxy", ""),
    (_EXPORT, "ExportBookmarks", "true"),
    (_EXPORT, "ExportHiddenSlides", "true"),
    (_EXPORT, "ExportNotes", "true"),
    (_EXPORT, "IsSkipEmptyPages", "false"),
    (_EXPORT, "SinglePageSheets", "true"),
)
_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
"""
_ITEM: Final = """<item oor:path="{path}">
<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>
"""


def write_profile(folder: Path) -> None:
    """Write the profile into `folder`, which need not be there."""
    items = "".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _ITEMS)
    user = folder / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(f"{_HEAD}{items}</oor:items>\n", "utf-8")
