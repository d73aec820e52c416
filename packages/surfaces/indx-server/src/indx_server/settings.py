"""Settings of the server."""

from __future__ import annotations

from indx_core.settings import Setting, boolean, integer, names

__all__ = [
    "API_TOKENS",
    "COOKIE_SECURE",
    "CORS_ORIGINS",
    "DOCS",
    "HOSTS",
    "MAX_QUEUE",
    "METRICS",
    "PROXIES",
    "SETTINGS",
    "SHUTDOWN_SECONDS",
    "TRACING",
]

API_TOKENS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_API_TOKENS",
    names,
    None,
    "Bearer tokens, by comma, one of which every request but `/health` and `/ready` needs; unset: none.",
    secret=True,
    read="start",
)
CORS_ORIGINS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_CORS_ORIGINS",
    names,
    None,
    "Origins, by comma, whose pages may call the server from a browser; unset: none.",
    read="start",
)
COOKIE_SECURE: Setting[bool] = Setting(
    "INDX_STORE_COOKIE_SECURE",
    boolean,
    True,
    "Whether the owner cookie is `Secure`; false only where the server is reached over plain HTTP.",
)
DOCS: Setting[bool] = Setting(
    "INDX_SERVER_DOCS", boolean, True, "Whether `/openapi.json` and `/docs` are answered.", read="start"
)
HOSTS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_SERVER_HOSTS",
    names,
    None,
    "Names, by comma, by which the server may be asked for; unset: any, or this machine's own where "
    "`indx serve` listens on it alone.",
    read="start",
)
MAX_QUEUE: Setting[int] = Setting(
    "INDX_MAX_QUEUE",
    integer(minimum=0),
    64,
    "Requests that may wait for a worker; one more is refused with `busy`.",
    read="start",
)
METRICS: Setting[bool] = Setting(
    "INDX_SERVER_METRICS", boolean, True, "Whether `/metrics` is answered.", read="start"
)
PROXIES: Setting[tuple[str, ...] | None] = Setting(
    "INDX_SERVER_PROXIES",
    names,
    None,
    "Addresses or networks, by comma, of proxies whose X-Forwarded headers are believed; unset: none.",
    read="start",
)
SHUTDOWN_SECONDS: Setting[int] = Setting(
    "INDX_SERVER_SHUTDOWN_SECONDS",
    integer(minimum=0),
    30,
    "Seconds that requests in hand have to end when the server is stopped.",
    read="start",
)
TRACING: Setting[bool] = Setting(
    "INDX_SERVER_TRACING",
    boolean,
    False,
    "Whether requests are traced by OpenTelemetry; needs `indx-server[otel]`, and OTEL variables say where "
    "traces go.",
    read="start",
)
SETTINGS = (
    API_TOKENS,
    COOKIE_SECURE,
    CORS_ORIGINS,
    DOCS,
    HOSTS,
    MAX_QUEUE,
    METRICS,
    PROXIES,
    SHUTDOWN_SECONDS,
    TRACING,
)
