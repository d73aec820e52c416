"""The kit for embedders."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.ports import Device, Embedded, EmbedderDeclaration, EmbeddingInput, Metric, Modality
from indx_testkit._base import ID, ProviderKit, for_all
from indx_testkit.checks import assert_clean
from indx_testkit.lazy import run_python
from indx_testkit.samples import picture
from indx_testkit.strategies import texts as generated

__all__ = ["EmbedderKit"]

RoleName: TypeAlias = Literal["document", "query"]

_TOLERANCE: Final = 1e-6
_OTHER_PROCESS: Final = """
import hashlib, importlib, json, operator
from indx_core.deadline import Deadline
embedder = operator.attrgetter({name!r})(importlib.import_module({module!r}))()
made = embedder.embed(json.loads({texts!r}), role={role!r}, deadline=Deadline())
print("digest", hashlib.sha256(made.values.tobytes()).hexdigest())
"""


class EmbedderKit(ProviderKit):
    """Rules of `Embedder`. Declare `texts` where the kit's own do not suit.

    Attributes:
        texts: Texts that must be embedded.
        examples: How many generated batches to try; lower it for a model that is slow.
    """

    declaration_type = EmbedderDeclaration
    has_availability = True
    texts: ClassVar[Sequence[str]] = (
        "alpha beta",
        "Gamma delta.",
        "Ein kurzer Satz über Maße.",
        "東京の天気",
    )
    examples: ClassVar[int] = 25

    def inputs(self) -> list[EmbeddingInput]:
        """What must be embedded: the texts, and pictures where the embedder takes them."""
        declared = self.declaration.modalities
        texts: list[EmbeddingInput] = list(self.texts) if "text" in declared else []
        pictures: list[EmbeddingInput] = [picture(16, 16), picture(24, 12)] if "image" in declared else []
        return texts + pictures

    def embed(self, embedder: Any, batch: Sequence[EmbeddingInput], role: RoleName | None = None) -> Embedded:
        """Embed `batch` and hold the answer to every rule."""
        space = embedder.declaration.space
        chosen = role or embedder.declaration.roles[0]
        made = embedder.embed(batch, role=chosen, deadline=Deadline())
        assert isinstance(made, Embedded), f"embed() gave {made!r:.80}"
        values = made.values
        assert values.dtype == np.float32, f"values are {values.dtype}, not float32"
        shape = (len(batch), space.dimension)
        assert values.shape == shape, f"values have shape {values.shape}, not {shape}"
        assert np.isfinite(values).all(), "a value is NaN or infinite"
        assert math.isfinite(made.cost_usd), f"cost {made.cost_usd!r}"
        assert made.cost_usd >= 0, f"cost {made.cost_usd!r}"
        self._check_rows(values, made, space.normalized)
        return made

    def _check_rows(self, values: npt.NDArray[np.float32], made: Embedded, normalized: bool) -> None:
        for place, message in made.errors.items():
            assert 0 <= place < len(values), f"an error for item {place} of {len(values)}"
            assert_clean(message, f"error of item {place}")
            assert message.strip(), f"item {place} fails without a message"
        for place, row in enumerate(values):
            length = float(np.linalg.norm(row.astype(np.float64)))
            if place in made.errors:
                assert length == 0, f"item {place} failed, and yet its row is not zero"
            elif normalized:
                assert abs(length - 1) < 1e-4, f"row {place} has length {length}; the space is normalized"
            else:
                assert length > 0, f"row {place} is zero without an error"

    def test_its_space_is_well_formed(self) -> None:
        """The space, the roles and the modalities are values the planner knows."""
        declaration = self.declaration
        space = declaration.space
        assert ID.fullmatch(space.id), f"space id {space.id!r} is not of the form {ID.pattern}"
        assert space.dimension >= 1, f"dimension {space.dimension}"
        assert space.metric in get_args(Metric), f"metric {space.metric!r}"
        assert declaration.device in get_args(Device), f"device {declaration.device!r}"
        assert declaration.roles, "no role is declared"
        assert set(declaration.roles) <= {"document", "query"}, f"roles {declaration.roles!r}"
        assert declaration.modalities, "no modality is declared"
        assert set(declaration.modalities) <= set(get_args(Modality)), (
            f"modalities {declaration.modalities!r}"
        )
        assert declaration.fingerprint, "no fingerprint: a cache could not tell its vectors from others"
        if declaration.max_characters is not None:
            assert declaration.max_characters >= 1, f"max_characters {declaration.max_characters}"

    def test_it_embeds_its_inputs_in_every_role(self) -> None:
        """Every input gets a vector of the space."""
        embedder = self.make()
        for role in embedder.declaration.roles:
            made = self.embed(embedder, self.inputs(), role)
            assert not made.errors, f"as {role}: {dict(made.errors)}"

    def test_nothing_gives_nothing(self) -> None:
        """An empty batch has no rows."""
        assert len(self.embed(self.make(), []).values) == 0

    def test_different_inputs_get_different_vectors(self) -> None:
        """A constant is no embedding."""
        made = self.embed(self.make(), self.inputs())
        assert len({row.tobytes() for row in made.values}) > 1, "all inputs got one vector"

    def test_a_text_with_nothing_to_embed_is_an_error_of_that_item(self) -> None:
        """Empty texts fail alone, by a message, with a zero row."""
        embedder = self.make()
        if "text" not in embedder.declaration.modalities:
            return
        whole = self.embed(embedder, list(self.texts))
        made = self.embed(embedder, ["", *self.texts, " \n\t"])
        assert set(made.errors) == {0, len(self.texts) + 1}, (
            f"errors {dict(made.errors)} for the two empty ones"
        )
        assert np.abs(made.values[1:-1] - whole.values).max() < _TOLERANCE, "its neighbours changed"

    def test_one_bad_text_fails_alone(self) -> None:
        """Text that UTF-8 cannot hold, or a very long one, leaves its neighbours as they are."""
        embedder = self.make()
        if "text" not in embedder.declaration.modalities:
            return
        whole = self.embed(embedder, list(self.texts))
        for bad in ("\ud800", "a \udfff b", "\x00", "x" * 100_000, "word " * 20_000):
            made = self.embed(embedder, [bad, *self.texts])
            assert set(made.errors) <= {0}, f"beside {bad[:10]!r} others failed: {dict(made.errors)}"
            assert np.abs(made.values[1:] - whole.values).max() < _TOLERANCE, f"{bad[:10]!r} changed others"

    def test_one_at_a_time_equals_all_at_once(self) -> None:
        """How a caller batches changes no vector."""
        embedder = self.make()
        inputs = self.inputs()
        whole = self.embed(embedder, inputs).values
        alone = np.concatenate([self.embed(embedder, [one]).values for one in inputs])
        assert np.abs(whole - alone).max() < _TOLERANCE, "embedded alone, the vectors differ"
        backwards = self.embed(embedder, inputs[::-1]).values[::-1]
        assert np.abs(whole - backwards).max() < _TOLERANCE, "turned round, the vectors differ"

    def test_it_embeds_alike_in_every_process(self) -> None:
        """Vectors depend on no hash seed and no earlier call."""
        embedder = self.make()
        role = embedder.declaration.roles[0]
        texts = list(self.texts)
        if "text" not in embedder.declaration.modalities:
            return
        here = hashlib.sha256(self.embed(embedder, texts, role).values.tobytes()).hexdigest()
        found = self.importable_factory()
        assert found, "no other process can import the factory; set at = 'module:name'"
        code = _OTHER_PROCESS.format(module=found[0], name=found[1], texts=json.dumps(texts), role=role)
        for seed in ("0", "4242"):
            printed = run_python(code, PYTHONHASHSEED=seed).splitlines()
            assert f"digest {here}" in printed, f"another process with hash seed {seed} embeds otherwise"

    def test_generated_texts_hold_every_rule(self) -> None:
        """Texts of many scripts get a finite vector or an error."""
        embedder = self.make()
        if "text" not in embedder.declaration.modalities:
            return
        batches = st.lists(generated(), max_size=4)
        for_all(batches, lambda batch: self.embed(embedder, batch).errors, examples=self.examples)
