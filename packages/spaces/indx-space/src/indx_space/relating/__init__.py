"""Relating: what stands in one folder, what goes on in what, what refers to what, what is a copy of what."""

from __future__ import annotations

from indx_space.relating.stage import Relate

__all__ = ["Relate"]
