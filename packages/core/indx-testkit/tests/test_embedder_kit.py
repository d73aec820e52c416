"""The rules of embedders bite."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from indx_core.ports import Embedded, EmbedderDeclaration, Raster, Space
from indx_testkit import EmbedderKit

SPACE = Space("letters", 27, "cosine", True)
DECLARATION = EmbedderDeclaration("letters", SPACE, ("document", "query"), ("text",), fingerprint="letters-1")
SOURCE = """
import numpy
from indx_core.deadline import Deadline

class Embedded:
    pass

class Salted:
    def embed(self, batch, *, role, deadline):
        made = Embedded()
        made.values = numpy.array([[hash(text)] for text in batch], dtype="<i8")
        return made

def factory():
    return Salted()
"""
counter = itertools.count()


class LetterEmbedder:
    port_version = 1
    declaration = DECLARATION

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        rows = [self.row(one) for one in batch]
        values = np.zeros((len(batch), 27), dtype=np.float32)
        for place, row in enumerate(rows):
            if row is not None:
                values[place] = row
        return self.answer(values, {p: "nothing to embed" for p, row in enumerate(rows) if row is None})

    def row(self, text):
        letters = [ord(sign.lower()) % 26 for sign in text if not sign.isspace()]
        if not letters:
            return None
        row = np.bincount([*letters, 26], minlength=27).astype(np.float64)
        return row / np.linalg.norm(row)

    def answer(self, values, errors):
        return Embedded(values, errors)


class LetterEmbedderKit(EmbedderKit):
    factory = staticmethod(LetterEmbedder)
    module = "indx_core.ports"

    def test_it_embeds_alike_in_every_process(self):
        """No other process can import this class; the tests below cover the rule."""


class TestLetterEmbedder(LetterEmbedderKit):
    pass


class Pictures(LetterEmbedder):
    declaration = replace(DECLARATION, modalities=("image",))

    def row(self, picture):
        assert isinstance(picture, Raster)
        return LetterEmbedder.row(self, "abc" * picture.width + "d" * picture.height)


class TestPictureEmbedder(EmbedderKit):
    factory = staticmethod(Pictures)
    module = "indx_core.ports"


def kit(**changes):
    provider = type("Changed", (LetterEmbedder,), changes)
    return type("Kit", (LetterEmbedderKit,), {"factory": staticmethod(provider)})


def declared(**changes):
    return kit(declaration=replace(DECLARATION, **changes))


def answers(change):
    return kit(answer=lambda self, values, errors: change(values, errors))


def broken(values, errors, place, value):
    values[place] = value
    return Embedded(values, errors)


def refuses_surrogates(self, text):
    text.encode()
    return LetterEmbedder.row(self, text)


def by_batch(self, batch, *, role, deadline):
    made = LetterEmbedder.embed(self, batch, role=role, deadline=deadline)
    values = made.values.copy()
    values[:, 26] += len(batch)
    norms = np.linalg.norm(values, axis=1, keepdims=True)
    return Embedded((values / norms).astype(np.float32), {})


def empties_all(self, batch, *, role, deadline):
    made = LetterEmbedder.embed(self, batch, role=role, deadline=deadline)
    if not made.errors:
        return made
    return Embedded(np.zeros_like(made.values), dict.fromkeys(range(len(batch)), "an empty text"))


def position(self, batch, *, role, deadline):
    made = LetterEmbedder.embed(self, batch, role=role, deadline=deadline)
    return Embedded(np.roll(made.values, 1, axis=0), {})


SHAPED, ROLES = "test_its_space_is_well_formed", "test_it_embeds_its_inputs_in_every_role"
EMPTY = "test_a_text_with_nothing_to_embed_is_an_error_of_that_item"
ONE = "test_one_at_a_time_equals_all_at_once"


@pytest.mark.parametrize(
    ("made", "rule", "reason"),
    [
        (declared(space=replace(SPACE, id="Letters")), SHAPED, "Letters"),
        (declared(space=replace(SPACE, dimension=0)), SHAPED, "dimension 0"),
        (declared(space=replace(SPACE, metric="far")), SHAPED, "far"),
        (declared(device="moon"), SHAPED, "moon"),
        (declared(roles=()), SHAPED, "no role"),
        (declared(roles=("reader",)), SHAPED, "reader"),
        (declared(modalities=()), SHAPED, "no modality"),
        (declared(modalities=("sound",)), SHAPED, "sound"),
        (declared(fingerprint=""), SHAPED, "fingerprint"),
        (declared(max_characters=0), SHAPED, "max_characters 0"),
        (declared(space=replace(SPACE, dimension=26)), ROLES, "(4, 26)"),
        (answers(lambda values, errors: values), ROLES, "embed() gave"),
        (answers(lambda values, errors: Embedded(values.astype(np.float64))), ROLES, "float64"),
        (answers(lambda values, errors: Embedded(values * 2)), ROLES, "length 2"),
        (answers(lambda values, errors: broken(values, errors, 0, np.nan)), ROLES, "NaN"),
        (answers(lambda values, errors: Embedded(values, errors, -1.0)), ROLES, "cost"),
        (answers(lambda values, errors: Embedded(values, {0: "x"})), ROLES, "not zero"),
        (answers(lambda values, errors: Embedded(values, {9: "x"})), ROLES, "item 9 of 4"),
        (answers(lambda values, errors: Embedded(values * 0, dict.fromkeys(range(4), "no"))), ROLES, "no"),
        (
            answers(lambda values, errors: Embedded(values * 0, dict.fromkeys(range(4), " "))),
            ROLES,
            "message",
        ),
        (answers(lambda values, errors: Embedded(values[:, 0])), "test_nothing_gives_nothing", "shape"),
        (
            kit(row=lambda self, one: np.eye(27)[0]),
            "test_different_inputs_get_different_vectors",
            "one vector",
        ),
        (kit(row=lambda self, one: LetterEmbedder.row(self, one or "x")), EMPTY, "two empty ones"),
        (kit(embed=empties_all), EMPTY, "two empty ones"),
        (kit(row=refuses_surrogates), "test_one_bad_text_fails_alone", "UnicodeEncodeError"),
        (kit(embed=by_batch), ONE, "alone"),
        (kit(embed=position), ONE, "alone"),
        (
            answers(lambda values, errors: Embedded(values)),
            "test_generated_texts_hold_every_rule",
            "length 0",
        ),
    ],
)
def test_a_bad_embedder_is_refused(made, rule, reason, refuted):
    refuted(made, rule, reason)


def test_a_space_that_is_not_normalized_may_have_any_length_but_none(verdict, refuted):
    loose = replace(DECLARATION, space=replace(SPACE, normalized=False))
    scaled = kit(declaration=loose, answer=lambda self, values, errors: Embedded(values * 3, errors))
    assert verdict(scaled, ROLES) is None
    zero = kit(declaration=loose, answer=lambda self, values, errors: Embedded(values * 0, errors))
    refuted(zero, ROLES, "zero without an error")


def test_vectors_that_depend_on_the_hash_seed_are_refused(tmp_path, monkeypatch, refuted):
    tmp_path.joinpath("salted_embedder.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    made = type(
        "Kit", (EmbedderKit,), {"factory": staticmethod(LetterEmbedder), "at": "salted_embedder:factory"}
    )
    refuted(made, "test_it_embeds_alike_in_every_process", "hash seed 0")


def test_a_factory_that_no_other_process_finds_is_named_by_hand(refuted):
    made = type("Kit", (EmbedderKit,), {"factory": staticmethod(lambda: LetterEmbedder())})
    refuted(made, "test_it_embeds_alike_in_every_process", "set at = 'module:name'")
