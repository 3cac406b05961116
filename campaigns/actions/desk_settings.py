"""How a person set their judging desk: keys of one's own, and the size of the texts. It follows them to each device."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from campaigns.invalid_input import InvalidInput
from campaigns.models import Account

TEXT_SIZES = ("small", "medium", "large", "larger")
_MOST_KEYS = 60
# As a key cap shows them: a letter or a sign, or a key with a name. Digits are for scores.
_CAP = re.compile(r"[^\s\d\x00-\x1f]|Enter|Del|Space")


@dataclass(frozen=True)
class DeskSettings:
    """`keys` are those that were changed: from the key that the desk's help names to the one that is pressed."""

    keys: Mapping[str, str] = field(default_factory=dict)
    text_size: str = "medium"


def desk_settings_of(account: Account) -> DeskSettings:
    return DeskSettings(**(account.desk or {}))


def set_desk(*, account: Account, entered: Mapping[str, Any]) -> DeskSettings:
    """Replaces what was stored; raises InvalidInput with all that is wrong.

    Which keys the desk of a protocol has, and which of them collide there, is known to the desk alone.
    """
    keys, text_size = entered.get("keys", {}), entered.get("text_size", "medium")
    errors: dict[str, list[str]] = {}
    if text_size not in TEXT_SIZES:
        errors["text_size"] = [_("Unknown size. Allowed: %(sizes)s.") % {"sizes": ", ".join(TEXT_SIZES)}]
    if not isinstance(keys, dict) or len(keys) > _MOST_KEYS:
        errors["keys"] = [_("Give at most %(count)s keys, each with the one to press.") % {"count": _MOST_KEYS}]
    elif wrong := [cap for pair in keys.items() for cap in pair if not _is_cap(cap)]:
        errors["keys"] = [_("Not a key that can be changed: %(keys)s.") % {"keys": ", ".join(map(str, wrong[:5]))}]
    if errors:
        raise InvalidInput(errors)
    settings = DeskSettings(keys, text_size)
    account.desk = asdict(settings)
    account.save(update_fields=["desk"])
    return settings


def _is_cap(cap: object) -> bool:
    return isinstance(cap, str) and _CAP.fullmatch(cap) is not None
