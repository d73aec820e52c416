"""The fields of an invoice, on the metadata of the page that printed them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from indx_core.contracts._base import WireModel

Money = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
"""An amount as digits with a decimal point: never a float, never a currency sign."""


class Invoice(WireModel):
    """What an invoice states. Everything is a string as printed; dates are not interpreted."""

    number: str | None = None
    issue_date: str | None = None
    due_date: str | None = None
    currency: str | None = None
    subtotal: Money | None = None
    tax: Money | None = None
    total: Money | None = None
    issuer: str | None = None
    recipient: str | None = None
