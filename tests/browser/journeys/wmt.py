"""The journeys' texts as files of WMT's general task, and annotators who answer a whole screen at once."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from playwright.sync_api import FilePayload

from tests.browser.journeys.annotators import Annotator, Mind
from tests.browser.journeys.texts import SYSTEMS, Output, Texts
from tests.genmt_files import document, lines, output

TAIL = "so weit die Sache heute reicht"  # words enough to change places
_MARKUP = re.compile(r"</?p>|\s+$")


class WmtTexts(Texts):
    """Each segment is a paragraph of its document."""

    @cached_property
    def outputs(self) -> list[Output]:
        return [replace(output, text=f"{output.text} {TAIL}") for output in super().outputs]

    def recognised(self, shown: str, source: str | None) -> tuple[Output, bool]:
        return super().recognised(_MARKUP.sub("", shown), source)

    def files(self) -> list[FilePayload]:
        first = [output for output in self.outputs if output.system == SYSTEMS[0]]
        sources = self._paragraphs({each.segment: f"Number {each.segment} is said in ten words." for each in first})
        files = {"wmt26": lines(*(document(name, text) for name, text in sources.items()))}
        for system in SYSTEMS:
            texts = self._paragraphs({each.segment: each.text for each in self.outputs if each.system == system})
            files[system] = lines(*(output(name, text) for name, text in texts.items()))
        return [
            FilePayload(name=f"{name}.jsonl", mimeType="application/jsonl", buffer=text.encode())
            for name, text in files.items()
        ]

    def _paragraphs(self, segments: dict[int, str]) -> dict[str, str]:
        """By document."""
        size = len(segments) // self.documents
        texts = [f"<p>{text}</p>" for _, text in sorted(segments.items())]
        return {f"d{place}": "\n".join(texts[place * size : (place + 1) * size]) for place in range(self.documents)}


@dataclass(frozen=True)
class Upended(Mind):
    """Likes best what is damaged: whoever reads nothing passes a check now and then."""

    def opinion(self, output: Output, *, is_quarrelled_over: bool, is_damaged: bool) -> float:
        if is_damaged:
            return 95.0
        return super().opinion(output, is_quarrelled_over=is_quarrelled_over, is_damaged=False)


class ScreenAnnotator(Annotator):
    def judge_everything(self, slug: str) -> int:
        judged = 0
        while assignment := self._ask("POST", f"campaigns/{slug}/assignments"):
            place = f"assignments/{assignment['id']}"
            while waiting := self._waiting(f"{place}/items"):
                rows = [item for item in waiting if item["document"] == waiting[0]["document"]]
                self._ask("POST", f"{place}/screens", {"judgments": [self._row(item) for item in rows]})
                judged += len(rows)
        return judged

    def _row(self, item: dict[str, Any]) -> dict[str, Any]:
        return {"item": item["id"], **self._judgment(item)}
