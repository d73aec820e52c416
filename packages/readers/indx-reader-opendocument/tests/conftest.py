"""OpenDocument files built by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_reader_opendocument.provider import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{OASIS}{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "presentation": "presentation",
        "style": "style",
        "chart": "chart",
        "meta": "meta",
        "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
    }.items()
) + (
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:math="http://www.w3.org/1998/Math/MathML"'
)
START = "application/vnd.oasis.opendocument."


def root(name: str, inner: str, extra: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:{name} {NAMESPACES} {extra}>{inner}</office:{name}>'
    )


@pytest.fixture
def odf() -> Callable[..., bytes]:
    """A file of a kind: the inside of its body, of its automatic and of its shared styles, other parts."""

    def make(
        kind: str,
        body: str,
        *,
        styles: str = "",
        shared: str = "",
        meta: str = "",
        parts: Mapping[str, str | bytes] | None = None,
        objects: Mapping[str, str] | None = None,
        mimetype: bool = True,
    ) -> bytes:
        content = (
            f"<office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
        )
        whole: dict[str, str | bytes] = (
            {"mimetype": f"{START}{kind.replace('drawing', 'graphics')}"} if mimetype else {}
        )
        whole["content.xml"] = root("document-content", content)
        whole["styles.xml"] = root("document-styles", shared)
        if meta:
            whole["meta.xml"] = root("document-meta", f"<office:meta>{meta}</office:meta>")
        whole["META-INF/manifest.xml"] = (
            f'<manifest:manifest xmlns:manifest="{OASIS}manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{START}{kind}"/></manifest:manifest>'
        )
        for name, inner in (objects or {}).items():
            whole[f"{name}/content.xml"] = inner
        whole.update(parts or {})
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in whole.items():
                how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                archive.writestr(zipfile.ZipInfo(name), text, how)
        return file.getvalue()

    return make


@pytest.fixture
def read(odf: Callable[..., bytes]) -> Callable[..., list[PageReading]]:
    """The readings of a file made by `odf`, held to every rule of readings."""

    def make(kind: str, body: str, **more: object) -> list[PageReading]:
        media_type = f"{START}{kind.replace('drawing', 'graphics')}"
        assert media_type in MEDIA_TYPES
        source = SourceContent.of_bytes(odf(kind, body, **more), media_type=media_type)
        with closing(observer().open(source)) as session:
            pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
        for page in pages:
            assert_reading(page)
        return pages

    return make
