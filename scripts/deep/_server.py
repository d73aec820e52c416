"""A server process for the deep programs and the benchmark: started, waited for, killed, and its log kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx


class Server:
    """`indx serve` as a process.

    Args:
        options: More options of the command.
        port: Where it listens; a free port by default.
        environment: Settings.
    """

    def __init__(self, *options: str, port: int = 0, **environment: str) -> None:
        """Start it, and wait until it is ready."""
        indx = str(Path(sys.executable).with_name("indx"))
        plain = {name: value for name, value in os.environ.items() if not name.startswith("INDX_")}
        self.process = subprocess.Popen(
            [indx, "serve", "--port", str(port), *options],
            env={**plain, **environment},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[dict[str, Any]] = []
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._listening.wait(120) or self.port == 0:
            sys.exit(f"no server: {self.lines}")
        with httpx.Client(transport=httpx.HTTPTransport(retries=12), timeout=60) as client:
            if client.get(f"{self.url}/ready").status_code != 200:
                sys.exit(f"not ready: {self.lines}")

    @property
    def port(self) -> int:
        """Where it listens."""
        return next((line["port"] for line in self.lines if "port" in line), 0)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def cpu(self) -> float:
        """Seconds of CPU it has used, without its children."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def bugs(self) -> list[dict[str, Any]]:
        """Lines of its log that tell of something nobody foresaw."""
        return [line for line in self.lines if line.get("level") in ("error", "critical") or "text" in line]

    def stop(self, how: int = signal.SIGTERM) -> int:
        """End it; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        self._reader.join(60)
        return code

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                self.lines.append({"text": line})
            if "port" in self.lines[-1]:
                self._listening.set()
        self._listening.set()
