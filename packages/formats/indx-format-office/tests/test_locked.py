"""Packages that a password locks: opened with a known one, refused in bounds without."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from msoffcrypto.method.container.ecma376_encrypted import ECMA376Encrypted
from msoffcrypto.method.ecma376_agile import ECMA376Agile

from indx_core.errors import IndxError, SourceError
from indx_core.ports import SourceContent
from indx_format_office import Package, _locked

Build = Callable[..., bytes]
Lock = Callable[[str], bytes]


@pytest.fixture
def lock(build: Build) -> Lock:
    """A document locked by a password, whose hash is taken a few times only so that tests are quick."""
    data = build({"word/document.xml": "<r/>", "word/pad.bin": bytes(5000)}, method=zipfile.ZIP_STORED)
    return lambda password: ECMA376Agile.encrypt(password, io.BytesIO(data), spin_count=20)


@pytest.fixture
def passwords(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda *known: monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(known))


def main_of(data: bytes) -> str:
    package = Package(SourceContent.of_bytes(data), "word")
    try:
        return str(package.parse(package.main).tag)
    finally:
        package.close()


def refusal(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        main_of(data)
    return caught.value


def test_one_of_the_known_passwords_opens_it(lock: Lock, passwords: Callable[..., None]) -> None:
    passwords("", "wrong", "pässwört 設備")
    assert main_of(lock("pässwört 設備")) == "r"


def test_without_the_password_the_refusal_names_the_setting(
    lock: Lock, passwords: Callable[..., None]
) -> None:
    passwords("wrong")
    refused = refusal(lock("right"))
    assert refused.code == "source_encrypted"
    assert "INDX_SOURCE_PASSWORDS" in refused.message
    assert "wrong" not in refused.message


def test_a_file_that_is_only_protected_opens_unasked(lock: Lock) -> None:
    assert main_of(lock("VelvetSweatshop")) == "r"


@pytest.mark.parametrize(
    "info",
    [
        b"\x03\0\x03\0 extensible",
        b"",
        b'\x04\0\x04\0\x40\0\0\0<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ],
)
def test_a_scheme_that_is_not_opened_is_refused_as_encrypted(info: bytes) -> None:
    file = io.BytesIO()
    ECMA376Encrypted(b"x" * 5000, info).write_to(file)
    assert refusal(file.getvalue()).code == "source_encrypted"


@pytest.mark.parametrize("bound", ["_MOST_ROUNDS", "_LONGEST_INFO"])
def test_what_it_takes_to_try_a_password_is_bounded(
    lock: Lock, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(_locked, bound, 19)
    assert refusal(lock("VelvetSweatshop")).code == "source_encrypted"


def test_a_file_cut_short_says_so(lock: Lock) -> None:
    data = lock("VelvetSweatshop")
    assert refusal(data[: len(data) // 2]).code == "source_unreadable"


def test_damage_anywhere_gives_typed_errors(lock: Lock) -> None:
    data, chance = lock("VelvetSweatshop"), random.Random(0)
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 8))):
            damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        with suppress(IndxError):
            main_of(bytes(damaged[: chance.choice((len(data), chance.randrange(len(data))))]))
