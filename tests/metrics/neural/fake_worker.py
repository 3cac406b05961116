"""A program that speaks neural_worker's side of the conversation without any library: scores are shares of words.

`plan.json` in FAKE_HOME says how it behaves; what it was asked and what it answered is in `diary.jsonl` there.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

HOME = Path(os.environ.get("FAKE_HOME", "."))
BATCH = 4


def plan() -> dict[str, Any]:
    path = HOME / "plan.json"
    content: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return content


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def note(**entry: Any) -> None:
    with (HOME / "diary.jsonl").open("a", encoding="utf-8") as diary:
        diary.write(json.dumps(entry) + "\n")


def share(text: str, other: str) -> float:
    own, others = set(text.lower().split()), set(other.lower().split())
    return len(own & others) / max(1, len(own | others))


def score(request: dict[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    others = item["refs"] or [item["src"]]
    best = max(share(item["mt"], each) for each in others)
    answer: dict[str, Any] = {"id": item["id"], "score": best}
    if request["model"]["kind"] == "encoder":
        answer["values"] = [best, best, best]
    if "marks" in request["model"]["name"] and item["mt"]:
        answer["spans"] = [{"start": 0, "end": len(item["mt"].split()[0]), "severity": "major"}]
    if len(item["mt"]) > 60:
        answer["is_cut"] = True
    return answer


def perform(request: dict[str, Any], doing: dict[str, Any]) -> None:
    number, items = request["request"], request["items"]
    note(
        asked=[item["mt"] for item in items],
        metric=request["metric"],
        options=request["options"],
        corpus={name: len(texts) for name, texts in request.get("corpus", {}).items()},
        first=items[0] if items else None,
        unsafe=os.environ.get("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"),
        secret=os.environ.get("ASSAY_SECRET_KEY"),
        offline=os.environ.get("HF_HUB_OFFLINE"),
        threads=os.environ.get("OMP_NUM_THREADS"),
        pid=os.getpid(),
    )
    if "error" in doing:
        say(request=number, error=doing["error"])
        return
    say(request=number, progress=0)
    for start in range(0, len(items), BATCH):
        if doing.get("dies_after") is not None and start >= doing["dies_after"]:
            os.kill(os.getpid(), signal.SIGKILL)
        if doing.get("dies_at") in [item["mt"] for item in items[start : start + BATCH]]:
            os.kill(os.getpid(), signal.SIGKILL)
        while doing.get("waits") and not (HOME / "go").exists():
            time.sleep(0.02)
        for item in items[start : start + BATCH]:
            say(request=number, **{**score(request, item), **doing.get("answer", {})})
        say(request=number, progress=min(len(items), start + BATCH))
    say(
        request=number,
        done=len(items),
        libraries="torch-2.0",
        precision=doing.get("precision", "float32"),
        device="cpu",
    )


def main() -> None:
    for line in sys.stdin:
        doing = plan()
        if "line" in doing:
            sys.stdout.write(doing["line"] + "\n")
            sys.stdout.flush()
        requests = doing.get("only_for")
        perform(json.loads(line), doing if requests is None or _number(line) in requests else {})


def _number(line: str) -> int:
    return int(json.loads(line)["request"])


if __name__ == "__main__":
    main()
