"""Where LiteLLM is missing a hosted embedder is refused, with the line that installs it."""

from __future__ import annotations

import pytest

from indx_core.errors import ConfigurationError
from indx_graph.embedding import choose_embedder


@pytest.mark.parametrize("name", ["nomic-embed-text", "litellm:openai/m"])
def test_the_install_line_is_named(monkeypatch, name):
    monkeypatch.setattr("indx_graph.hosted.is_installed", lambda: False)
    with pytest.raises(ConfigurationError, match=r"indx-graph\[llm\]") as caught:
        choose_embedder(name)
    assert (caught.value.code, caught.value.exit_code) == ("unknown_component", 3)
