"""Files of any size in every format that is read, written line by line: a row is a judgment, or an output of a system.

Ten systems, ten segments a document, forty annotators; texts have the length of a sentence.
"""

import json
import zipfile
from collections.abc import Callable, Iterator
from csv import reader as csv_reader
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

SYSTEMS = [f"S{number}" for number in range(10)]
PER_DOCUMENT, PER_RATER, RATERS = 10, 500, 40
SHOWN = 4  # systems of a campaign of Pearmut
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def source(segment: int) -> str:
    return f"The ferry of line {segment} is late again, and nobody on the quay knows why."


def target(segment: int, system: int = 0) -> str:
    return f"Die Fähre der Linie {segment} ist laut {SYSTEMS[system]} wieder zu spät, und niemand weiß, warum."


def _places(rows: int) -> Iterator[tuple[int, int, str, str]]:
    """Segment, system, document and rater of each row."""
    for row in range(rows):
        segment, system = divmod(row, len(SYSTEMS))
        yield segment, system, f"d{segment // PER_DOCUMENT}", f"r{row // PER_RATER % RATERS}"


def _number(segment: int) -> int:
    return segment % PER_DOCUMENT + 1


def _quoted(value: object) -> str:
    return '"' + json.dumps(value).replace('"', '""') + '"'


def assay_csv(rows: int) -> Iterator[str]:
    yield "judgment,annotator,protocol,document,segment,system,kind,measure,value,answer,source,translation\n"
    span = {"side": "target", "start": 4, "end": 9, "severity": "minor", "note": ""}
    for row, (segment, system, document, rater) in enumerate(_places(rows)):
        answer = {"slots": {"A": {"spans": [span], "score": row % 101}}, "comment": "", "cannot_judge": None}
        place = f"{document},{_number(segment)},{SYSTEMS[system]}"
        texts = f'{_quoted(answer)},"{source(segment)}","{target(segment, system)}"'
        yield f"{row},{rater},esa,{place},regular,score,{row % 101},{texts}\n"


def edited_csv(rows: int) -> Iterator[str]:
    yield "judgment,annotator,protocol,document,segment,system,kind,measure,value,answer,source,translation\n"
    for row, (segment, system, document, rater) in enumerate(_places(rows)):
        edited = {"text": target(segment, system).replace("wieder ", ""), "keystrokes": 7, "steps": []}
        answer = _quoted({"slots": {"A": edited}, "comment": "", "cannot_judge": None})
        place = f"{document},{_number(segment)},{SYSTEMS[system]}"
        texts = f'{answer},"{source(segment)}","{target(segment, system)}"'
        yield f"{row},{rater},post_editing,{place},regular,keystrokes,7,{texts}\n"


def appraise_csv(rows: int) -> Iterator[str]:
    marks = _quoted([{"start_i": 4, "end_i": 8, "severity": "minor", "error_type": None}])
    for row, (segment, system, document, rater) in enumerate(_places(rows)):
        yield f"{rater},{SYSTEMS[system]},{_number(segment)},TGT,eng,deu,{row % 101},{document},False,{marks},"
        yield f"{1_780_000_000 + row},{1_780_000_009 + row}\n"


def _rating(segment: int, system: int, name: str, document: str, rater: str, last: str) -> str:
    text = target(segment, system)
    marked = f"{text[:4]}<v>{text[4:9]}</v>{text[9:]}"
    place = f"{name}\t{document}\t{_number(segment)}\t{segment + 1}\t{rater}"
    return f"{place}\t{source(segment)}\t{marked}\tFluency/Spelling\tMinor\t{last}\n"


def _ratings(rows: int, last: str, named: Callable[[int], str]) -> Iterator[str]:
    for segment, system, document, rater in _places(rows):
        yield _rating(segment, system, named(system), document, rater, last)


def wmt_mqm_tsv(rows: int) -> Iterator[str]:
    yield "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    yield from _ratings(rows, "c", SYSTEMS.__getitem__)


def marot(rows: int) -> Iterator[str]:
    yield "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    yield from _ratings(rows, '{"timestamp": 1780000000000}', SYSTEMS.__getitem__)


def side_by_side(rows: int) -> Iterator[str]:
    yield "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    pairs = [f"{name}_with_{SYSTEMS[place + 1]}" if place % 2 == 0 else name for place, name in enumerate(SYSTEMS)]
    yield from _ratings(rows, '{"timestamp": 1780000000000}', pairs.__getitem__)


def anthea(rows: int) -> Iterator[str]:
    yield '{"source_language": "en", "target_language": "de"}\n'
    error = {"location": "translation", "start": 2, "end": 2, "selected": "Fähre", "type": "fluency"}
    for segment, system, document, rater in _places(rows):
        result = {"errors": [{**error, "subtype": "spelling", "severity": "minor"}], "visited": True}
        about = json.dumps({"prior_rater": rater, "prior_result": result})
        yield f"{source(segment)}\t{target(segment, system)}\t{document}\t{SYSTEMS[system]}\t{about}\n"


def label_studio(rows: int) -> Iterator[str]:
    mark = {"start": 4, "end": 9, "text": "Fähre", "labels": ["Minor"]}
    before = "[\n"
    for row, (segment, system, document, rater) in enumerate(_places(rows)):
        data = {"document": document, "segment": str(_number(segment)), "system": SYSTEMS[system]}
        results: list[dict[str, Any]] = [
            {"id": "r", "type": "labels", "from_name": "errors", "to_name": "target", "value": mark},
            {"type": "number", "from_name": "score", "to_name": "target", "value": {"number": row % 101}},
        ]
        texts = {"source": source(segment), "target": target(segment, system)}
        answer = {"annotator": rater, "created_at": "2026-11-03T08:30:00Z", "lead_time": 9.5, "result": results}
        yield before + json.dumps({"id": row, "data": data | texts, "annotations": [answer]})
        before = ",\n"
    yield "\n]\n"


def pearmut(rows: int) -> Iterator[str]:
    """A log: a screen of five segments and two systems on each line."""
    mark = {"start_i": 4, "end_i": 8, "category": None, "severity": "minor"}
    for screen in range(rows // 10):
        names = [SYSTEMS[screen % 5 * 2], SYSTEMS[screen % 5 * 2 + 1]]
        document = screen // 5
        segments = range(document * 5, document * 5 + 5)
        answers = [
            {name: {"score": 60 + segment % 40, "error_spans": [mark], "textfield": None} for name in names}
            for segment in segments
        ]
        items = [
            {
                "item_id": f"news_###_d{document}_###_{segment % 5}",
                "src": source(segment),
                "tgt": {name: target(segment, SYSTEMS.index(name)) for name in names},
            }
            for segment in segments
        ]
        times = [{"time": 1_780_000_000 + screen * 60 + second, "action": "load"} for second in (0, 45)]
        record = {"annotation": answers, "actions": times, "item": items, "user_id": f"r{screen % RATERS}"}
        yield json.dumps({**record, "item_i": screen // RATERS}) + "\n"


def pearmut_download(rows: int) -> Iterator[str]:
    """The same records as one list, in one line."""
    yield '{"made": ['
    for number, record in enumerate(pearmut(rows)):
        yield (", " if number else "") + record.rstrip("\n")
    yield "]}"


def subset2evaluate(rows: int) -> Iterator[str]:
    for segment in range(rows // len(SYSTEMS)):
        texts = {name: target(segment, place) for place, name in enumerate(SYSTEMS)}
        scores = {name: {"human": (segment + place) % 101} for place, name in enumerate(SYSTEMS)}
        about = {"i": segment, "src": source(segment), "ref": target(segment), "doc": f"d{segment // PER_DOCUMENT}"}
        yield json.dumps(about | {"tgt": texts, "scores": scores}) + "\n"


def genmt_scores(rows: int) -> Iterator[str]:
    mark = {"start_i": 4, "end_i": 8, "severity": "minor"}
    for segment in range(rows // len(SYSTEMS)):
        name = f"en-de_#_news_#_d{segment // PER_DOCUMENT}_#_{segment % PER_DOCUMENT}"
        texts = {system: target(segment, place) for place, system in enumerate(SYSTEMS)}
        scores = {
            system: {"human1": (segment + place) % 101, "errors1": [mark], "annotator1": f"r{segment % RATERS}"}
            for place, system in enumerate(SYSTEMS)
        }
        yield json.dumps({"doc_id": name, "src_text": source(segment), "tgt_text": texts, "scores": scores}) + "\n"


def seg_scores(rows: int) -> Iterator[str]:
    for system in SYSTEMS:
        for row in range(rows // len(SYSTEMS)):
            yield f"{system}\t{row % 101}\n"


def seg_ratings(rows: int) -> Iterator[str]:
    error = {"start": 4, "end": 9, "category": "Fluency/Spelling", "severity": "minor", "is_source_error": False}
    rating = json.dumps({"errors": [error]})
    for system in SYSTEMS:
        for row in range(rows // len(SYSTEMS)):
            yield f"{system}\t{rating}\tr{row // PER_RATER % RATERS}\n"


# --- test sets: a row is an output ---------------------------------------------------------------


def _segments(rows: int) -> Iterator[tuple[int, str, dict[str, str]]]:
    for segment in range(rows // len(SYSTEMS)):
        yield segment, f"d{segment // PER_DOCUMENT}", {name: target(segment, at) for at, name in enumerate(SYSTEMS)}


def jsonl(rows: int) -> Iterator[str]:
    for segment, document, texts in _segments(rows):
        about = {"document": document, "segment": _number(segment), "source": source(segment)}
        yield json.dumps(about | {"translations": texts}) + "\n"


def csv(rows: int) -> Iterator[str]:
    yield ",".join(["document", "segment", "source", *SYSTEMS]) + "\n"
    for segment, document, texts in _segments(rows):
        quoted = ",".join(f'"{text}"' for text in (source(segment), *texts.values()))
        yield f"{document},{_number(segment)},{quoted}\n"


def tsv(rows: int) -> Iterator[str]:
    yield "\t".join(["document", "segment", "source", *SYSTEMS]) + "\n"
    for segment, document, texts in _segments(rows):
        yield "\t".join([document, str(_number(segment)), source(segment), *texts.values()]) + "\n"


def plain(rows: int) -> Iterator[str]:
    yield from (f"{source(segment)}\n" for segment in range(rows // len(SYSTEMS)))


def plain_outputs(rows: int) -> Iterator[str]:
    """Of any system: each reads the same file."""
    yield from (f"{target(segment)}\n" for segment in range(rows // len(SYSTEMS)))


def _genmt(rows: int, text: Callable[[int], str]) -> Iterator[tuple[str, str]]:
    """Names of documents with their paragraphs."""
    count = rows // len(SYSTEMS)
    for first in range(0, count, PER_DOCUMENT):
        name = f"WMT26_###_news_###_eng_Latn_###_deu_Latn_###_d{first // PER_DOCUMENT}"
        yield name, "\n\n".join(map(text, range(first, min(first + PER_DOCUMENT, count))))


def genmt_documents(rows: int) -> Iterator[str]:
    about = {"domain": "news", "src_lang": "eng_Latn", "tgt_lang": "deu_Latn", "video": None, "screenshot": None}
    for name, text in _genmt(rows, source):
        yield json.dumps({"doc_id": name, **about, "src_text": text, "refs": {}}) + "\n"


def genmt_outputs(rows: int) -> Iterator[str]:
    """Of any system: each reads the same file."""
    for name, text in _genmt(rows, target):
        yield json.dumps({"doc_id": name, "hypothesis": text}) + "\n"


def wmt_xml(rows: int) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="made">\n'
    count = rows // len(SYSTEMS)
    for first in range(0, count, PER_DOCUMENT):
        segments = range(first, min(first + PER_DOCUMENT, count))
        yield f'<doc id="d{first // PER_DOCUMENT}" origlang="en"><src lang="en"><p>\n'
        yield from (f'<seg id="{_number(each)}">{escape(source(each))}</seg>\n' for each in segments)
        yield "</p></src>"
        for place, name in enumerate(SYSTEMS):
            yield f'<hyp system="{name}" lang="de"><p>\n'
            yield from (f'<seg id="{_number(each)}">{target(each, place)}</seg>\n' for each in segments)
            yield "</p></hyp>"
        yield "</doc>\n"
    yield "</dataset>\n"


def xliff(rows: int) -> Iterator[str]:
    """One system."""
    yield '<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    for first in range(0, rows, PER_DOCUMENT):
        name = first // PER_DOCUMENT
        yield f'<file original="d{name}" source-language="en" target-language="de" datatype="plaintext"><body>\n'
        for segment in range(first, min(first + PER_DOCUMENT, rows)):
            texts = f"<source>{source(segment)}</source><target>{target(segment)}</target>"
            yield f'<trans-unit id="{_number(segment)}">{texts}</trans-unit>\n'
        yield "</body></file>\n"
    yield "</xliff>\n"


def xliff_2(rows: int) -> Iterator[str]:
    """One system."""
    yield '<?xml version="1.0"?><xliff version="2.1" srcLang="en" trgLang="de" '
    yield 'xmlns="urn:oasis:names:tc:xliff:document:2.0">\n'
    for first in range(0, rows, PER_DOCUMENT):
        yield f'<file id="f{first}" original="d{first // PER_DOCUMENT}">\n'
        for segment in range(first, min(first + PER_DOCUMENT, rows)):
            texts = f"<source>{source(segment)}</source><target>{target(segment)}</target>"
            yield f'<unit id="{_number(segment)}"><segment>{texts}</segment></unit>\n'
        yield "</file>\n"
    yield "</xliff>\n"


def tmx(rows: int) -> Iterator[str]:
    yield '<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>\n'
    for segment in range(rows):
        yield f'<tu tuid="{segment}"><tuv xml:lang="en"><seg>{source(segment)}</seg></tuv>'
        yield f'<tuv xml:lang="de"><seg>{target(segment)}</seg></tuv></tu>\n'
    yield "</body></tmx>\n"


def appraise_json(rows: int) -> Iterator[str]:
    before = "[\n"
    languages = {"sourceLanguage": "eng", "targetLanguage": "deu", "requiredAnnotations": 1}
    for batch in range(rows // 100):
        items = [
            {
                "documentID": f"d{segment // PER_DOCUMENT}",
                "itemID": place,
                "itemType": "TGT",
                "isCompleteDocument": False,
                "sourceID": "s",
                "sourceText": source(segment),
                "targetID": SYSTEMS[batch % len(SYSTEMS)],
                "targetText": target(segment, batch % len(SYSTEMS)),
            }
            for place in range(100)
            for segment in [batch // len(SYSTEMS) * 100 + place]
        ]
        yield before + json.dumps({"task": {"batchNo": batch + 1, **languages}, "items": items})
        before = ",\n"
    yield "\n]\n"


def pearmut_campaign(rows: int) -> Iterator[str]:
    yield '{"campaign_id": "made", "info": {"assignment": "single-stream", "protocol": "ESA", "users": 9}, "data": [\n'
    before = ""
    for first in range(0, rows // SHOWN, PER_DOCUMENT):
        items = [
            {
                "item_id": f"news_###_d{first // PER_DOCUMENT}_###_{segment}",
                "src": source(segment),
                "tgt": {name: target(segment, place) for place, name in enumerate(SYSTEMS[:SHOWN])},
            }
            for segment in range(first, first + PER_DOCUMENT)
        ]
        yield before + json.dumps(items)
        before = ",\n"
    yield "\n]}\n"


def write(path: Path, rows: int, content: Callable[[int], Iterator[str]]) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(content(rows))


def write_workbook(path: Path, rows: int, content: Callable[[int], Iterator[str]]) -> None:
    """The rows of a table as a workbook."""
    delimiter = "\t" if "\t" in next(content(1)) else ","
    relations = f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName='
        '"/xl/worksheets/sheet1.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": f'{relations}officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets><sheet name="Rows" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{relations}worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0"?>{text}')
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'<?xml version="1.0"?><worksheet xmlns="{SHEETS}"><sheetData>'.encode())
            for number, row in enumerate(csv_reader(content(rows), delimiter=delimiter), start=1):
                cells = "".join(
                    f'<c r="{chr(65 + place)}{number}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
                    for place, cell in enumerate(row)
                )
                sheet.write(f'<row r="{number}">{cells}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")
