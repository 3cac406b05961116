"""What every protocol must do. A protocol's test inherits all of it and supplies samples.

`ProtocolContract` is pure. `ProtocolAtWork` judges through the API, as a page does.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Measure
from campaigns.invalid_input import InvalidInput
from exchange.formats.practice_lines import practice_example, read_practice
from tests.annotation.protocols.at_work import ProtocolAtWork
from tests.annotation.protocols.sampled import JSON, Sampled

__all__ = ["ProtocolAtWork", "ProtocolContract"]

# One test is run by the class of every protocol, which keep to themselves what Hypothesis could confuse: the samples.
INHERITED = [HealthCheck.differing_executors]


class ProtocolContract(Sampled):
    def test_it_has_words_for_people(self) -> None:
        protocol = PROTOCOLS[self.name]
        assert str(protocol.title)
        assert str(protocol.description)
        assert protocol.seconds_per_item > 0

    def test_good_answers_give_the_numbers_they_should(self) -> None:
        for sample in self.samples["good"]:
            item = self.item(sample["item"])
            observed = self.protocol.observe(self.protocol.parse_answer(sample["answer"], item), item)
            assert [[score.slot, score.measure, score.value] for score in observed.scores] == sample["scores"]

    def test_what_is_stored_can_be_read_again_and_is_the_same(self) -> None:
        for sample in self.samples["good"]:
            item = self.item(sample["item"])
            answer = self.protocol.parse_answer(sample["answer"], item)
            stored = json.loads(json.dumps(answer.as_json()))
            assert self.protocol.parse_answer(stored, item) == answer
            assert {name: stored[name] for name in sample["answer"]} == sample["answer"]

    def test_numbers_keep_to_their_measures(self) -> None:
        measures: Mapping[str, Measure] = {measure.name: measure for measure in self.protocol.measures}
        assert len(measures) == len(self.protocol.measures)
        for sample in self.samples["good"]:
            for _slot, name, value in sample["scores"]:
                assert measures[name].low <= value <= measures[name].high
                assert measures[name].level == self.samples["items"][sample["item"]]["level"]

    def test_what_cannot_be_judged_gives_no_number(self) -> None:
        item = self.item("segment")
        answer = self.protocol.parse_answer({"slots": {}, "comment": "?", "cannot_judge": "other"}, item)
        observed = self.protocol.observe(answer, item)
        assert (observed.scores, observed.preferences, observed.spans) == ((), (), ())

    def test_bad_answers_are_refused_with_everything_that_is_wrong(self) -> None:
        for sample in self.samples["bad"]:
            with pytest.raises(InvalidInput) as caught:
                self.protocol.parse_answer(sample["answer"], self.item(sample["item"]))
            assert sorted(caught.value.errors) == sample["errors"]
            assert all(message for messages in caught.value.errors.values() for message in messages)

    def test_bad_options_are_refused_by_name(self) -> None:
        for sample in self.samples["bad_options"]:
            with pytest.raises(InvalidInput) as caught:
                protocol_for(self.name, sample["options"])
            assert sorted(caught.value.errors) == sample["errors"]

    def test_options_survive_storage(self) -> None:
        for protocol in (self.protocol, protocol_for(self.name, {})):
            stored = json.loads(json.dumps(asdict(protocol.options)))
            assert protocol_for(self.name, stored) == protocol

    def test_its_line_of_practice_can_be_used(self, tmp_path: Path) -> None:
        path = tmp_path / "practice.jsonl"
        path.write_text(json.dumps(practice_example(self.protocol)), encoding="utf-8")
        [record] = read_practice(path, path.name, self.protocol)
        assert record.feedback

    def test_rows_of_a_table_have_flat_cells_in_one_order(self) -> None:
        item = self.item("segment")
        rows = [
            self.protocol.csv_row(self.protocol.parse_answer(sample["answer"], item))
            for sample in self.samples["good"]
            if sample["item"] == "segment" and not sample["answer"].get("cannot_judge")
        ]
        assert len({tuple(row) for row in rows}) == 1
        assert all(cell is None or isinstance(cell, (str, int, float)) for row in rows for cell in row.values())

    @given(payload=JSON)
    @settings(max_examples=12, deadline=None, suppress_health_check=INHERITED)
    def test_nonsense_is_refused_in_words(self, payload: object) -> None:
        with pytest.raises(InvalidInput) as caught:
            self.protocol.parse_answer(payload, self.item("segment"))
        assert caught.value.errors

    @given(values=JSON, comment=JSON, data=st.data())
    @settings(max_examples=20, deadline=None, suppress_health_check=INHERITED)
    def test_almost_good_answers_are_taken_or_refused_in_words(
        self, values: object, comment: object, data: st.DataObject
    ) -> None:
        """Any field of a good answer becomes something else."""
        sample = data.draw(st.sampled_from(self.samples["good"]))
        item = self.item(sample["item"])
        answer = {"slots": {}, "comment": comment, "cannot_judge": None} | json.loads(json.dumps(sample["answer"]))
        for slot in answer["slots"].values():
            slot[data.draw(st.sampled_from(sorted(slot)))] = values
        try:
            parsed = self.protocol.parse_answer(answer, item)
        except InvalidInput as invalid:
            messages = invalid.errors
        else:
            self.protocol.observe(parsed, item)
            messages = {"stored": [json.dumps(parsed.as_json(), allow_nan=False)]}
        assert messages
