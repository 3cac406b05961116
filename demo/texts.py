"""The demo's test sets, its annotators' names, and what they agree to."""

from pathlib import Path

from demo.campaign import DemoTestSet

FOLDER = Path(__file__).parent
HARBOUR = DemoTestSet("Harbour news", "harbour.en-de.jsonl", "de")
ISLAND = DemoTestSet("Island notes", "island.en-de.jsonl", "de")
LIBRARY = DemoTestSet("Library cat", "library.en-he.jsonl", "he")
MARKET = DemoTestSet("Night market", "market.zh-en.jsonl", "en", source_language="zh")
VILLAGE = DemoTestSet("Village stories", "village.en-ar.jsonl", "ar")
# What automatic metrics score: a test set with a reference, in many campaigns.
SCORED = (HARBOUR,)
ANNOTATORS = (
    "Ada Brandt",
    "Bela Castellan",
    "Cleo Drummond",
    "Dario Ekwueme",
    "Edda Falk",
    "Femi Grant",
    "Gesa Holm",
    "Hugo Ishii",
    "Ines Jansen",
    "Jonah Kerr",
    "Kaja Lindgren",
    "Leon Moreau",
)
CONSENT = """
Your answers are stored with a number, not with your name, and may be published as research data. You can stop at any
time; what you have judged until then stays.
"""
