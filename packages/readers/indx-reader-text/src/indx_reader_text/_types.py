"""Media types of text, and the file name extensions that stand for them."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CARDS",
    "CODE",
    "COMPRESSED",
    "ESCAPED",
    "EXTENSIONS",
    "FOREIGN",
    "JSON",
    "JSONS",
    "JSON_LINES",
    "MARKDOWN",
    "MEDIA_TYPES",
    "NOTEBOOK",
    "PLAIN",
    "PROPERTIES",
    "SEPARATED",
    "SUBSTATION",
    "SUBTITLES",
    "SVG",
    "XML",
]

PLAIN: Final = "text/plain"
NOTEBOOK: Final = "application/x-ipynb+json"
MARKDOWN: Final = ("text/markdown", "text/x-markdown")
SEPARATED: Final = {
    "text/csv": None,
    "application/csv": None,
    "text/tab-separated-values": "\t",
}
"""Types of records in lines, and the separator that the type itself names."""
JSON: Final = "application/json"
JSON_LINES: Final = "application/x-ndjson"
SVG: Final = "image/svg+xml"
PROPERTIES: Final = "text/x-java-properties"
ESCAPED: Final = ("application/yaml", "application/x-yaml", "text/yaml", "application/toml")
"""Types whose quoted strings may spell characters as numbers."""
JSONS: Final = (
    JSON, JSON_LINES, "application/geo+json", "application/jsonl", "application/ld+json", "text/json",
)  # fmt: skip
CARDS: Final = ("text/calendar", "text/vcard")
SUBTITLES: Final = ("application/x-subrip", "text/vtt")
SUBSTATION: Final = "text/x-ssa"
XML: Final = ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml")

COMPRESSED: Final = {
    b"\x1f\x8b\x08": "application/gzip",
    b"BZh": "application/x-bzip2",
    b"\xfd7zXZ\0": "application/x-xz",
}
"""How compressed files begin, and their types."""

_CODE: Final = {
    "text/x-c": "c h",
    "text/x-c++": "cc cpp cxx hh hpp hxx",
    "text/x-clojure": "clj cljs",
    "text/x-cmake": "cmake",
    "text/x-csharp": "cs",
    "text/css": "css",
    "text/x-dart": "dart",
    "text/x-elixir": "ex exs",
    "text/x-erlang": "erl",
    "text/x-fortran": "f90 f95",
    "text/x-go": "go",
    "text/x-graphql": "graphql gql",
    "text/x-groovy": "groovy gradle",
    "text/x-haskell": "hs",
    "text/x-hcl": "tf hcl",
    "text/x-java": "java",
    "text/javascript": "js mjs cjs jsx",
    "text/x-julia": "jl",
    "text/x-kotlin": "kt kts",
    "text/x-less": "less",
    "text/x-lua": "lua",
    "text/x-makefile": "mk",
    "text/x-nix": "nix",
    "text/x-pascal": "pas",
    "text/x-perl": "pl pm",
    "text/x-php": "php",
    "text/x-powershell": "ps1 psm1",
    "text/x-protobuf": "proto",
    "text/x-python": "py pyi",
    "text/x-r": "r",
    "text/x-ruby": "rb",
    "text/x-rust": "rs",
    "text/x-sass": "sass scss",
    "text/x-scala": "scala",
    "text/x-sh": "sh bash zsh fish",
    "text/x-svelte": "svelte",
    "text/x-swift": "swift",
    "text/x-typescript": "ts tsx mts cts",
    "text/x-vb": "vb bas",
    "text/x-vue": "vue",
    "text/x-zig": "zig",
    "application/sql": "sql",
}
_TEXT: Final = {
    PLAIN: "txt text log ini cfg conf env",
    "text/markdown": "md markdown mdown mkd mdx",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv tab",
    "text/x-rst": "rst",
    "text/asciidoc": "adoc asciidoc",
    "text/x-tex": "tex latex ltx",
    "text/x-org": "org",
    "text/x-diff": "diff patch",
    "text/calendar": "ics",
    "text/vcard": "vcf",
    "text/vtt": "vtt",
    "application/x-subrip": "srt",
    SUBSTATION: "ass ssa",
    JSON: "json json5 jsonc",
    JSON_LINES: "jsonl ndjson",
    "application/geo+json": "geojson",
    "application/ld+json": "jsonld",
    NOTEBOOK: "ipynb",
    "application/yaml": "yaml yml",
    "application/toml": "toml",
    PROPERTIES: "properties",
    "application/xml": "xml xsd xsl xslt wsdl",
    "application/rss+xml": "rss",
    "application/atom+xml": "atom",
    SVG: "svg",
}
_ALIASES: Final = (
    "application/javascript", "application/jsonl", "application/x-sh", "application/x-yaml",
    "text/json", "text/x-log", "text/yaml",
)  # fmt: skip

CODE: Final = frozenset(_CODE) | {"application/javascript", "application/x-sh"}
"""Types of source code."""

EXTENSIONS: Final = {
    extension: kind
    for kinds in (_TEXT, _CODE)
    for kind, names in kinds.items()
    for extension in names.split()
}
"""The type by the extension of a file name, in lower case and without its dot."""

FOREIGN: Final = frozenset((
    "eml", "emlx", "eps", "fodg", "fodp", "fods", "fodt", "htm", "html", "mbox", "mht", "mhtml", "msg", "ps",
    "rtf", "shtml", "xht", "xhtml",
))  # fmt: skip
"""Extensions of formats that are written in text and are not for this reader."""

MEDIA_TYPES: Final = tuple(sorted({*_TEXT, *_CODE, *_ALIASES, *MARKDOWN, *SEPARATED, *XML}))
"""Every type this reader reads."""
