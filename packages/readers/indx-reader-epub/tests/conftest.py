"""Books built by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
    '<rootfiles><rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


@pytest.fixture
def epub() -> Callable[..., bytes]:
    """A book: its documents by name in their order, its metadata, other parts."""

    def make(
        documents: Mapping[str, str],
        *,
        metadata: str = "",
        spine: str | None = None,
        items: str = "",
        parts: Mapping[str, str | bytes] | None = None,
        mimetype: bool = True,
        before: str = "",
    ) -> bytes:
        listed = items + "".join(
            f'<item id="d{place}" href="{name}" media-type="application/xhtml+xml"/>'
            for place, name in enumerate(documents)
        )
        order = "".join(f'<itemref idref="d{place}"/>' for place in range(len(documents)))
        package = (
            f'{before}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata><manifest>{listed}</manifest>'
            f"<spine>{order if spine is None else spine}</spine></package>"
        )
        whole: dict[str, str | bytes] = {"mimetype": "application/epub+zip"} if mimetype else {}
        whole["META-INF/container.xml"] = CONTAINER.format("EPUB/package.opf")
        whole["EPUB/package.opf"] = package
        for name, inner in documents.items():
            whole[f"EPUB/{name}"] = (
                '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
                f"<head><title>t</title></head><body>{inner}</body></html>"
            )
        whole.update(parts or {})
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in whole.items():
                how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                archive.writestr(zipfile.ZipInfo(name), text, how)
        return file.getvalue()

    return make
