"""What is chosen for a test set of WMT's general task, and the report on what was read."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.actions.media import MediumFile
from campaigns.reading.problems import Problems
from exchange.formats.genmt_mending import Mended
from exchange.formats.genmt_segments import AUTO
from exchange.formats.paragraph_alignment import MENDED, MERGED

LISTED = 1_000  # of realigned documents, equal outputs and so on; all are counted
NAMED = 5  # in a note


@dataclass(frozen=True)
class GenmtChoices:
    """`pair` as the file has it (`eng_Latn-deu_Latn`); empty: the one that fits the languages, where these are given.

    `set_name` empty: the file's own WMT set. `assets` is the folder of videos and pictures. `mended` documents that do
    not fit what is read are errors, or with `drops_unfit` left out with a note.
    """

    source_language: str = ""
    target_language: str = ""
    pair: str = ""
    set_name: str = ""
    split: str = AUTO
    assets: Path | None = None
    mended: tuple[Mended, ...] = ()
    drops_unfit: bool = False

    def chosen(self) -> str:
        """What changes the texts, beside the languages."""
        split = "" if self.split == AUTO else self.split
        mended = json.dumps([each.as_json() for each in self.mended]) if self.mended else ""
        parts = {"pair": self.pair, "set": self.set_name, "split": split, "mended": mended}
        return "".join(f"{name} {value}\n" for name, value in parts.items() if value)


@dataclass(frozen=True)
class PairInFile:
    pair: str
    set_name: str
    documents: int

    def __str__(self) -> str:
        return f"{self.pair} {self.set_name} ({self.documents})"


@dataclass(frozen=True)
class Realigned:
    """A document in which a system (or a reference) has another number of paragraphs than the source."""

    system: str
    document: str
    blocks: int
    segments: int
    how: str
    sources: Sequence[str] = ()
    parts: Sequence[str] = ()

    def __str__(self) -> str:
        if self.how == MENDED:
            message = _("%(system)s, %(document)s: divided into %(segments)d by hand.")
        elif self.how == MERGED:
            message = _("%(system)s, %(document)s: %(blocks)d paragraphs were merged into %(segments)d.")
        else:
            message = ngettext(
                "%(system)s, %(document)s: %(blocks)d paragraph was split into %(segments)d.",
                "%(system)s, %(document)s: %(blocks)d paragraphs were split into %(segments)d.",
                self.blocks,
            )
        return message % self.as_json()

    def as_json(self) -> dict[str, Any]:
        names = ("system", "document", "blocks", "segments", "how")
        return {name: getattr(self, name) for name in names}

    def with_texts(self) -> dict[str, Any]:
        """All that somebody needs to mend it."""
        return self.as_json() | {"sources": list(self.sources), "parts": list(self.parts)}


@dataclass
class AssetReport:
    """`images` counts the pictures that belong to a segment each; `unequal` names folders with too few or too many.

    Without a folder (`is_checked` False) everything that the documents name is missing.
    """

    images: int = 0
    missing: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    media_documents: int = 0
    is_checked: bool = False
    files: list[MediumFile] = field(default_factory=list)  # what is stored beside the texts

    def as_json(self) -> dict[str, Any]:
        return {"images_of_segments": self.images, "missing": self.missing, "unused": self.unused} | (
            {"unequal": self.unequal} if self.unequal else {}
        )


@dataclass
class GenmtReport:
    """`segments_per_document` and `domains` are of the documents that are right, in their order."""

    pairs: list[PairInFile] = field(default_factory=list)
    pair: str = ""
    set_name: str = ""
    languages: dict[str, str] = field(default_factory=dict)
    is_undecided: bool = False
    segments_per_document: list[int] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    other_pair: int = 0
    other_set: int = 0
    unknown_documents: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failed_documents: dict[str, list[str]] = field(default_factory=dict)
    realigned: list[Realigned] = field(default_factory=list)
    realigned_counts: Counter[str] = field(default_factory=Counter)
    mended: int = 0  # of the realigned ones
    unfit: list[str] = field(default_factory=list)
    empty_parts: int = 0
    identical_outputs: list[dict[str, Any]] = field(default_factory=list)
    identical: int = 0
    doubled: int = 0
    unsafe_paths: int = 0
    instructions: int = 0
    assets: AssetReport = field(default_factory=AssetReport)

    def add_realigned(self, document: Realigned) -> None:
        self.realigned_counts[document.system] += 1
        self.mended += document.how == MENDED
        self.empty_parts += sum(not part.strip() for part in document.parts)
        if len(self.realigned) < LISTED:
            self.realigned.append(document)

    def add_failed(self, system: str, document: str) -> None:
        self.failed[system] += 1
        named = self.failed_documents.setdefault(system, [])
        if len(named) < LISTED:
            named.append(document)

    def add_identical(self, document: str, segment: int, systems: Sequence[str]) -> None:
        self.identical += 1
        if len(self.identical_outputs) < LISTED:
            self.identical_outputs.append({"document": document, "segment": segment, "systems": list(systems)})

    @property
    def unconfirmed(self) -> int:
        """Documents whose parts are a proposal; those mended by hand are confirmed."""
        return self.realigned_counts.total() - self.mended

    def realigned_sentences(self) -> Iterator[str]:
        """Why nothing is stored before somebody has looked at these documents."""
        total = self.unconfirmed
        proposed = [document for document in self.realigned if document.how != MENDED]
        message = _(
            "Documents whose paragraphs do not correspond to those of the source: %(count)d. Look at each of them and "
            "confirm them, or correct the files."
        )
        yield message % {"count": total}
        yield from map(str, proposed)
        if hidden := total - len(proposed):
            yield _("… and %(count)d more.") % {"count": hidden}

    def stored(self) -> dict[str, Any]:
        """What is kept with the test set."""
        names = ("pair", "set", "left_out", "failed_documents", "realigned", "realigned_by_system", "assets")
        report = self.as_json()
        return {name: report[name] for name in names}

    def as_json(self) -> dict[str, Any]:
        """The report under the names of docs/formats.md."""
        unknown = {"unknown_documents": dict(self.unknown_documents)}
        return {
            "pair": self.pair,
            "set": self.set_name,
            "segments_per_document": self.segments_per_document,
            "domains": self.domains,
            "left_out": {"other_pair": self.other_pair, "other_set": self.other_set, **unknown},
            "failed_documents": self.failed_documents,
            "realigned": [document.as_json() for document in self.realigned],
            "realigned_by_system": dict(self.realigned_counts),
            "identical_outputs": self.identical_outputs,
            "assets": self.assets.as_json(),
            "refused": {"doubled_documents": self.doubled, "unsafe_paths": self.unsafe_paths},
            "kept_and_reported": {
                "realigned_documents": self.realigned_counts.total(),
                "empty_after_splitting": self.empty_parts,
                "failed_documents": self.failed.total(),
                "unknown_documents": self.unknown_documents.total(),
                "identical_outputs": self.identical,
                "images_not_matching": len(self.assets.unequal),
            },
        }

    def add_notes(self, problems: Problems) -> None:
        for note in self._notes():
            problems.note(note)

    def _notes(self) -> Iterator[str]:
        if self.other_pair:
            yield _("Documents of other language pairs, left out: %(count)d.") % {"count": self.other_pair}
        if self.other_set:
            yield _("Documents of other sets, left out: %(count)d.") % {"count": self.other_set}
        counted = (
            (self.unknown_documents, _("Outputs for documents that the test set does not have, left out: %(counts)s.")),
            (self.failed, _("Documents without an output (FAILED or empty), each a gap of its system: %(counts)s.")),
            (
                self.realigned_counts,
                _("Documents whose paragraphs were merged or split to fit the source; look at them: %(counts)s."),
            ),
        )
        for counts, message in counted:
            if counts:
                named = ", ".join(f"{system} {count}" for system, count in counts.items())
                yield message % {"counts": named}
        if self.mended:
            yield _("Of these, mended by hand: %(count)d.") % {"count": self.mended}
        if self.unfit:
            message = _("Mended by hand, but not fitting what is read now, so left out: %(documents)s.")
            shown = ", ".join(self.unfit[:NAMED]) + (" …" if len(self.unfit) > NAMED else "")
            yield message % {"documents": shown}
        if self.identical:
            yield _("Segments in which several systems have the same output: %(count)d.") % {"count": self.identical}
        if self.instructions:
            message = _("Documents with an instruction, which annotators read above their text: %(count)d.")
            yield message % {"count": self.instructions}
        yield from self._asset_notes()

    def _asset_notes(self) -> Iterator[str]:
        assets = self.assets
        if not assets.media_documents:
            return
        if not assets.is_checked:
            message = _(
                "Documents with a video or pictures: %(count)d. Add the files under Test sets, or by add_media."
            )
            yield message % {"count": assets.media_documents}
            return
        message = _(
            "Documents with a video or pictures: %(count)d. Pictures that belong to a segment each: %(images)d."
        )
        yield message % {"count": assets.media_documents, "images": assets.images}
        listed = (
            (assets.missing, _("Missing video or pictures (%(count)d): %(names)s.")),
            (assets.unequal, _("Not one picture for each segment, so none is used (%(count)d): %(names)s.")),
            (assets.unused, _("Unused files of the folder (%(count)d): %(names)s.")),
        )
        for names, message in listed:
            if names:
                shown = ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
                yield message % {"count": len(names), "names": shown}
