"""Pack: the finished space is written to the output directory in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_space.packing import pack

if TYPE_CHECKING:
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["Pack"]


class Pack:
    """Writes archive, index, chunks, vectors, and what writers add; nothing without an output."""

    name = "Pack"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Write the space."""
        build = self._build
        if build.transaction is None:
            return ctx
        registry = build.engine.registry
        found = [registry.find("indx.writers", name) for name in build.config.output.writers]
        writers = [provider.item for provider in found if provider is not None]
        build.progress(self.name, 0, 1)

        def told(parts: list[tuple[int, int]], relations: int) -> None:
            build.notes.parts, build.notes.relations = parts, relations

        ctx.space.lexical_index(build.terms)  # most of its texts are cut already
        pack(ctx.space, build.transaction, writers=writers, made_by=build.made_by, told=told)
        build.progress(self.name, 1, 1)
        return ctx
