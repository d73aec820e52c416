"""The three lanes keep the rules of their port."""

from indx_classifier_words.provider import chunk, document, page
from indx_testkit.lanes import ClassifierKit

TEXTS = (
    "INVOICE\nInvoice number 7, invoice date 1 May, bill to A, amount due 5",
    "nothing of the kind",
    "請求書 請求日 請求番号 振込先 小計",
)


class TestDocument(ClassifierKit):
    factory = staticmethod(document)
    texts = TEXTS


class TestPage(ClassifierKit):
    factory = staticmethod(page)
    texts = TEXTS


class TestChunk(ClassifierKit):
    factory = staticmethod(chunk)
    texts = TEXTS
