"""What the demo's campaigns are called, and what their annotators are told."""

from pathlib import Path

FOLDER = Path(__file__).parent
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
GUIDELINES = """
# How to judge

Read the source first, then the translation, and ask one question only: **how much of the meaning arrives?**

- Style, commas and word order count only where they change what is understood.
- A missing half-sentence is as bad as a wrong one.
- You see whole texts. Judge each segment by itself, but let the text around it help you to understand it.

Use the whole scale. It is your scale: it will be compared with yourself before it is compared with others.

Some items are shown twice, and in some a few words were damaged on purpose. There is no trick in them: read as always.
"""
CONSENT = """
Your scores are stored with a number, not with your name, and may be published as research data. You can stop at any
time; what you have judged until then stays.
"""
