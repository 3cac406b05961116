"""What every protocol must do at work: judged through the API, watched by control items, exported and back."""

import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db.models import Model

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.actions.practising import set_practice
from annotation.models import Assignment, Credit, Draft, Item, ItemLevel, Judgment, PracticeAnswer, Score, Slot
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Campaign, Membership, TestSet, Translation
from exchange.exports import export_rows
from exchange.formats.practice_lines import practice_example, read_practice
from exchange.judgment_files import import_judgments
from metrics.analyses import gather
from metrics.models import DerivedScore
from metrics.progress.campaign_state import campaign_state_of
from metrics.progress.controls import failed_controls
from metrics.recipes import RECIPES
from tests.annotation.protocols.sampled import JSON, Sampled
from tests.cast import Cast
from tests.frontend.api.api_annotator import ApiAnnotator, by_session, submission
from tests.metrics.analyses.as_json import analyse_evidence
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import SYSTEMS, make_test_set

WITHHELD = {"slots": {}, "comment": "?", "cannot_judge": "other"}
EMPTIED: tuple[type[Model], ...] = (
    Score, DerivedScore, Judgment, Draft, Credit, Slot, Item, Assignment, Membership, Campaign, TestSet, Account,
)  # fmt: skip


def export_of(campaign: Campaign) -> bytes:
    return b"".join(export_rows(campaign, "csv"))


class ProtocolAtWork(Sampled, ABC):
    """`good_for` makes an answer for an item as the API shows it; `noticing` one for control items.

    Where a protocol has no control items, `noticing` need not be written; `practised` and `complete` only where a
    practice item asks something else, and a test set needs more than texts.
    """

    @abstractmethod
    def good_for(self, item: Mapping[str, Any], *, variant: int = 0) -> dict[str, Any]: ...

    def noticing(self, item: Mapping[str, Any], bad: str | None) -> dict[str, Any]:
        """An answer to which the text under the label `bad` is bad and all others are good, or all are."""
        raise AssertionError(f"{self.name} has control items: say here how an attentive annotator answers them")

    def practised(self, item: Mapping[str, Any]) -> dict[str, Any]:
        return self.good_for(item)

    def complete(self, test_set: TestSet) -> None:
        """Adds what the protocol asks of a test set beside texts."""

    @pytest.fixture
    def campaign(self, test_set: TestSet, cast: Cast) -> Campaign:
        return make_planned_campaign(test_set, cast, protocol=self.name, options=self.samples["options"])

    @pytest.fixture
    def page(self, campaign: Campaign, cast: Cast) -> ApiAnnotator:
        return by_session(cast.annotator)

    def first(self, page: ApiAnnotator) -> tuple[int, dict[str, Any]]:
        taken = page.take()
        return taken, page.items(taken)["items"][0]

    def again(self, page: ApiAnnotator, taken: int, item: Mapping[str, Any]) -> dict[str, Any]:
        """The item, answered or not."""
        shown = page.get(f"assignments/{taken}/items?from=start").json()["items"]
        return next(dict(each) for each in shown if each["id"] == item["id"])

    def send(self, page: ApiAnnotator, taken: int, item: Mapping[str, Any], **fields: Any) -> Any:
        return page.submit(taken, item["id"], **({"answer": self.good_for(item)} | fields))

    def test_a_whole_assignment_can_be_judged(self, page: ApiAnnotator) -> None:
        taken = page.take()
        while waiting := page.items(taken)["items"]:
            for item in (item for item in waiting if item["answer"] is None):
                assert self.send(page, taken, item).status_code == 201
        assert page.items(taken)["completion_code"]
        stored = set(Score.objects.values_list("measure", flat=True))
        assert stored == {measure.name for measure in self.protocol.measures}

    def test_an_answer_comes_back_unchanged(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        answer = self.good_for(item)
        assert page.draft(taken, item["id"], answer).status_code == 204
        assert page.items(taken)["items"][0]["draft"] == answer
        assert self.send(page, taken, item, answer=answer).status_code == 201
        assert self.again(page, taken, item)["answer"] == answer

    def test_the_same_answer_sent_twice_is_one_judgment(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        client_id = str(uuid.uuid4())
        assert [self.send(page, taken, item, client_id=client_id).status_code for _ in range(2)] == [201, 200]
        assert Judgment.objects.count() == 1

    def test_a_revision_replaces_and_keeps_the_first(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        self.send(page, taken, item)
        changed = self.good_for(item, variant=1)
        assert self.send(page, taken, item, answer=changed).status_code == 409
        assert self.send(page, taken, item, answer=changed, base_revision=1).status_code == 201
        assert list(Judgment.objects.order_by("revision").values_list("is_current", flat=True)) == [False, True]
        assert self.again(page, taken, item)["answer"] == changed

    def test_nothing_that_is_shown_names_a_system(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        responses = [page.get(f"assignments/{taken}/items"), self.send(page, taken, item), self.send(page, taken, item)]
        for response in responses:
            assert not [name for name in SYSTEMS if name in response.content.decode()]

    def test_what_the_protocol_does_not_show_stays_on_the_server(self, page: ApiAnnotator) -> None:
        shown = page.items(page.take())
        segments = [item for item in shown["items"] if item["level"] == ItemLevel.SEGMENT] or shown["context"]
        assert {item["source"] is not None for item in segments} == {self.protocol.shows_source}
        assert {item["reference"] is not None for item in segments} == {self.protocol.shows_reference}

    def test_any_payload_is_refused_in_words_or_stored_as_it_was_sent(self, page: ApiAnnotator) -> None:
        """Any field, any part or the whole of a good answer becomes something else; the battery sends many more."""
        taken, item = self.first(page)
        revision = 0

        @given(value=JSON, data=st.data())
        @settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        def sent(value: object, data: st.DataObject) -> None:
            nonlocal revision
            answer = json.loads(json.dumps(self.good_for(item)))
            parts = [answer, answer["slots"], *answer["slots"].values()]
            part = data.draw(st.sampled_from(parts))
            part[data.draw(st.sampled_from(sorted(part)))] = value
            response = self.send(page, taken, item, answer=answer, base_revision=revision)
            if response.status_code == 422:
                assert all(response.json()["errors"].values())
            else:
                assert response.status_code == 201
                revision += 1
                assert self.from_start(page, taken)["answer"] == answer

        sent()

    def from_start(self, page: ApiAnnotator, taken: int) -> dict[str, Any]:
        """The first item, also when it is judged and the next unanswered one is in another text."""
        first: dict[str, Any] = page.get(f"assignments/{taken}/items?from=start").json()["items"][0]
        return first

    def test_what_is_right_in_practice_stays_on_the_server_until_the_answer(
        self, campaign: Campaign, cast: Cast, tmp_path: Path
    ) -> None:
        path, where = tmp_path / "practice.jsonl", f"campaigns/{campaign.slug}/practice/items"
        example = practice_example(self.protocol)
        path.write_text(json.dumps(example), encoding="utf-8")
        records = read_practice(path, path.name, self.protocol)
        set_practice(campaign=campaign, items=records, pass_mark=None, by=cast.organiser)
        page = by_session(cast.annotator)
        shown = page.get(where)
        secrets = [example["feedback"], *(text for texts in example.get("accepted", {}).values() for text in texts)]
        assert not [secret for secret in secrets if secret in shown.content.decode()]
        [item] = shown.json()["items"]
        assert not {"expected", "better", "accepted", "feedback"} & set(item)
        receipt = page.post(f"{where}/{item['id']}/judgments", submission(answer=self.practised(item)))
        assert receipt.status_code == 201, receipt.content
        assert receipt.json()["feedback"]["text"] == example["feedback"]
        assert PracticeAnswer.objects.count() == 1
        assert not Judgment.objects.exists()
        assert export_of(campaign).count(b"\n") == 1

    def test_judgments_travel_as_a_table_and_come_back(self, watched: Campaign, cast: Cast, tmp_path: Path) -> None:
        page, path = by_session(cast.annotator), tmp_path / "judgments.csv"
        taken = page.take("watched")
        while waiting := [item for item in page.items(taken)["items"] if item["answer"] is None]:
            for item in waiting:
                assert self.send(page, taken, item).status_code == 201
        first = Judgment.objects.order_by("pk").first()
        assert first is not None
        page.submit(taken, str(first.item.public_id), base_revision=1, answer=WITHHELD)
        path.write_bytes(export_of(watched))
        for model in EMPTIED:
            model._default_manager.all().delete()
        again = import_judgments(path, format="assay-csv", name="Watched").campaign
        assert export_of(again) == path.read_bytes()
        assert again.protocol == self.name

    def test_texts_from_right_to_left_are_shown_and_stored_unchanged(self, cast: Cast) -> None:
        """Arabic with Latin letters, digits and marks of direction among it, and a letter beyond the first plane."""
        test_set = make_test_set("Arabic", slug="arabic", target_language="ar")
        for translation in Translation.objects.filter(system__test_set=test_set):
            translation.text = f"غادرت العبّارة (ferry {translation.pk}) متأخرة ٦٠ دقيقة\u200f 𝒳"
            translation.save()
        self.complete(test_set)
        make_planned_campaign(test_set, cast, protocol=self.name, options=self.samples["options"])
        page = by_session(cast.annotator)
        taken, item = self.first(page)
        known = set(Translation.objects.values_list("text", flat=True))
        assert {slot["text"] for slot in item["slots"] if item["level"] == ItemLevel.SEGMENT} <= known
        answer = self.good_for(item) | {"comment": "تعليق: good؟\u200f"}
        assert self.send(page, taken, item, answer=answer).status_code == 201
        assert page.get(f"assignments/{taken}/items?from=start").json()["items"][0]["answer"] == answer
        assert '"direction": "rtl"' in page.client.get(f"/assignments/{taken}/").content.decode()

    @pytest.fixture
    def watched(self, test_set: TestSet, cast: Cast) -> Campaign:
        """With as many control items as there is room for."""
        kinds = PROTOCOLS[self.name].control_kinds
        return make_planned_campaign(
            test_set,
            cast,
            name="Watched",
            protocol=self.name,
            options=self.samples["options"],
            repeats_share=float("repeat" in kinds),
            degraded_share=float("degraded" in kinds),
        )

    @pytest.mark.parametrize("notices", [True, False])
    def test_who_notices_damage_passes_the_controls_and_who_does_not_fails(
        self, watched: Campaign, cast: Cast, *, notices: bool
    ) -> None:
        damaged = {
            str(slot.item.public_id): slot.label for slot in Slot.objects.exclude(damaged=None).select_related("item")
        }
        assert bool(damaged) == ("degraded" in PROTOCOLS[self.name].control_kinds)
        page = by_session(cast.annotator)
        taken = page.take("watched")
        while waiting := [item for item in page.items(taken)["items"] if item["answer"] is None]:
            for item in waiting:
                bad = damaged.get(item["id"]) if notices else None
                answer = self.noticing(item, bad) if damaged else self.good_for(item)
                assert self.send(page, taken, item, answer=answer).status_code == 201
        failed = failed_controls([watched], {watched.pk: campaign_state_of(watched)})[watched.pk]
        assert list(failed) == ([cast.annotator.pk] if damaged and not notices else [])
        entries = analyse_evidence(gather(watched, RECIPES["assay"]), ["annotators"])["annotators"]
        for entry in entries if damaged else ():
            assert entry["control_n"] == len(damaged)
            assert entry["repeat_n"] == 0 or entry["repeat_difference"] == 0

    def test_nothing_tells_a_control_item_from_another(self, watched: Campaign, cast: Cast) -> None:
        page = by_session(cast.annotator)
        taken = page.take("watched")
        kinds, shapes, sent, after = set(), set(), "", ""
        while items := page.items(taken, after=after)["items"]:
            after = items[-1]["id"]
            for item in items:
                kinds.add(Item.objects.get(public_id=item["id"]).kind)
                shapes.add(json.dumps({name: type(value).__name__ for name, value in item.items()}))
                sent += json.dumps(item) + self.send(page, taken, item).content.decode()
        assert kinds == {"regular", *PROTOCOLS[self.name].control_kinds} - {"check"}
        assert len(shapes) <= 1 + self.protocol.asks_documents
        assert not [word for word in (*SYSTEMS, "degraded", "damaged", "repeat", "regular") if word in sent]
        of_page = page.client.get(f"/assignments/{taken}/").content.decode()
        assert not [word for word in (*SYSTEMS, "degraded") if word in of_page]

    def test_bad_answers_are_unprocessable(self, page: ApiAnnotator) -> None:
        taken, item = self.first(page)
        for sample in self.samples["bad"]:
            assert self.send(page, taken, item, answer=sample["answer"]).status_code == 422
        assert not Judgment.objects.exists()
