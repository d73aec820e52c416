"""The records of the ZIP format that are read and written here."""

from __future__ import annotations

from struct import Struct
from typing import Final

LOCAL: Final = Struct("<4s5H3I2H")
"""Signature, version, flags, method, time, date, CRC, compressed size, size, name length, extra length."""

CENTRAL: Final = Struct("<4s6H3I5H2I")
"""Signature, made by, version, flags, method, time, date, CRC, compressed size, size, name length, extra
length, comment length, disk, internal attributes, external attributes, offset of the local header."""

END: Final = Struct("<4s4H2IH")
"""Signature, disk, disk of the directory, entries here, entries, directory size, its offset, comment
length."""

END64: Final = Struct("<4sQ2H2I4Q")
"""Signature, record size, made by, version, disk, disk of the directory, entries here, entries, directory
size, its offset."""

LOCATOR: Final = Struct("<4sIQI")
"""Signature, disk, offset of the ZIP64 end record, disks."""

FIELD: Final = Struct("<2H")
"""The head of an extra field: its ID and the length of what follows."""

LOCAL_MARK: Final = b"PK\x03\x04"
CENTRAL_MARK: Final = b"PK\x01\x02"
END_MARK: Final = b"PK\x05\x06"
END64_MARK: Final = b"PK\x06\x06"
LOCATOR_MARK: Final = b"PK\x06\x07"

ZIP64_FIELD: Final = 1
PADDING_FIELD: Final = 0xD935
"""The registered field for alignment: two bytes that name it, then zeros."""

STORED: Final = 0
DEFLATED: Final = 8
ENCRYPTED_FLAG: Final = 1
MAX16: Final = 0xFFFF
MAX32: Final = 0xFFFFFFFF
