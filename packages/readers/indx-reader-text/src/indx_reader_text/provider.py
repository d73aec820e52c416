"""What this distribution provides: the sniffer, the observers and the reader of texts."""

from __future__ import annotations

from indx_core.ports import Capability, Observer, Sniffer

__all__ = ["compressed_observer", "observer", "reader", "sniffer"]


def sniffer() -> Sniffer:
    """Names texts by their first bytes and their file name."""
    from indx_reader_text._sniff import TextSniffer

    return TextSniffer()


def observer() -> Observer:
    """Opens texts."""
    from indx_reader_text._session import TextObserver

    return TextObserver()


def compressed_observer() -> Observer:
    """Opens texts that are compressed as a whole."""
    from indx_reader_text._session import CompressedObserver

    return CompressedObserver()


def reader() -> Capability:
    """`text-reader`: reads texts as one page with their structure."""
    from indx_reader_text._session import TextReader

    return TextReader()
