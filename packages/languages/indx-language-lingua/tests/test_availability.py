"""Without its engine the distribution advertises nothing; settings that cannot be used are told."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from indx_core.discovery import Candidate, Registry, State
from indx_core.errors import ConfigurationError
from indx_core.ports import Unavailability
from indx_language_lingua import LinguaDetector, detector
from indx_language_lingua.settings import CANDIDATES, LOW_ACCURACY, MINIMUM_CONFIDENCE
from indx_testkit.lazy import run_python

GROUP = "indx.language_detectors"
INSTALL = 'pip install "indx-language-lingua[lang]"'


def registry(factory: Callable[[], object]) -> Registry:
    value = "indx_language_lingua.provider:detector"
    return Registry([Candidate(GROUP, "lingua", value, "indx-language-lingua", "0.1.0", lambda: factory)])


def test_without_the_engine_nothing_is_advertised_and_the_install_line_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lingua", None)
    found = registry(detector)
    assert found.advertised(GROUP) == ()
    (provider,) = found.providers(GROUP)
    assert provider.state is State.UNAVAILABLE
    assert "lingua-language-detector" in str(provider.reason)
    assert provider.fix == INSTALL


def test_every_module_imports_without_the_engine() -> None:
    code = "import sys; sys.modules['lingua'] = None; from indx_language_lingua._detection import sample as s"
    assert run_python(f"{code}; print(s('a'))").split() == ["a"]


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        (CANDIDATES.name, "en,xx", "'xx' is none of af, ar, "),
        (CANDIDATES.name, "english", "'english' is none of"),
        (CANDIDATES.name, "en", "at least two"),
        (CANDIDATES.name, "en, EN", "at least two"),
        (MINIMUM_CONFIDENCE.name, "1.5", "at most 1"),
        (MINIMUM_CONFIDENCE.name, "nan", "a number"),
        (LOW_ACCURACY.name, "perhaps", "one of true, false"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_by_its_name(
    name: str, value: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        LinguaDetector().detect(["text"])
    assert caught.value.code == "invalid_setting"
    for part in (name, value, fault):
        assert part in caught.value.message
    state = LinguaDetector().availability()
    assert isinstance(state, Unavailability)
    assert state.reason == caught.value.message
    assert name in state.fix
    (provider,) = registry(LinguaDetector).advertised(GROUP)
    assert provider.state is State.UNAVAILABLE
