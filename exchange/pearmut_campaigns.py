"""A file of a Pearmut campaign, read whole: its documents, screens, people, practice and checks."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.practising import MOST_ITEMS
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.pearmut_campaign import DYNAMIC, TASKS, DocumentReader
from exchange.formats.pearmut_forms import checked_forms
from exchange.formats.pearmut_info import Info, read_info
from exchange.formats.pearmut_media import found_media
from exchange.formats.pearmut_records import chosen_campaign, is_json, whole_json
from exchange.read_campaigns import CampaignSource, ReadCampaign
from exchange.reading import SourceFile

SPECIAL = ("data_welcome", "data_random", "data_goodbye")


def read_campaign_file(source: CampaignSource, problems: Problems) -> ReadCampaign | None:
    """None, with everything that is wrong among the problems, for a file that cannot be imported."""
    file = SourceFile(source.path, source.name, problems)
    with suppress(UnreadableFileError):
        file.check_is_text(is_json)
        value = whole_json(file)
        several = value if isinstance(value, list) else [value]
        campaigns = {str(one.get("campaign_id", "")): one for one in several if isinstance(one, Mapping)}
        chosen = chosen_campaign(file, list(campaigns), source.campaign_id)
        read = _read(file, chosen, campaigns[chosen])
        if not problems.count:
            read.media, read.missing = found_media(read.documents.media, source.assets, problems)
        return None if problems.count else read
    return None


def _read(file: SourceFile, campaign_id: str, value: Mapping[str, Any]) -> ReadCampaign:
    reader = DocumentReader(file, [], is_contrastive=True)
    info = read_info(value.get("info"), reader.line)
    reader.tags = [name for name, _title in info.tags]
    reader.protocol = info.protocol
    reader.is_contrastive = info.is_contrastive and info.assignment != DYNAMIC
    for part in SPECIAL:
        if value.get(part):
            reader.special(value[part], part)
    reader.read.questions = checked_forms(reader.read.questions, reader.line)
    data = value.get("data")
    if info.assignment != TASKS:
        reader.stream(data, "data")
    else:
        info = _read_tasks(reader, data, info)
    if info.assignment == DYNAMIC:
        _check_dynamic(reader)
    if not reader.read.segments and not file.problems.count:
        reader.refuse("data", _("The campaign has no documents to judge."))
    if sum(map(len, reader.read.practice.values())) > MOST_ITEMS:
        reader.refuse("data_welcome", _("A campaign has at most %(most)d practice items.") % {"most": MOST_ITEMS})
    return ReadCampaign(campaign_id, info, reader.read)


def _read_tasks(reader: DocumentReader, data: object, info: Info) -> Info:
    """The documents of each user; as an object they are by name."""
    if isinstance(data, Mapping):
        by_user = [(f"data.{name}", documents) for name, documents in data.items()]
    elif isinstance(data, list):
        by_user = [(f"data[{place}]", documents) for place, documents in enumerate(data)]
    else:
        reader.refuse("data", _("This must be a list of users' documents."))
        return info
    for where, documents in by_user:
        reader.stream(documents, where)
    if info.people and info.people != len(by_user):
        message = _("There are documents of %(count)d users, but `users` has %(people)d.")
        reader.refuse("info.users", message % {"count": len(by_user), "people": info.people})
    if info.people:
        return info
    names = [str(name) for name in data] if isinstance(data, Mapping) else []
    return Info(**{**vars(info), "users": names, "user_count": 0 if names else len(by_user)})


def _check_dynamic(reader: DocumentReader) -> None:
    screens = [screen for several in reader.read.screens for screen in several]
    for place, screen in enumerate(screens):
        if set(screen.systems) != set(screens[0].systems):
            reader.refuse(f"data[{place}]", _("In a dynamic campaign all documents need the same systems."))
