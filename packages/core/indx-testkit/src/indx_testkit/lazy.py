"""Checks that a provider's module imports nothing heavy: installed is cheap, used is what costs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import Final

__all__ = ["HEAVY", "assert_light_factory", "assert_light_import", "run_python", "set_before_loading"]

HEAVY: Final = (
    "PIL",
    "aiohttp",
    "anyio",
    "boto3",
    "botocore",
    "cv2",
    "extract_msg",
    "faiss",
    "fastapi",
    "fastembed",
    "google",
    "httpx",
    "huggingface_hub",
    "jinja2",
    "lingua",
    "litellm",
    "lxml",
    "markdown_it",
    "numpy",
    "onnxruntime",
    "openai",
    "openpyxl",
    "pandas",
    "pebble",
    "polars",
    "procrastinate",
    "psycopg",
    "pyarrow",
    "pydantic",
    "pypdf",
    "pypdfium2",
    "rapidocr",
    "regex",
    "rensa",
    "requests",
    "scipy",
    "selectolax",
    "sklearn",
    "sqlalchemy",
    "tokenizers",
    "torch",
    "transformers",
    "uvicorn",
    "vibrato",
    "wordllama",
)
"""Libraries that a provider may only import inside the method that needs them."""

_IMPORT: Final = """
import importlib, sys
before = set(sys.modules)
importlib.import_module({module!r})
print("imported", *sorted(set(sys.modules) - before))
"""

_LOADING: Final = """
import os, sys

class Asked:
    def find_spec(self, name, *rest):
        if name == {library!r}:
            print(os.environ.get({variable!r}), flush=True)
            os._exit(0)

sys.meta_path.insert(0, Asked())
"""

_FACTORY: Final = """
import importlib, operator, sys
before = set(sys.modules)
provider = operator.attrgetter({name!r})(importlib.import_module({module!r}))()
from indx_core.ports.declarations import Unavailability
if not isinstance(provider, Unavailability):
    provider.declaration
    if hasattr(provider, "availability"):
        provider.availability()
print("imported", *sorted(set(sys.modules) - before))
"""


def run_python(code: str, *, stdin: bytes = b"", **environment: str) -> str:
    """What `code` prints in a fresh interpreter that sees the same packages as this one.

    Args:
        code: The program.
        stdin: What it reads.
        **environment: Variables to set for it, beside those of this process.

    Raises:
        AssertionError: It ended with an error; the message holds what it wrote.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    result = subprocess.run(  # noqa: S603  the program is the kit's own
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **environment},
        input=stdin,
        capture_output=True,
        check=False,
    )
    written = result.stderr.decode("utf-8", "replace")
    assert result.returncode == 0, f"a fresh interpreter failed:\n{written}"
    return result.stdout.decode("utf-8", "replace")


def set_before_loading(library: str, variable: str, code: str) -> str:
    """What an environment variable is when `code` loads a library, which is not loaded and need not be there.

    Args:
        library: What the code imports, its top name.
        variable: The variable; "None" is answered where it is not set.
        code: The program.

    Raises:
        AssertionError: It loads no such library.
    """
    told = run_python(_LOADING.format(library=library, variable=variable) + code).strip()
    assert told, f"{library} is not loaded"
    return told


@cache
def _imported_by(code: str) -> tuple[str, ...]:
    printed = [line for line in run_python(code).splitlines() if line.startswith("imported")]
    assert printed, "the module or factory ended the interpreter"
    return tuple(printed[-1].split()[1:])


def assert_light_import(module: str, *, allow: Sequence[str] = ()) -> None:
    """Import `module` in a fresh interpreter and fail if that loads any third-party package.

    The standard library, the module's own package and shared libraries of indx (`indx_…`) are free, as long
    as they load nothing else themselves. What `HEAVY` names is refused however it is reached.

    Args:
        module: The dotted name of a provider's module.
        allow: Further top-level packages that may load, for a light library of your own.
    """
    own = {module.partition(".")[0], *allow}
    loaded = {name.partition(".")[0] for name in _imported_by(_IMPORT.format(module=module))}
    own |= {name for name in loaded if name.startswith("indx_")}
    foreign = sorted(loaded - own - sys.stdlib_module_names | loaded.intersection(HEAVY) - set(allow))
    assert not foreign, (
        f"importing {module!r} loads {', '.join(foreign)}; import it inside the method that needs it"
    )


def assert_light_factory(module: str, name: str) -> None:
    """Make the provider in a fresh interpreter and fail if its facts or availability load what is heavy.

    A factory may answer that the provider's engine is not installed; that answer has no facts to read.

    Args:
        module: The dotted name of the module that holds the factory.
        name: The factory's name in it, dotted if it is an attribute of something there.
    """
    loaded = {part.partition(".")[0] for part in _imported_by(_FACTORY.format(module=module, name=name))}
    heavy = sorted(loaded.intersection(HEAVY))
    assert not heavy, (
        f"{module}:{name}: making the provider, reading its declaration and asking its availability load "
        f"{', '.join(heavy)}; look for a package with importlib.util.find_spec instead of importing it"
    )
