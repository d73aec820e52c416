"""What a text names is never fetched, whatever its kind."""

import json

import pytest

ADDRESS = "http://169.254.169.254/latest"


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("text/markdown", f"![x]({ADDRESS}) <img src={ADDRESS}> [l]: {ADDRESS}\n"),
        ("image/svg+xml", f'<svg xmlns:xlink="x"><image xlink:href="{ADDRESS}"/><text>t</text></svg>'),
        ("application/xml", f'<!DOCTYPE a SYSTEM "{ADDRESS}"><a>t</a>'),
        ("application/xml", f'<?xml-stylesheet href="{ADDRESS}"?><a>t</a>'),
        ("text/asciidoc", f"include::{ADDRESS}[]\n\nimage::{ADDRESS}[]\n"),
        ("text/x-rst", f".. image:: {ADDRESS}\n\n.. include:: {ADDRESS}\n"),
        ("text/x-tex", f"\\input{{{ADDRESS}}} \\includegraphics{{{ADDRESS}}}\n"),
        ("text/calendar", f"BEGIN:VCALENDAR\nATTACH:{ADDRESS}\nEND:VCALENDAR\n"),
        (
            "application/x-ipynb+json",
            json.dumps({"cells": [{"cell_type": "markdown", "source": f"![x]({ADDRESS})"}]}),
        ),
        ("application/json", json.dumps({"$ref": ADDRESS})),
    ],
)
def test_nothing_is_fetched_or_opened(read, monkeypatch, kind, source):
    def refuse(*_args, **_named):
        raise AssertionError("something was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    assert read(source, kind).text
