"""`/openapi.json` for programs and `/docs` for people."""

from __future__ import annotations

import secrets
from typing import Final

from fastapi import APIRouter, Request
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse, JSONResponse, Response

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_FILES: Final = "https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.17.14"
_DIGESTS: Final = {
    f"{_FILES}/swagger-ui-bundle.js": "wmyclcVGX/WhUkdkATwhaK1X1JtiNrr2EoYJ+diV3vj4v6OC5yCeSu+yW13SYJep",
    f"{_FILES}/swagger-ui.css": "wxLW6kwyHktdDGr6Pv1zgm/VGJh99lfUbzSn6HNHBENZlCN7W602k9VkGdxuFvPn",
}
"""What the browser holds the files to: people type tokens into this page."""
_BLANK_ICON: Final = "data:,"
_POLICY: Final = (
    "default-src 'none'; script-src {files}/ 'nonce-{nonce}'; style-src {files}/ 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; frame-ancestors 'none'"
)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The document that clients are made from."""
    return JSONResponse(request.app.openapi())


@router.get("/docs")
async def page() -> Response:
    """The document as a page; the browser fetches what shows it, this server does not."""
    nonce = secrets.token_urlsafe(16)
    made = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title="indx",
        swagger_js_url=f"{_FILES}/swagger-ui-bundle.js",
        swagger_css_url=f"{_FILES}/swagger-ui.css",
        swagger_favicon_url=_BLANK_ICON,
    )
    text = bytes(made.body).decode().replace("<script>", f'<script nonce="{nonce}">')
    for file, digest in _DIGESTS.items():
        text = text.replace(f'"{file}"', f'"{file}" integrity="sha384-{digest}" crossorigin="anonymous"')
    policy = _POLICY.format(files=_FILES, nonce=nonce)
    return HTMLResponse(text, headers={"Content-Security-Policy": policy})
