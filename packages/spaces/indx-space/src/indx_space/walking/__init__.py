"""Walking: which files of a folder or an archive become documents, and what became of all others."""

from __future__ import annotations

from indx_space.walking.listing import Entry, Fetched, Listing, Problem, Stamp, Tree
from indx_space.walking.walker import open_tree, walk

__all__ = ["Entry", "Fetched", "Listing", "Problem", "Stamp", "Tree", "open_tree", "walk"]
