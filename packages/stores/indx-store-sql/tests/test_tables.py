"""Strings and instants come back as they were kept, whatever they are, and in their own order."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Column, MetaData, Table, create_engine, select

from indx_core.contracts.documents import StoredDocument
from indx_store_sql.tables import Exact, Moment, read, written
from indx_testkit.kept import HOSTILE, stored_document

TABLE = Table("t", MetaData(), Column("text", Exact), Column("moment", Moment))
ANY_TEXT = st.text(st.characters(codec=None), max_size=20)


@pytest.fixture(scope="module")
def connection():
    """An empty database."""
    engine = create_engine("sqlite://")
    with engine.connect() as made:
        TABLE.create(made)
        yield made
    engine.dispose()


def kept(connection, column, values):
    connection.execute(TABLE.delete())
    connection.execute(TABLE.insert(), [{column: value} for value in values])
    return list(connection.scalars(select(TABLE.c[column]).order_by(TABLE.c[column])))


@given(st.lists(st.one_of(ANY_TEXT, st.sampled_from(HOSTILE)), min_size=1, max_size=5))
def test_any_string_comes_back_and_sorts_by_its_code_points(connection, texts):
    assert kept(connection, "text", texts) == sorted(texts, key=lambda text: list(map(ord, text)))


@given(st.lists(st.datetimes(timezones=st.just(UTC)), min_size=1, max_size=5))
def test_an_instant_comes_back_to_the_microsecond_and_sorts(connection, moments):
    assert kept(connection, "moment", moments) == sorted(moments)


def test_an_instant_of_another_zone_is_the_same_instant(connection):
    there = datetime(1960, 5, 6, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=9)))
    assert kept(connection, "moment", [there]) == [there]
    assert kept(connection, "moment", [None]) == [None]
    assert kept(connection, "text", [None]) == [None]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_model_comes_back_whatever_its_text(text):
    document = stored_document("a", text=text)
    body = written(document)
    assert b"\x00" not in body
    assert read(StoredDocument, body) == document


def test_a_body_that_is_no_json_is_an_error():
    with pytest.raises(ValueError):
        read(StoredDocument, b"{")
