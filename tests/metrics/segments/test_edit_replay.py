"""What the steps of a post-edit tell: kinds, pauses, and when there is nothing to play."""

from metrics.segments.edit_replay import edit_replay


def test_kinds_and_pauses_are_counted() -> None:
    """By hand: "all ok" → "So all ok" → "So ok" → "So ok" with "all " moved behind → two changes of one letter."""
    steps = [[500, 0, 0, "So "], [4500, 3, 4, ""], [4900, 5, 0, "all "], [9000, 3, 1, "O"], [9500, 9, 0, "!", "pasted"]]
    replay = edit_replay("all ok", {"text": "So Okall !", "steps": steps})
    assert replay is not None
    assert dict(replay.kinds) == {"insert": 1, "delete": 1, "move": 1, "replace": 1, "paste": 1}
    assert (replay.seconds, replay.longest_pause) == (9.5, 4.1)
    assert [length for _end, length in replay.pauses] == [4000, 4100]
    assert replay.pause_path.count("M") == 2


def test_steps_that_do_not_lead_to_the_text_are_not_played() -> None:
    assert edit_replay("all ok", {"text": "other", "steps": [[0, 0, 1, ""]]}) is None
    assert edit_replay("a", {"text": "a", "steps": [[0, 9, 1, ""]]}) is None
    assert edit_replay("a", {"text": "a", "steps": []}) is None
