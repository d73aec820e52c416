"""Models that are filled are those that validation makes."""

from __future__ import annotations

import copy
import pickle
from functools import partial

import pytest

from indx_core.contracts import Cell
from indx_core.contracts.filling import all_filled, filled

STATED = [
    {"row": 1, "column": 2, "text": "a"},
    {"row": 1, "column": 2, "text": "", "row_span": 2, "column_span": 1},
    {"row": 7, "column": 1, "text": "é", "bbox": (0.0, 0.25, 0.5, 1.0)},
]


def one_by_one(values, given):
    return [filled(Cell, one, names) for one, names in zip(values, given, strict=True)]


@pytest.mark.parametrize("fill", [one_by_one, partial(all_filled, Cell)])
@pytest.mark.parametrize("stated", STATED)
def test_a_filled_model_is_the_one_that_validation_makes(stated, fill):
    made = Cell(**stated)
    values = {"row_span": 1, "column_span": 1, "bbox": None} | stated
    ours, _ = fill([{name: values[name] for name in Cell.model_fields}] * 2, [set(stated)] * 2)
    assert ours == made
    assert (hash(ours), repr(ours)) == (hash(made), repr(made))
    assert ours.model_fields_set == made.model_fields_set
    assert ours.model_dump_json() == made.model_dump_json()
    assert ours.model_dump(exclude_unset=True) == made.model_dump(exclude_unset=True)
    assert pickle.loads(pickle.dumps(ours)) == copy.deepcopy(ours) == made
    assert Cell.model_validate(ours) == made


def test_what_is_changed_in_a_copy_is_not_changed_in_the_models_that_share():
    given = {"row", "column", "text"}
    values = {"row": 1, "column": 2, "row_span": 1, "column_span": 1, "text": "a", "bbox": None}
    one, other = filled(Cell, dict(values), given), filled(Cell, dict(values), given)
    wider = one.model_copy(update={"row_span": 3})
    assert wider.model_fields_set == {"row", "column", "text", "row_span"}
    assert one.model_fields_set == other.model_fields_set == {"row", "column", "text"}


def test_each_has_its_own_values_and_none_is_none():
    stated = [one for one in STATED if "bbox" not in one]
    values = [{"row_span": 1, "column_span": 1, "bbox": None} | one for one in stated]
    assert all_filled(Cell, values, map(set, stated)) == [Cell(**one) for one in stated]
    assert all_filled(Cell, [], []) == []
