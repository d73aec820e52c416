"""The spectral chunk graph: multi-hop questions answered within a token budget."""

__all__: list[str] = []
