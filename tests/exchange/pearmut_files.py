"""Small files of campaigns in Pearmut's form."""

import json
from pathlib import Path
from typing import Any

from exchange.campaign_imports import import_campaign
from exchange.judgment_files import CampaignOutcome
from exchange.pearmut_campaigns import SPECIAL
from exchange.read_campaigns import CampaignSource


def load(path: Path, name: str = "Study", target: str = "de", **options: Any) -> CampaignOutcome:
    return import_campaign(CampaignSource(path, path.name, ("en", target), **options), format="pearmut", name=name)


def document(*systems: str, name: str = "news_###_quay_###_0", **more: Any) -> list[dict[str, Any]]:
    return [{"item_id": name, "src": "Late.", "tgt": {system: f"{system}." for system in systems}, **more}]


def write(path: Path, data: Any, **info: Any) -> Path:
    special = {key: info.pop(key) for key in list(info) if key in SPECIAL}
    path.write_text(json.dumps({"campaign_id": "c", "info": info, "data": data, **special}), encoding="utf-8")
    return path
