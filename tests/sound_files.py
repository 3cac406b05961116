"""One sound file of each format that other programs write, small, with something in every place that is read."""

import json
from collections.abc import Sequence
from typing import Any

from tests.workbooks import rows_of_texts, workbook

_LATE = {"start": 3, "end": 6, "category": "Accuracy/Mistranslation", "severity": "Major", "is_source_error": False}
_COLUMNS = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"


def _rating(system: str, rater: str, metadata: dict[str, Any], marked: str = "Es <v>ist</v> spät.") -> str:
    category, severity = ("Fluency/Spelling", "Minor") if rater else ("", "")
    row = [system, "d", "1", "1", rater, "It is late.", marked, category, severity, json.dumps(metadata)]
    return "\t".join(row) + "\n"


MAROT = (
    _COLUMNS
    + _rating(
        "Heron",
        "anna",
        {
            "timestamp": 1_780_000_000_000,
            "note": "n",
            "feedback": {"thumbs": "up"},
            "evaluation": {"source_language": "en", "target_language": "de"},
        },
    )
    + _rating(
        "Heron",
        "",
        {"segment": {"references": {"A": "Spät."}, "reference_tokens": {"B": ["Zu", " "]}, "metrics": {"X": 1.5}}},
        "Es ist spät.",
    )
)
_PRIOR = {
    "location": "translation",
    "start": 2,
    "end": 2,
    "selected": "ist",
    "type": "fluency",
    "subtype": "spelling",
    "severity": "minor",
}
SIDE_BY_SIDE = (
    _COLUMNS
    + _rating("Heron_with_Rook", "anna", {"prior_rater": "ben", "prior_error": _PRIOR, "deleted_errors": [_PRIOR]})
    + _rating("Rook", "anna", {"segment": {"source_tokens": [["It", " "]], "target_tokens": [["Es", " "]]}})
)
_RESULT = {"errors": [{**_PRIOR, "metadata": {"note": "n"}}], "visited": True, "timestamp": 1_780_000_000_000}
ANTHEA = (
    json.dumps({"source_language": "en", "target_language": "de", "prior_rater": "anna"})
    + "\nIt is late.\tEs ist spät.\td\tHeron\t"
    + json.dumps({"prior_result": _RESULT, "prior_rater": "ben", "references": {"ref_A": "Spät."}})
    + "\n"
)
RATINGS = f"Heron\t{json.dumps({'errors': [_LATE]})}\tanna\nHeron\tNone\nRook\t[]\tben\nRook\tNone\n"
SUBSET = (
    json.dumps(
        {
            "i": 0,
            "src": "It is.",
            "ref": "Es.",
            "tgt": {"Heron": "Es ist."},
            "domain": "news",
            "doc": "d",
            "time": 3.5,
            "scores": {"Heron": {"human": 70, "chrf": 1.5}},
        }
    )
    + "\n"
)
GENMT_SCORES = (
    json.dumps(
        {
            "doc_id": "en-de_#_news_#_d_#_0",
            "src_text": "It is.",
            "tgt_text": {"Heron": "Es ist."},
            "scores": {
                "Heron": {
                    "human1": 70,
                    "errors1": [
                        {"start_i": 0, "end_i": 1, "severity": "minor"},
                        {"start_i": "missing", "end_i": "missing", "severity": "major"},
                    ],
                    "annotator1": "anna",
                    "times1": [1780000000.0, 1780000031.5],
                }
            },
        }
    )
    + "\n"
)
_MARK = {"start_i": 0, "end_i": 1, "category": None, "severity": "minor"}
_SCREEN = {
    "annotation": [{"Heron": {"score": 60, "error_spans": [_MARK], "textfield": None, "sliders": {"a": 1}}}],
    "actions": [
        {"time": 1780000000.0, "action": "load"},
        {"time": 1780000009.5, "action": "score", "index": 0, "model": "Heron", "value": 60},
    ],
    "item": [{"item_id": "news_###_d_###_1", "src": "It is.", "tgt": {"Heron": "Es ist."}}],
    "user_id": "anna",
    "item_i": 0,
    "validations": {},
    "comment": "c",
}
PEARMUT = json.dumps({"study": [_SCREEN]}) + "\n"
_SHOWN = {"item_id": "news_###_d_###_1", "src": "It is.", "ref": "Es.", "tgt": {"Heron": "Es ist.", "Rook": "Es."}}
PEARMUT_CAMPAIGN = (
    json.dumps(
        {
            "campaign_id": "study",
            "info": {
                "assignment": "task-based",
                "protocol": "cESA",
                "users": [{"user_id": "anna", "token_pass": "a", "token_fail": "b"}],
                "special_tokens": ["[missing]"],
                "validation_threshold": 0.5,
                "instructions": "<b>Read</b>",
                "shuffle": True,
            },
            "data": [
                [
                    [
                        {
                            **_SHOWN,
                            "instructions": "<i>Slowly</i>",
                            "error_spans": {"Heron": [{"start_i": 0, "end_i": 1, "severity": "minor"}]},
                        }
                    ]
                ]
            ],
            "data_welcome": [[{"text": "Hello", "form": "choices", "choices": ["a", "b"]}]],
            "data_random": [
                [
                    {
                        **_SHOWN,
                        "item_id": "attention_check_1",
                        "validation": {"Heron": {"score_greaterthan": "Rook", "score": [0, 9], "warning": "w"}},
                    }
                ]
            ],
        }
    )
    + "\n"
)
_ITEM = {
    "documentID": "d",
    "itemID": 1,
    "itemType": "TGT",
    "isCompleteDocument": False,
    "sourceID": "s",
    "sourceText": "It is.",
    "targetID": "Heron",
    "targetText": "Es ist.",
    "mqm": [{"start_i": 0, "end_i": 1, "severity": "minor"}],
}
BATCHES = (
    json.dumps(
        [
            {
                "task": {
                    "batchNo": 1,
                    "batchSize": 2,
                    "randomSeed": 1,
                    "requiredAnnotations": 1,
                    "sourceLanguage": "eng",
                    "targetLanguage": "deu",
                },
                "items": [
                    _ITEM,
                    {**_ITEM, "itemID": 2, "documentID": "d#bad", "itemType": "BAD", "targetText": "Eis."},
                ],
            }
        ]
    )
    + "\n"
)


Row = Sequence[str | float]


def sheet(*rows: Row) -> bytes:
    return workbook({"Sheet": rows_of_texts(*map(list, rows))})
