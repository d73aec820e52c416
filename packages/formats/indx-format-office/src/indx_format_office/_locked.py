"""Packages behind a password: compound files that hold one encrypted, opened with known passwords."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import SourceError
from indx_core.settings import SOURCE_PASSWORDS
from indx_format_office.rc4 import UNASKED

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["unlocked"]

_LONGEST_INFO: Final = 1 << 16  # bytes that say how the package is encrypted
_MOST_ROUNDS: Final = 1_000_000  # of hashing a password; Office does 100,000


def unlocked(buffer: Buffer) -> bytes:
    """The package that the compound file `buffer` holds, opened with one of INDX_SOURCE_PASSWORDS.

    Raises:
        SourceError: `source_encrypted` when none of them opens it, or no password does; `source_unreadable`
            when the file is damaged.
    """
    from msoffcrypto.exceptions import InvalidKeyError  # type: ignore[import-untyped]

    locked = _locked(buffer)
    for password in filter(None, (*SOURCE_PASSWORDS.get(), *UNASKED)):
        opened = BytesIO()
        try:
            locked.load_key(password=password, verify_password=True)
            locked.decrypt(opened)
        except InvalidKeyError:
            continue
        except Exception as error:  # a library's, on bytes that may be anything
            raise _damaged() from error
        return opened.getvalue()
    raise SourceError(
        "a password locks the file and none of INDX_SOURCE_PASSWORDS opens it; add its password there",
        code="source_encrypted",
    )


def _locked(buffer: Buffer) -> Any:
    """The encrypted package, looked at: how it is encrypted is stated in bounds."""
    from msoffcrypto.format.ooxml import OOXMLFile  # type: ignore[import-untyped]
    from olefile import OleFileIO  # type: ignore[import-untyped]

    try:
        with OleFileIO(BytesIO(buffer)) as container:
            if not container.exists("EncryptionInfo"):
                raise _unknown()
            info = container.openstream("EncryptionInfo").read(_LONGEST_INFO + 1)
        if len(info) > _LONGEST_INFO or b"<!DOCTYPE" in info or info[:4] not in _SCHEMES:
            raise _unknown()
        locked = OOXMLFile(BytesIO(buffer))
    except SourceError:
        raise
    except Exception as error:  # a library's, on bytes that may be anything
        raise _damaged() from error
    if locked.info.get("spinValue", 0) > _MOST_ROUNDS:
        raise _unknown()
    return locked


_SCHEMES: Final = {bytes((major, 0, minor, 0)) for major, minor in ((4, 4), (2, 2), (3, 2), (4, 2))}
"""Versions of encryption that are opened, as `EncryptionInfo` begins with them."""


def _unknown() -> SourceError:
    return SourceError(
        "the file is encrypted by a scheme that is not opened here; save it without a password",
        code="source_encrypted",
    )


def _damaged() -> SourceError:
    return SourceError("the file is locked by a password and damaged; check that it is whole")
