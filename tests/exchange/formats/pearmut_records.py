"""Records of Pearmut, written to files and read as a campaign."""

import json
from pathlib import Path
from typing import Any

from exchange.judgment_files import CampaignOutcome, FromCampaign, import_judgments


def load(path: Path, campaign: Path | None = None, **options: str) -> CampaignOutcome:
    of = FromCampaign(campaign, options.pop("campaign_id", ""))
    return import_judgments(path, format="pearmut", name="Study", of=of, **options)  # type: ignore[arg-type]


def segment(number: int = 0, /, **texts: object) -> dict[str, Any]:
    return {"item_id": f"news_###_quay_###_{number}", "src": f"Line {number}.", "tgt": texts}


def cell(score: object, *marks: tuple[int, int]) -> dict[str, Any]:
    spans = [{"start_i": start, "end_i": end, "severity": "minor"} for start, end in marks]
    return {"score": score, "error_spans": spans, "textfield": None}


def record(*pairs: tuple[dict[str, Any], dict[str, Any]], **fields: Any) -> dict[str, Any]:
    items, annotation = zip(*pairs, strict=True)
    return {"user_id": "ash", "item_i": 0, "item": items, "annotation": annotation, "actions": []} | fields


def write(path: Path, *records: object, campaign: str = "c") -> Path:
    path.write_text(json.dumps({campaign: records}), encoding="utf-8")
    return path
