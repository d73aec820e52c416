"""Every member of every wire model says what it means: the reference pages and OpenAPI are made of that."""

import inspect

import pytest
from pydantic import BaseModel

from indx_core import contracts

MODELS = {
    name: found
    for name in contracts.__all__
    if inspect.isclass(found := getattr(contracts, name)) and issubclass(found, BaseModel)
}


@pytest.mark.parametrize("name", MODELS)
def test_every_member_has_a_meaning(name):
    silent = [field for field, facts in MODELS[name].model_fields.items() if not facts.description]
    assert not silent, f"{name}: {silent}"
