"""The installed engine is found, and its languages are the ones that may be asked for."""

from __future__ import annotations

from lingua import Language

from indx_core.discovery import Registry
from indx_language_lingua.settings import KNOWN


def test_with_the_engine_the_installed_distribution_is_advertised() -> None:
    (provider,) = Registry().usable("indx.language_detectors")
    assert provider.identities == ("lingua",)


def test_the_codes_are_those_of_the_engine() -> None:
    assert sorted(language.iso_code_639_1.name.lower() for language in Language.all()) == list(KNOWN)
    assert len(KNOWN) == 75
