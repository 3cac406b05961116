"""The texts alone of a file that holds a whole campaign, for a test set."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from campaigns.actions.test_sets import SegmentRecord
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.campaign_readers import ALIASES, READERS
from exchange.formats.parallel_text import ImportFiles
from exchange.read_campaigns import CampaignSource, in_order_of_documents

FORMATS = (*READERS, *ALIASES)


def read_texts(files: ImportFiles, format: str, problems: Problems) -> Iterator[SegmentRecord]:
    """Everything that is wrong with the campaign is wrong with its texts."""
    if files.path is None:
        return
    languages = (files.genmt.source_language, files.genmt.target_language)
    read = READERS[ALIASES.get(format, format)](
        CampaignSource(files.path, files.name_of(files.path), languages, files.campaign_id), problems
    )
    if read is None:
        raise UnreadableFileError
    problems.note(_("Only the texts are read. As a campaign the file has people, screens, practice and checks, too."))
    yield from in_order_of_documents(read.documents)
