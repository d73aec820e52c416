"""Whether a lane can run, and where its model runs; decided without importing LiteLLM."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import Device, Unavailability
from indx_core.settings import Setting
from indx_model_litellm._settings import ModelSettings

__all__ = ["device_of", "is_installed", "is_local", "unavailability"]

_LOCAL_PROVIDERS: Final = frozenset({"ollama", "ollama_chat"})
_OLLAMA_BASE: Final = "OLLAMA_API_BASE"  # where LiteLLM looks when no address is given


def is_installed() -> bool:
    """Whether LiteLLM is there."""
    return importlib.util.find_spec("litellm") is not None


def unavailability(
    settings: ModelSettings, *, install: str, also: Iterable[Setting[Any]] = ()
) -> Unavailability | None:
    """Why a lane cannot run: LiteLLM is missing, a setting is wrong, or no model is named. None when it can.

    Args:
        settings: Those of the lane's model.
        install: The line that installs LiteLLM with the lane, `pip install "indx-ner-llm[llm]"`.
        also: Further settings of the lane that must hold usable values.
    """
    if not is_installed():
        return Unavailability("LiteLLM, through which the model is asked, is not installed", install)
    for setting in (*settings, *also):
        try:
            setting.get()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct or unset {setting.name}")
    if settings.model.get() is None:
        return Unavailability(
            f"no model is configured: {settings.model.name} is unset",
            f"set {settings.model.name} to a LiteLLM model ID",
        )
    return None


def device_of(settings: ModelSettings, environ: Mapping[str, str] | None = None) -> Device:
    """Where the configured model runs: `gpu` on this machine, `external` anywhere else or nowhere yet.

    A model is on this machine when its address is a loopback one, or when LiteLLM by itself asks Ollama
    here. Whatever cannot be told to be here counts as elsewhere.
    """
    known = os.environ if environ is None else environ
    try:
        model, base = settings.model.get(environ), settings.api_base.get(environ)
    except ConfigurationError:
        return "external"
    if model is None:
        return "external"
    if base is None:
        if model.partition("/")[0] not in _LOCAL_PROVIDERS:
            return "external"
        base = known.get(_OLLAMA_BASE, "").strip() or "http://localhost:11434"
    return "gpu" if is_local(base) else "external"


def is_local(address: str) -> bool:
    """Whether an address is one of this machine, by its name alone; nothing is looked up."""
    try:
        host = (urlsplit(address).hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
