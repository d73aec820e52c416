"""Why a model gave no answer, in one tree, with messages fit for the wire: no key, no address.

Unavailable (indx_core)
└── ModelError
    ├── ModelTimeout       no answer in time
    ├── ModelUnreachable   no connection to its server
    ├── ModelBusy          its server is overloaded, limits the rate, or failed on its own side
    ├── ModelRefused       its server refused: the key, the model's name, the request
    ├── AnswerTooLarge     more was sent than is taken
    └── AnswerInvalid      what it answered is not what was asked for
"""

from __future__ import annotations

from typing import Any

from indx_core.errors import Unavailable

__all__ = [
    "AnswerInvalid",
    "AnswerTooLarge",
    "ModelBusy",
    "ModelError",
    "ModelRefused",
    "ModelTimeout",
    "ModelUnreachable",
]


class ModelError(Unavailable):
    """A call failed. It is an `embedder_unavailable`, which is what an embedder raises for its batch.

    Attributes:
        cost_usd: What was charged for calls that yielded nothing usable.
        wait: Seconds after which the server asked to be called again.
    """

    def __init__(self, message: str, *, cost_usd: float = 0.0, wait: float = 0.0, **more: Any) -> None:
        """Make it with a message that names the variable to change, where one is known."""
        super().__init__(message, **({"code": "embedder_unavailable"} | more))
        self.cost_usd = cost_usd
        self.wait = wait


class ModelTimeout(ModelError):
    """No answer came in time."""

    lapse = "ended"


class ModelUnreachable(ModelError):
    """The server could not be connected to, or the connection broke."""


class ModelBusy(ModelError):
    """The server limits the rate of calls, is overloaded or failed by its own fault."""


class ModelRefused(ModelError):
    """The server refused the call; making it again would change nothing."""

    lapse = None


class AnswerTooLarge(ModelError):
    """The answer is longer than what is taken."""

    lapse = None


class AnswerInvalid(ModelError):
    """The answer is empty, cut short, or not of the shape that was asked for."""

    lapse = None
