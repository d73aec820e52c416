"""YAML, TOML and Java properties: characters written as numbers are shown as themselves."""

import pytest

YAML, TOML, PROPERTIES = "application/yaml", "application/toml", "text/x-java-properties"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('a: "\\u65E5\\u672C"\n', 'a: "日本"\n'),
        ('- "\\xE9t\\xE9 \\U0001F40C \\ud83d\\udc0c"\n', '- "été 🐌 🐌"\n'),
        ('a: "\\u65e5\\\n  \\u672c\\\n  \\ \\u8a9e"\n', 'a: "日本 語"\n'),
        ('{"\\u65e5": ["\\u672c"]}', '{"日": ["本"]}'),
        ('a: "two\n  lines \\u65e5"\n', 'a: "two\n  lines 日"\n'),
        ('a: "\\\\u65e5 \\u0041 \\u200b \\ud83d \\U00110000 \\x0 \\n"\n', None),
        ("a: '[\\u4e00-\\u9fff]'\nb: [\\u4e00-\\u9fff]\n", None),
        ('run: |\n  printf "\\xe2\\x9C\\x93 \\xc3\\xa9 \\xf0\\x9f\\x98\\x80"\n', None),
        ('a: 5" \\u65e5\nb: "\\u672c"\n', 'a: 5" \\u65e5\nb: "本"\n'),
        ('a: "p\\xe4\\xe4"\n', 'a: "pää"\n'),
        ('run: |\n  echo "a" \\\n    "b"\n', None),
        ('a: "never closed \\u65e5\n', None),
    ],
)
@pytest.mark.parametrize("kind", [YAML, "text/yaml"])
def test_numbers_in_quoted_strings_of_yaml_are_shown(read, source, text, kind):
    assert read(source, kind).text == (source if text is None else text)


def test_numbers_in_quoted_strings_of_toml_are_shown(read):
    source = 'a = "\\u65e5"\nb = \'\\u65e5\'\nc = """\\U0000672c\\\n   c"""\n'
    assert read(source, TOML).text == 'a = "日"\nb = \'\\u65e5\'\nc = """本c"""\n'


def test_numbers_anywhere_in_properties_are_shown(read):
    source = "a=\\u65e5\\u672c \\\n  b\\uu00e9\n# \\u8a9e \\\\u65e5 \\u0020\\ud83d\\udc0c\n"
    assert read(source, PROPERTIES).text == "a=日本 \\\n  bé\n# 語 \\\\u65e5 \\u0020🐌\n"
