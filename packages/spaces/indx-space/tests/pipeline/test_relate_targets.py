"""From a link as written to the document it leads to."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_space.relating.targets import Targets

PATHS = [
    "README.md",
    "Guide.md",
    "docs/a.md",
    "docs/b c.md",
    "docs/index.md",
    "docs/sub/README.md",
    "docs/sub/deep.md",
    "docs/100%.md",
    "docs/a%20b.md",
    "docs/v1.2/notes.md",
    "web/index.html",
    "web/page.html",
    "レポート/ガイド.md",
    "pack.zip!/in.md",
    "pack.zip!/sub/x.md",
    "pack.zip!/inner.zip!/y.md",
    "Twin.md",
    "twin.MD",
]


@pytest.fixture(scope="module")
def targets():
    return Targets(PATHS)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("docs/a.md", "sub/deep.md", "docs/sub/deep.md"),
        ("docs/a.md", "./sub/deep.md", "docs/sub/deep.md"),
        ("docs/a.md", "../README.md", "README.md"),
        ("docs/sub/deep.md", "../../Guide.md", "Guide.md"),
        ("docs/a.md", "sub/deep.md#part-2", "docs/sub/deep.md"),
        ("docs/a.md", "sub/deep.md?raw=1#x", "docs/sub/deep.md"),
        ("docs/a.md", "<b c.md>", "docs/b c.md"),
        ("docs/a.md", "b%20c.md", "docs/b c.md"),
        ("docs/a.md", " b%20c.md ", "docs/b c.md"),
        ("docs/a.md", "/docs/index.md", "docs/index.md"),
        ("docs/sub/deep.md", "/README.md", "README.md"),
        ("README.md", "docs", "docs/index.md"),
        ("README.md", "docs/", "docs/index.md"),
        ("README.md", "docs/sub", "docs/sub/README.md"),
        ("README.md", "web/", "web/index.html"),
        ("docs/sub/deep.md", "..", "docs/index.md"),
        ("docs/sub/deep.md", ".", "docs/sub/README.md"),
        ("docs/a.md", "sub/deep", "docs/sub/deep.md"),
        ("docs/a.md", "sub/deep/", "docs/sub/deep.md"),
        ("docs/a.md", "sub/deep.md/#part", "docs/sub/deep.md"),
        ("README.md", "web/page", "web/page.html"),
        ("docs/a.md", "v1.2/notes", "docs/v1.2/notes.md"),
        ("docs/a.md", "SUB/Deep.MD", "docs/sub/deep.md"),
        ("docs/a.md", "..\\Guide.md", "Guide.md"),
        ("docs/a.md", "100%.md", "docs/100%.md"),
        ("docs/a.md", "100%25.md", "docs/100%.md"),
        ("docs/a.md", "a%20b.md", "docs/a%20b.md"),
        ("README.md", "レポート/ガイド.md", "レポート/ガイド.md"),
        ("README.md", unicodedata.normalize("NFD", "レポート/ガイド.md"), "レポート/ガイド.md"),
        (
            "README.md",
            "%E3%83%AC%E3%83%9D%E3%83%BC%E3%83%88/%E3%82%AC%E3%82%A4%E3%83%89.md",
            "レポート/ガイド.md",
        ),
        ("README.md", "Twin.md", "Twin.md"),
        ("README.md", "twin.MD", "twin.MD"),
        ("pack.zip!/in.md", "sub/x.md", "pack.zip!/sub/x.md"),
        ("pack.zip!/sub/x.md", "/in.md", "pack.zip!/in.md"),
        ("pack.zip!/sub/x.md", "../in.md", "pack.zip!/in.md"),
    ],
)
def test_links_resolve_like_paths(targets, source, target, found):
    assert targets.find(source, target) == found


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("docs/a.md", "https://example.org/docs/a.md"),
        ("docs/a.md", "mailto:a@b.c"),
        ("docs/a.md", "//host/docs/index.md"),
        ("docs/a.md", "javascript:README.md"),
        ("docs/a.md", "C:/README.md"),
        ("docs/a.md", ""),
        ("docs/a.md", "#part"),
        ("docs/a.md", "?x=1"),
        ("docs/a.md", "a.md"),
        ("docs/a.md", "a.md#part"),
        ("docs/a.md", "none.md"),
        ("docs/a.md", "../../README.md"),
        ("docs/a.md", "/../README.md"),
        ("docs/a.md", "..%2FREADME.md"),
        ("docs/a.md", "%2e%2e%2fREADME.md"),
        ("docs/a.md", "sub%5Cdeep.md"),
        ("docs/a.md", "sub/deep.md%00"),
        ("docs/a.md", "TWIN.md"),
        ("README.md", "/TWIN.md"),
        ("pack.zip!/in.md", "../README.md"),
        ("pack.zip!/inner.zip!/y.md", "../in.md"),
        ("docs/a.md", "x" * 5000),
    ],
)
def test_what_leads_nowhere_or_out_is_no_edge(targets, source, target):
    assert targets.find(source, target) is None


def test_a_dot_segment_in_percent_code_is_a_dot_segment_and_stays_inside(targets):
    assert targets.find("docs/sub/deep.md", "%2e%2e/a.md") == "docs/a.md"
    assert targets.find("docs/a.md", "%2e%2e/%2e%2e/README.md") is None


@given(st.sampled_from(PATHS), st.text("a.b/%2eEfF#?\\ <>CRDMmdé\0", max_size=20))
def test_whatever_is_written_leads_to_a_document_or_nowhere(source, target):
    found = Targets(PATHS).find(source, target)
    assert found is None or (found in PATHS and found != source)
