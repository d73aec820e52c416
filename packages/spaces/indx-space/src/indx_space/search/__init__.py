"""Searching a space: by words, by meaning, and by both."""
