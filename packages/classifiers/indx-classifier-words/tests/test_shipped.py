"""The shipped taxonomy: what it finds, and what it keeps quiet about."""

from __future__ import annotations

from indx_classifier_words import document
from indx_classifier_words._reading import shipped
from indx_core.ports import LaneContext, Scored

DOCUMENTATION = """
# Policies and access control

A policy names a subject, a resource and an action. To report a problem, see the FAQ or open an issue; include
the output of `tool version`. The agreement between cluster and repository is checked on every sync; a
termination request ends it. See the manual of your provider for the specification of the form fields, the
terms of the license, and the minutes between retries. Orders of operations are listed in the table below.
Thank you for contributing! Next steps: read about the roadmap, or how to quote strings. The letter case of
keys matters.

| field | description | default |
|---|---|---|
| invoice | a label in the example | none |
| receipt | another label | none |
"""


def labels(text: str, facet: str) -> list[str]:
    (answer,) = document().classify([text], LaneContext("text/plain")).items
    assert answer is None or isinstance(answer, dict)
    return [scored.label for scored in (answer or {}).get(facet, ())]


def test_it_finds_the_type_of_a_business_document(typed_document: tuple[str, str]) -> None:
    expected, text = typed_document
    assert labels(text, "document_type")[0] == expected


def test_a_page_of_documentation_has_no_document_type() -> None:
    assert labels(DOCUMENTATION, "document_type") == []


def test_it_finds_business_unit_and_industry() -> None:
    ward = "The patient was seen by a physician; diagnosis and treatment, medication, symptoms."
    assert labels(ward, "industry") == ["healthcare"]
    assert labels("人事部より、採用と給与、賞与、有給休暇について", "business_unit") == ["human_resources"]


def test_every_label_has_both_names_and_words_of_both_languages() -> None:
    taxonomy = shipped()
    assert list(dict.fromkeys(label.facet for label in taxonomy.labels)) == [
        "document_type",
        "business_unit",
        "industry",
    ]
    for label in taxonomy.labels:
        assert label.names["ja"] != label.names["en"]
        assert any(word.isascii() for word in label.words), label
        assert any(not word.isascii() for word in label.words), label


def test_the_confidence_is_the_share_of_the_list_that_stands_in_the_text() -> None:
    invoice = next(label for label in shipped().labels if label.label == "invoice")
    four = sorted(word for word in invoice.words if word.isascii())[:4]
    found = shipped().found(" / ".join(four)) & invoice.words
    answer = shipped().classify(" / ".join(four))["document_type"]
    assert Scored("invoice", len(found) / len(invoice.words)) in answer
