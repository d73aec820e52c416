"""A model's server for tests: on this machine, in the manner of OpenAI's interface, answering as told.

with ModelServer() as server:
    server.will(chat("hello"))            # the next answer; the last one is given again and again
    ...  INDX_…_API_BASE is server.address, INDX_…_MODEL is "openai/any-name"
    assert server.requests[0].body["messages"]
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

__all__ = ["Asked", "ModelServer", "Response", "chat", "vectors"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came: its path, its headers in lower case, its JSON."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Response:
    """What the server sends.

    Attributes:
        body: JSON data, or bytes as they are.
        status: The status.
        headers: Further headers.
        wait: An event to wait for before answering: a slow server that a test can let go.
        announced: A content length to claim in place of the true one: more, and the answer ends early.
    """

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    announced: int | None = None


Reply: TypeAlias = "Response | Callable[[Asked], Response]"


def chat(text: str | None, *, finish: str = "stop", cost: float | None = None, **more: Any) -> Response:
    """A completion of `text`; `cost` is what the server reports as charged, `more` goes to `Response`."""
    usage: dict[str, Any] = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
    if cost is not None:
        usage["cost"] = cost
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return Response({**body, "choices": choices, "usage": usage}, **more)


def vectors(rows: Sequence[Any], *, cost: float | None = None, **more: Any) -> Response:
    """Embeddings, one row for each input; `cost` and `more` as for `chat`."""
    usage: dict[str, Any] = {"prompt_tokens": 10, "total_tokens": 10}
    if cost is not None:
        usage["cost"] = cost
    data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
    return Response({"object": "list", "data": data, "model": "m", "usage": usage}, **more)


class ModelServer:
    """The server; use it in a `with` block.

    Attributes:
        requests: What was asked so far.
    """

    def __init__(self) -> None:
        """Bind a free port of the loopback interface."""
        self.requests: list[Asked] = []
        self._replies: list[Reply] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def address(self) -> str:
        """The base address, with `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def will(self, *replies: Reply) -> None:
        """Say what the next requests are answered; the last reply also serves all that follow."""
        with self._lock:
            self._replies[:] = replies

    def __enter__(self) -> Self:
        """Start to serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; whoever still waits is let go."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, asked: Asked) -> Response:
        with self._lock:
            self.requests.append(asked)
            assert self._replies, "the test did not say what the server answers"
            reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        return reply if isinstance(reply, Response) else reply(asked)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                response = server._answer(Asked(self.path, headers, json.loads(self.rfile.read(length))))
                while response.wait is not None and not response.wait.wait(0.05):
                    if server._closing.is_set():
                        return
                body = response.body
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(response.status)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(response.announced or len(data)))
                    for name, value in response.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:  # whoever asked has left
                    self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
