"""What came of a mutant: by the engine with isolation, and by its observer and reader alone."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from real.mutants import Mutant

COLUMNS = ("read", "refused", "failed pages", "worker ends", "unforeseen")
GRACE = 15  # seconds beside the time-outs, for starting processes on a busy machine
_RAISED = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Iteration|Exit)\b")
_ENDED = re.compile(r"the worker |no progress for|bytes of memory")


@dataclass(frozen=True)
class Outcome:
    """One attempt: which columns it counts in, and what was said."""

    mutant: Mutant
    way: str
    columns: tuple[str, ...]
    said: str = ""

    def kept(self, folder: Path | None) -> Self:
        """Without the bytes, which are written to `folder` where the outcome is not foreseen."""
        if folder is not None and "unforeseen" in self.columns:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{self.mutant.how.replace(' ', '_')}_{self.mutant.name}"
            (folder / name).write_bytes(self.mutant.data)
        seed = replace(self.mutant.seed, data=b"")
        return replace(self, mutant=replace(self.mutant, seed=seed, data=b""))


class Isolated:
    """Encodes through `Indx(isolate=True)` in this process, the caller."""

    def __init__(self, timeout: float) -> None:
        from indx import Indx

        self._indx = Indx(isolate=True)
        self._timeout = timeout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._indx.close()

    def attempt(self, mutant: Mutant) -> Outcome:
        """Encode it into chunks."""
        from indx_core.errors import IndxError

        source = {"type": "inline", "data": mutant.data, "filename": mutant.name}
        started = time.monotonic()
        try:
            result = self._indx.encode({"source": source, "granularities": ["DOCUMENT", "PAGE", "CHUNK"]})
            said = [event.reason or "" for event in result.trace.events if event.outcome == "failed"]
            columns = ["failed pages" if said else "read"]
            json.loads(result.model_dump_json().encode("utf-8"), parse_constant=_no_constant)
        except IndxError as error:
            json.dumps(error.envelope(), allow_nan=False).encode("utf-8")
            columns, said = ["refused"], [f"{error.code}: {error.message}"]
            if error.status >= 500:
                columns.append("unforeseen")
        except Exception as error:  # which is what is looked for
            columns, said = ["unforeseen"], [f"{type(error).__name__}: {error}"]
        return Outcome(mutant, "isolated", *self._judged(columns, said, time.monotonic() - started))

    def _judged(self, columns: list[str], said: list[str], seconds: float) -> tuple[tuple[str, ...], str]:
        text = "; ".join(said)[:400]
        ends = sum(bool(_ENDED.search(one)) for one in said)
        if ends:
            columns.append("worker ends")
        if seconds > (ends + 1) * self._timeout + GRACE:
            columns.append("unforeseen")
            text += f" after {seconds:.0f} s"
        if _RAISED.search(text):
            columns.append("unforeseen")
        return tuple(dict.fromkeys(columns)), text


class Direct:
    """Opens, observes and reads by the providers themselves, in a child that may die of it."""

    def __init__(self, folder: Path, timeout: float, memory: int) -> None:
        self._file = folder / "mutant"
        self._limits = (str(timeout), str(memory))
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()

    def attempt(self, mutant: Mutant) -> Outcome:
        """Read it whole."""
        self._file.write_bytes(mutant.data)
        if self._child is None:
            command = [sys.executable, str(Path(__file__).with_name("direct.py")), *self._limits]
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps([str(self._file), mutant.name]) + "\n")
            self._child.stdin.flush()
            answer = self._child.stdout.readline()
        except OSError:
            answer = ""
        if answer:
            column, said = json.loads(answer)
            return Outcome(mutant, "direct", (column,), said)
        code = self._child.wait()
        self._child = None
        # PDFium may crash: that is what worker processes are for. Python code of ours may not.
        column = "worker ends" if mutant.seed.kind == "pdf" and code < 0 else "unforeseen"
        return Outcome(mutant, "direct", (column,), f"the process ended with code {code}")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def report(outcomes: list[Outcome], *, memory: int) -> int:
    """Print the tables; 1 when an outcome is not foreseen, or memory was not kept within bounds."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for outcome in outcomes:
        counted = rows.setdefault((outcome.mutant.seed.kind, outcome.way), Counter())
        counted["mutants"] += 1
        counted.update(outcome.columns)
    print("| format | way | mutants | " + " | ".join(COLUMNS) + " |\n" + "|---" * (len(COLUMNS) + 3) + "|")
    for (kind, way), counted in sorted(rows.items()):
        print(
            f"| {kind} | {way} | " + " | ".join(str(counted[c] or "") for c in ("mutants", *COLUMNS)) + " |"
        )
    bad = [outcome for outcome in outcomes if "unforeseen" in outcome.columns]
    for outcome in bad:
        print(f"unforeseen, {outcome.way}: {outcome.mutant.seed.name}, {outcome.mutant.how}: {outcome.said}")
    peaks = [
        resource.getrusage(who).ru_maxrss * 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    print(f"peak memory: caller {peaks[0] >> 20} MiB, largest worker {peaks[1] >> 20} MiB")
    return 1 if bad or not outcomes or max(peaks) > memory else 0
