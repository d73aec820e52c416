"""Element names by what they do."""

from __future__ import annotations

__all__ = [
    "APART",
    "BLOCKS",
    "CONTENT",
    "FORMATTING",
    "HIDDEN",
    "PARAGRAPHS",
    "PREFORMATTED",
    "RAW_TEXT",
    "SCOPE",
    "SCOPED",
    "SKIPPED",
    "SPECIAL",
    "TABLE_PARTS",
    "VOID",
]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# How the parser treats them (HTML standard, "the stack of open elements"); "h" stands for h1 to h6.
FORMATTING = _names("b big code em font i nobr s small strike strong tt u")
VOID = _names(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr"
)
RAW_TEXT = _names("script style xmp iframe noembed noframes title textarea plaintext")
TABLE_PARTS = _names("caption colgroup tbody thead tfoot tr td th table")
SCOPE = _names(
    "applet button caption desc foreignobject marquee mi mn mo ms mtext annotation-xml object select table td"
    " template th title"
)
SPECIAL = SCOPE | _names(
    "address article aside blockquote center colgroup dd details dir div dl dt fieldset figcaption figure"
    " footer form frameset h header hgroup li listing main menu nav noscript ol p plaintext pre search"
    " section summary tbody tfoot thead tr ul"
)
# Their end tags are looked for within the scope; those of others end at whatever is special.
SCOPED = _names(
    "address applet article aside blockquote button center dd details dir div dl dt fieldset figcaption"
    " figure footer form h header hgroup listing main marquee menu nav object ol p pre search section select"
    " summary template ul"
)

# How they are read. Nothing in SKIPPED is text: code, styles, markup kept as characters.
SKIPPED = _names("script style base meta link noembed noframes rp param source track")
# A browser shows none of these on an ordinary page.
HIDDEN = _names(
    "template noscript datalist audio video canvas annotation annotation-xml defs symbol metadata"
)
BLOCKS = _names(
    "address article aside body center dd details dialog div dt fieldset figcaption footer form frameset"
    " header hgroup html legend main nav optgroup option search section summary"
)
PARAGRAPHS = _names("p blockquote pre listing xmp plaintext dl table hr figure h1 h2 h3 h4 h5 h6")
APART = _names("noscript template button select textarea input label meter progress object text tspan")
PREFORMATTED = _names("pre listing xmp plaintext textarea")
# Where a header or footer belongs to a part of the content, not to the page.
CONTENT = _names("article aside main section blockquote details dialog fieldset figure td th")
