"""A distribution whose extra is not installed says so and stays out of the way."""

from __future__ import annotations

import json


def test_without_its_engine_the_language_detector_is_not_advertised(wheels, environment, tmp_path):
    names = ("indx", "indx-reader-text", "indx-language-lingua")
    environment.install(*(wheels[name].pin for name in names))
    environment.check()
    assert "lingua-language-detector" not in environment.names()
    assert json.loads(environment.run("indx", "capabilities").stdout)["language_detectors"] == []
    (tmp_path / "note.txt").write_text("A note in English.\n", "utf-8")
    result = json.loads(environment.run("indx", "encode", tmp_path / "note.txt").stdout)
    assert all("languages" not in block.get("metadata", {}) for block in result["blocks"])
    assert not [part for part in result["trace"]["components"] if part["role"] == "language_detector"]
    doctor = environment.run("indx", "doctor", code=None)
    assert 'pip install "indx-language-lingua[lang]"' in doctor.stdout + doctor.stderr
    assert "Traceback" not in doctor.stdout + doctor.stderr
