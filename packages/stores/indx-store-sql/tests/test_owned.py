"""A query names its owner, because none can be made without one."""

import pytest
from sqlalchemy import create_engine

from indx_store_sql.backend import INSTALLATION, key_of
from indx_store_sql.owned import Owned
from indx_store_sql.tables import METADATA, chunk, documents, indexed, labels, posting, sources


@pytest.fixture
def mine():
    """The rows of an owner in an empty database."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        METADATA.create_all(connection)
        yield Owned(connection, b"owner-a", key_of(b"owner-a"))
    engine.dispose()


def bound(statement):
    return list(statement.compile().params.values())


@pytest.mark.parametrize("table", [documents, sources, indexed, chunk, posting], ids=lambda table: table.name)
def test_every_query_is_narrowed_by_the_owner(mine, table):
    query = mine.select(table, *table.c)
    assert b"owner-a" in bound(query)
    owner = f"{table.name if 'owner' in table.c else 'indexed'}.owner = "
    assert owner in str(query)


def test_a_posting_stands_under_its_owners_number_too(mine):
    assert bound(mine.select(posting, posting.c.rows)) == [b"owner-a", mine.key]


def test_a_table_without_owners_cannot_be_asked_for_ones_own(mine):
    with pytest.raises(ValueError, match="labels has no owner"):
        mine.select(labels, labels.c.body)


def test_what_is_inserted_is_the_owners_and_no_other_is_deleted(mine):
    other = Owned(mine.connection, b"owner-b", key_of(b"owner-b"))
    values = {"digest": "d", "media_type": "m", "data": b"x"}
    mine.insert(sources, values)
    other.insert(sources, values)
    other.delete(sources, digest="d")
    assert len(mine.rows(mine.select(sources, sources.c.digest))) == 1
    assert other.row(other.select(sources, sources.c.digest)) is None


def test_no_owner_is_the_installation():
    with pytest.raises(UnicodeDecodeError):
        INSTALLATION.decode("utf-8", "surrogatepass")
