"""Rows of a judged campaign, each table by one statement, from a temporary table of everything that is asked."""
# ruff: noqa: S608 - statements from numbers of our own

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from benchmarks._million.dialect import Dialect, draw, scatter
from benchmarks._million.layout import CONTROLS, DAYS, SHARED_EVERY, Layout

SENTENCES = 2_003
_PACE = 25  # seconds an item
_NUMBERS = """CREATE TEMPORARY TABLE bench_n AS
    WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < {most})
    SELECT n FROM counted"""
_CATEGORIES = ("accuracy/mistranslation", "accuracy/omission", "fluency/grammar", "style/awkward", "fluency/spelling")


@dataclass(frozen=True)
class Firsts:
    """The first keys of rows that follow one another."""

    campaign: int
    document: int
    system: int
    person: int
    segment: int
    translation: int
    assignment: int
    item: int
    judgment: int


@dataclass(frozen=True)
class Statements:
    layout: Layout
    dialect: Dialect
    first: Firsts
    since: datetime

    def texts(self) -> Iterator[str]:
        """Segments with references and outputs, from `bench_sentence` (n, text)."""
        layout, first = self.layout, self.first
        most = layout.judged_segments
        document = f"CASE WHEN n < {most} THEN n / {layout.segments} ELSE {layout.documents} + n - {most} END"
        position = f"CASE WHEN n < {most} THEN n % {layout.segments} ELSE 0 END"
        domain = (
            f"CASE ({document}) % 4 WHEN 0 THEN 'news' WHEN 1 THEN 'speech' WHEN 2 THEN 'social' ELSE 'literary' END"
        )
        tag = "CASE n % 4 WHEN 0 THEN 'idiom' WHEN 1 THEN 'names' WHEN 2 THEN 'numbers' ELSE 'negation' END"
        tags = self.dialect.json(f"""'["' || {tag} || '"]'""")
        yield from self._numbers(layout.all_segments * layout.systems)
        yield f"""INSERT INTO campaigns_segment (id, document_id, name, position, source, domain, tags)
            SELECT {first.segment} + n, {first.document} + {document}, d.name || '.' || ({position}), {position},
                a.text || ' ' || b.text, {domain}, {tags}
            FROM bench_n JOIN campaigns_document d ON d.id = {first.document} + {document}
            JOIN bench_sentence a ON a.at = n % {SENTENCES} JOIN bench_sentence b ON b.at = n * 31 % {SENTENCES}
            WHERE n < {layout.all_segments}"""
        yield f"""INSERT INTO campaigns_reference (segment_id, name, text)
            SELECT {first.segment} + n, 'A', a.text || ' ' || b.text FROM bench_n
            JOIN bench_sentence a ON a.at = (n + 7) % {SENTENCES} JOIN bench_sentence b ON b.at = n * 37 % {SENTENCES}
            WHERE n < {layout.all_segments}"""
        is_shared = self._is_shared(f"n / {layout.systems}", f"n % {layout.systems}")
        same = f"CASE WHEN {is_shared} THEN n - 1 ELSE n END"
        yield f"""INSERT INTO campaigns_translation (id, segment_id, system_id, text)
            SELECT {first.translation} + n, {first.segment} + n / {layout.systems},
                {first.system} + n % {layout.systems}, a.text || ' ' || b.text FROM bench_n
            JOIN bench_sentence a ON a.at = ({same}) * 41 % {SENTENCES}
            JOIN bench_sentence b ON b.at = ({same}) / 13 % {SENTENCES}
            WHERE n < {layout.all_segments * layout.systems}"""

    def work(self) -> Iterator[str]:
        """Assignments, items, slots and credits."""
        yield from self._asked()
        yield from self._assignments()
        first = self.first
        yield f"""INSERT INTO annotation_item (id, public_id, assignment_id, position, block, document_id, segment_id,
                level, kind, original_id, is_by_chance, revision)
            SELECT {first.item} + i, {self.dialect.uuid}, {first.assignment} + assignment, place, block, s.document_id,
                s.id, 'segment', kind, {first.item} + original, false, revision
            FROM bench_asked JOIN campaigns_segment s ON s.id = {first.segment} + segment ORDER BY i"""
        yield f"""INSERT INTO annotation_slot (item_id, label, translation_id, system_id, damaged, columns)
            SELECT {first.item} + i, 'A', t.id, t.system_id, CASE kind WHEN 'degraded' THEN t.text || ' Xyzzy.' END, ''
            FROM bench_asked JOIN campaigns_translation t ON t.id = {self._translation("segment", "system")}
            ORDER BY i"""
        yield f"""INSERT INTO annotation_credit (slot_id, system_id, translation_id)
            SELECT s.id, {first.system} + 1, s.translation_id + 1 FROM bench_asked
            JOIN annotation_slot s ON s.item_id = {first.item} + i
            WHERE kind = 'regular' AND system = 0 AND segment % {SHARED_EVERY} = 0"""

    def answers(self) -> Iterator[str]:
        """Judgments in the order of time, their numbers or errors, and drafts of what was begun."""
        is_scored = self.layout.protocol == "direct_assessment"
        if not is_scored:
            yield from self._marks()
        answer = "'{\"score\": ' || value || '}'" if is_scored else "'{\"spans\": [' || coalesce(spans, '') || ']}'"
        texts = f"""'{{"slots": {{"A": ' || {answer} || '}}, "comment": "", "cannot_judge": null}}'"""
        marks = "" if is_scored else "LEFT JOIN bench_spans m ON m.i = a.i"
        first = self.first
        yield """CREATE TEMPORARY TABLE bench_judged AS
            SELECT a.*, row_number() OVER (ORDER BY moment, a.i) - 1 AS number FROM bench_asked a WHERE revision > 0"""
        yield "CREATE UNIQUE INDEX bench_judged_i ON bench_judged (i)"
        columns = """(id, item_id, annotator_id, revision, is_current, surplus, client_id, base_revision, answer,
            cannot_judge, started_at, submitted_at, elapsed_ms, active_ms)"""
        submitted = self.dialect.moment(self.since, "moment")
        started = self.dialect.moment(self.since, "moment - taken")
        yield f"""INSERT INTO annotation_judgment {columns}
            SELECT {first.judgment} + number, {first.item} + a.i, {first.person} + person, revision, true, false,
                {self.dialect.uuid}, revision - 1, {self.dialect.json(texts)}, '', {started}, {submitted}, taken * 1000,
                taken * 900
            FROM bench_judged a {marks} ORDER BY number"""
        yield f"""INSERT INTO annotation_judgment {columns}
            SELECT {first.judgment} + (SELECT count(*) FROM bench_judged) + row_number() OVER (ORDER BY a.i),
                {first.item} + a.i, {first.person} + person, 1, false, false, {self.dialect.uuid}, 0,
                {self.dialect.json(texts)}, '', {started}, {self.dialect.moment(self.since, "moment - 1")},
                taken * 1000, taken * 900
            FROM bench_judged a {marks} WHERE revision = 2"""
        yield from self._numbers_of_answers(is_scored=is_scored)
        nothing = self.dialect.json("""'{"slots": {}, "comment": "", "cannot_judge": null}'""")
        yield f"""INSERT INTO annotation_draft (item_id, answer, base_revision, saved_at)
            SELECT {first.item} + i, {nothing}, 0, {submitted} FROM bench_asked
            WHERE revision = 0 AND moment IS NOT NULL AND place % 10 = 0"""

    def clearing(self) -> Iterator[str]:
        for table in ("bench_n", "bench_asked", "bench_judged", "bench_spans", "bench_marks"):
            yield f"DROP TABLE IF EXISTS {table}"

    def _numbers_of_answers(self, *, is_scored: bool) -> Iterator[str]:
        """A shared output counts for both of its systems."""
        first = self.first
        for credited in (0, 1):
            where = f"WHERE kind = 'regular' AND system = 0 AND segment % {SHARED_EVERY} = 0" if credited else ""
            translation = f"{self._translation('segment', 'system')} + {credited}"
            judgment = f"{first.judgment} + number"
            if is_scored:
                yield f"""INSERT INTO annotation_score (judgment_id, measure, value, slot, translation_id)
                    SELECT {judgment}, 'score', value, 'A', {translation} FROM bench_judged {where} ORDER BY number"""
            else:
                yield f"""INSERT INTO annotation_errorspan (judgment_id, translation_id, side, "start", "end", category,
                        severity, note)
                    SELECT {judgment}, {translation}, 'target', "start", "end", category, severity, ''
                    FROM bench_judged a JOIN bench_marks m ON m.i = a.i {where} ORDER BY number"""

    def _asked(self) -> Iterator[str]:
        """What is asked, a row an item: regular ones of the rounds, begun ones, control items, waiting ones."""
        layout = self.layout
        per, size, share = layout.per_round * layout.regular, layout.regular, layout.share
        yield from self._numbers(per * (layout.rounds + 1))
        text = f"(n % {per} / {layout.segments} * {layout.step} % {layout.all_texts})"
        distance = "CASE n / {} {} END".format(
            per, " ".join(f"WHEN {place} THEN {each}" for place, each in enumerate(layout.distances))
        )
        yield f"""CREATE TEMPORARY TABLE bench_asked AS
            SELECT n AS i, n / {size} AS assignment, n % {size} AS place, n % {size} / {layout.segments} AS block,
                'regular' AS kind, n * NULL AS original, n / {per} AS round,
                {text} / {layout.systems} * {layout.segments} + n % {layout.segments} AS segment,
                {text} % {layout.systems} AS system,
                (n % {per} / {size} / {share} + {distance}) % {layout.annotators} AS person,
                CASE WHEN n / {per} = {layout.rounds} AND n % {size} >= {size // 2} THEN 0 WHEN n % 50 = 7 THEN 2
                    ELSE 1 END AS revision
            FROM bench_n WHERE n < {per * (layout.rounds + 1)}"""
        begun = f"assignment % {share} = 0 AND person % 4 = 0"
        yield f"DELETE FROM bench_asked WHERE round = {layout.rounds} AND NOT ({begun})"
        yield f"DELETE FROM bench_asked WHERE {self._is_shared('segment', 'system')}"
        yield "CREATE UNIQUE INDEX bench_asked_i ON bench_asked (i)"
        controls = per * (layout.rounds + 1)
        yield f"""INSERT INTO bench_asked (i, assignment, place, block, kind, original, round, segment, system, person,
                revision)
            SELECT {controls} + n, assignment, {size} + n % {CONTROLS}, {layout.texts} + n % {CONTROLS},
                CASE WHEN n % {CONTROLS} < 2 THEN 'repeat' ELSE 'degraded' END, i, round, segment, system, person, 1
            FROM bench_n JOIN bench_asked ON i = n / {CONTROLS} * {size} + (n / {CONTROLS} * 37
                + CASE n % {CONTROLS} WHEN 0 THEN 0 WHEN 1 THEN 23 WHEN 2 THEN 41 ELSE 59 END) % {size}
            WHERE n < {layout.per_round * layout.rounds * CONTROLS} AND kind = 'regular'"""
        waiting = controls + layout.per_round * layout.rounds * CONTROLS
        yield f"""INSERT INTO bench_asked (i, assignment, place, block, kind, round, segment, system, revision)
            SELECT {waiting} + n, {layout.per_round * (layout.rounds + 1)} + n / {layout.waiting_texts},
                n % {layout.waiting_texts}, n % {layout.waiting_texts}, 'regular', 0,
                {layout.judged_segments} + n % {layout.waiting_texts}, n / {layout.waiting_texts} + 2, 0
            FROM bench_n WHERE n < {layout.waiting * layout.waiting_texts}"""
        yield from self._times_and_values()

    def _times_and_values(self) -> Iterator[str]:
        """An annotator's assignments are spread over the days, some at every hour; scores follow output and person."""
        layout = self.layout
        for column in ("moment", "taken", "value"):
            yield f"ALTER TABLE bench_asked ADD COLUMN {column} integer"
        per_person = layout.share * layout.rounds + 1
        nth = f"(round * {layout.share} + assignment % {layout.share})"
        better = f"({layout.systems} - 2 * system) * 6.0 / {layout.systems}"
        output = f"segment * {layout.systems} + system"
        score = f"""round(70 + {better} + 20 * {scatter("segment", 1)} + 16 * {scatter(output, 4)}
            + 16 * {scatter("person", 7)} + 20 * {scatter("i", 10)} - CASE kind WHEN 'degraded' THEN 30 ELSE 0 END)"""
        yield f"""UPDATE bench_asked SET
                moment = {nth} * {DAYS * 86_400 // per_person} + person * 977 % 30000 + place * {_PACE} + 30,
                taken = 5 + {draw("i", 13)} % {_PACE - 5}, value = {score}
            WHERE person IS NOT NULL"""
        yield "UPDATE bench_asked SET value = CASE WHEN value < 0 THEN 0 WHEN value > 100 THEN 100 ELSE value END"

    def _assignments(self) -> Iterator[str]:
        first, layout = self.first, self.layout
        last = layout.per_round * (layout.rounds + 1)
        finished = self.dialect.moment(self.since, "max(moment)")
        is_done = "CASE WHEN max(person) IS NULL THEN 'planned' WHEN min(revision) = 0 THEN 'open' ELSE 'done' END"
        yield f"""INSERT INTO annotation_assignment (id, campaign_id, annotator_id, name, position, round, content,
                status, total, done, completion_code, claimed_at, finished_at)
            SELECT {first.assignment} + assignment, {first.campaign}, {first.person} + max(person), '', assignment,
                CASE WHEN assignment < {last} THEN max(round) ELSE 0 END, assignment, {is_done}, count(*),
                count(CASE WHEN revision > 0 THEN 1 END),
                CASE WHEN min(revision) > 0 THEN 'DONE' || ({first.assignment} + assignment) ELSE '' END,
                {self.dialect.moment(self.since, "min(moment) - 30")},
                CASE WHEN min(revision) > 0 THEN {finished} END
            FROM bench_asked GROUP BY assignment ORDER BY assignment"""

    def _marks(self) -> Iterator[str]:
        """From none to six of an output, the more the worse it is."""
        yield from self._numbers(5)
        yield f"""CREATE TEMPORARY TABLE bench_marks AS
            SELECT i, place, "start", "start" + 1 + {draw("i * 7 + place", 3)} % 12 AS "end",
                CASE WHEN {draw("i * 7 + place", 5)} % 4 = 0 THEN 'major' ELSE 'minor' END AS severity,
                CASE {draw("i * 7 + place", 6)} % 5 {_cases(_CATEGORIES)} END AS category
            FROM (SELECT i, n AS place, {draw("i * 7 + n", 2)} % (length(t.text) - 13) AS "start"
                FROM bench_asked JOIN bench_n ON n < CASE WHEN value > 92 THEN 0 WHEN value > 80 THEN 1
                    WHEN value > 72 THEN 2 WHEN value > 62 THEN 3 WHEN value > 50 THEN 4 ELSE 6 END
                JOIN campaigns_translation t ON t.id = {self._translation("segment", "system")}
                WHERE revision > 0) AS placed"""
        yield "CREATE INDEX bench_marks_i ON bench_marks (i)"
        span = """'{"side": "target", "start": ' || "start" || ', "end": ' || "end" || ', "severity": "' || severity
            || '", "category": "' || category || '", "note": ""}'"""
        yield f"""CREATE TEMPORARY TABLE bench_spans AS
            SELECT i, {self.dialect.joined(span)} AS spans FROM bench_marks GROUP BY i"""
        yield "CREATE UNIQUE INDEX bench_spans_i ON bench_spans (i)"

    def _numbers(self, most: int) -> Iterator[str]:
        yield "DROP TABLE IF EXISTS bench_n"
        yield _NUMBERS.format(most=most)

    def _translation(self, segment: str, system: str) -> str:
        return f"{self.first.translation} + ({segment}) * {self.layout.systems} + {system}"

    @staticmethod
    def _is_shared(segment: str, system: str) -> str:
        """Of the second system: the first has the same text."""
        return f"({segment}) % {SHARED_EVERY} = 0 AND {system} = 1"


def _cases(texts: tuple[str, ...]) -> str:
    return " ".join(f"WHEN {place} THEN '{text}'" for place, text in enumerate(texts))
