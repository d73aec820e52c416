"""What every kit checks: the port's version, the declaration, light imports, availability."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import operator
import pickle
import re
from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from indx_core.ports import PORT_VERSION, Unavailability
from indx_testkit.checks import plain
from indx_testkit.lazy import assert_light_factory, assert_light_import, run_python

__all__ = ["ProviderKit", "for_all"]

T = TypeVar("T")

ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


def for_all(strategy: SearchStrategy[T], check: Callable[[T], object], *, examples: int = 40) -> None:
    """Run `check` on `examples` values of `strategy`, the same ones on every run, and shrink a failure."""

    @settings(
        derandomize=True,
        deadline=None,
        max_examples=examples,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def run(value: T) -> None:
        check(value)

    run()


_ELSEWHERE: Final = """
from __future__ import annotations
import dataclasses, hashlib, importlib, operator, pickle, sys
{plain}
method, arguments, named = pickle.load(sys.stdin.buffer)
provider = operator.attrgetter({name!r})(importlib.import_module({module!r}))()
made = plain(getattr(provider, method)(*arguments, **named))
print("digest", hashlib.sha256(repr(made).encode("utf-8", "surrogatepass")).hexdigest())
"""


class ProviderKit:
    """The rules of every port. Subclass the kit of your port, not this.

    Attributes:
        factory: The zero-argument factory that the entry point names, as a `staticmethod`.
        module: The provider's module, where the factory is not defined in it.
        at: `module:name` of the factory, where other processes cannot import `factory` by its own name.
    """

    factory: ClassVar[Any]
    module: ClassVar[str | None] = None
    at: ClassVar[str | None] = None
    declaration_type: ClassVar[type]
    has_availability: ClassVar[bool] = False

    def make(self) -> Any:
        """The provider under test, made anew."""
        provider = self.factory()
        assert not isinstance(provider, Unavailability), (
            f"the factory has nothing to advertise ({provider.reason}); to test it: {provider.fix}"
        )
        return provider

    @property
    def declaration(self) -> Any:
        """The declaration of the provider under test."""
        return self.make().declaration

    def provider_module(self) -> str:
        """The dotted name of the provider's module."""
        return self.module or str(self.factory.__module__)

    def importable_factory(self) -> tuple[str, str] | None:
        """Module and name under which a fresh interpreter finds the factory; None when it cannot."""
        if self.at is not None:
            module, _, name = self.at.partition(":")
            return module, name
        name = getattr(self.factory, "__qualname__", "")
        try:
            found = operator.attrgetter(name)(importlib.import_module(self.factory.__module__))
        except (ImportError, AttributeError, ValueError):
            return None
        return (self.factory.__module__, name) if found is self.factory else None

    def assert_alike_elsewhere(self, method: str, *arguments: Any, **named: Any) -> None:
        """Call `method` in processes with different hash seeds and fail when they answer differently.

        Does nothing where no other process can import the factory.
        """
        found = self.importable_factory()
        if found is None:
            return
        code = _ELSEWHERE.format(plain=inspect.getsource(plain), module=found[0], name=found[1])
        call = pickle.dumps((method, arguments, named))
        answers = {
            run_python(code, stdin=call, PYTHONHASHSEED=seed).splitlines()[-1] for seed in ("0", "4242")
        }
        assert len(answers) == 1, f"{method}() answers otherwise in a process with another hash seed"

    def test_it_states_the_version_of_the_ports(self) -> None:
        """A provider says which ports it was written for."""
        version = self.make().port_version
        assert version == PORT_VERSION, f"port_version is {version!r}; the ports are {PORT_VERSION}"

    def test_its_declaration_is_frozen_data(self) -> None:
        """A declaration is compared, hashed, and sent to worker processes."""
        declaration = self.declaration
        assert type(declaration) is self.declaration_type, (
            f"declaration is a {type(declaration).__name__}; make it a {self.declaration_type.__name__}"
        )
        assert dataclasses.is_dataclass(declaration)
        hash(declaration)
        assert pickle.loads(pickle.dumps(declaration)) == declaration  # noqa: S301  its own bytes

    def test_its_id_is_a_plain_name(self) -> None:
        """IDs stand in requests, settings and file names."""
        identity = self.declaration.id
        assert ID.fullmatch(identity), f"id {identity!r} is not of the form {ID.pattern}"

    def test_two_of_it_declare_alike(self) -> None:
        """The factory gives the same facts each time."""
        assert self.make().declaration == self.make().declaration

    def test_its_module_is_light(self) -> None:
        """A process pays only for what it uses."""
        assert_light_import(self.provider_module())
        found = self.importable_factory()
        if found and found[0] == self.provider_module():
            assert_light_factory(*found)

    def test_its_availability_says_reason_and_fix(self) -> None:
        """A provider that cannot run says why and what to do."""
        if not self.has_availability:
            return
        state = self.make().availability()
        assert state is None or isinstance(state, Unavailability), f"availability() gave {state!r}"
        if state is not None:
            assert state.reason.strip(), "an Unavailability without a reason"
            assert state.fix.strip(), "an Unavailability without a fix"

    def test_its_media_types_are_plain(self) -> None:
        """Media types are compared as they stand: lower case, no parameters, each once."""
        types = getattr(self.declaration, "media_types", ())
        assert isinstance(types, tuple)
        assert len(set(types)) == len(types), f"a media type is declared twice: {types!r}"
        for one in types:
            assert MEDIA_TYPE.fullmatch(one), f"{one!r} is not a media type in lower case without parameters"
