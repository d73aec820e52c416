"""The fields of an invoice, on the metadata of the page that printed them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from indx_core.contracts._base import WireModel

Money = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
"""An amount as digits with a decimal point: never a float, never a currency sign."""


class Invoice(WireModel):
    """What an invoice states. Everything is a string as printed; dates are not interpreted."""

    number: str | None = Field(default=None, description="The invoice's number.")
    issue_date: str | None = Field(default=None, description="The day it was issued, as printed.")
    due_date: str | None = Field(default=None, description="The day it is due, as printed.")
    currency: str | None = Field(default=None, description="The currency, as printed.")
    subtotal: Money | None = Field(default=None, description="The amount before tax, in digits.")
    tax: Money | None = Field(default=None, description="The tax, in digits.")
    total: Money | None = Field(default=None, description="The amount to pay, in digits.")
    issuer: str | None = Field(default=None, description="Who issued it.")
    recipient: str | None = Field(default=None, description="Whom it is for.")
