from typing import Any

from frontend.researcher.finding import finding_of


def ranked(*rows: tuple[str, int, bool]) -> list[dict[str, Any]]:
    return [{"system": name, "cluster": cluster, "is_human": human} for name, cluster, human in rows]


def test_one_system_ahead_is_named() -> None:
    assert finding_of(ranked(("Heron", 1, False), ("Kite", 2, False))) == "Heron is ahead of all others"


def test_leaders_of_one_cluster_are_named_together() -> None:
    systems = ranked(("Heron", 1, False), ("Kite", 1, False), ("Rook", 2, False))
    assert finding_of(systems) == "Heron and Kite lead and cannot be told apart"


def test_a_system_beside_the_human_is_said_to_be_level() -> None:
    systems = ranked(("Human", 1, True), ("Heron", 1, False), ("Rook", 2, False))
    assert finding_of(systems) == "Heron is level with the human translation"


def test_a_human_alone_in_front_is_ahead_of_every_system() -> None:
    systems = ranked(("Human", 1, True), ("Heron", 2, False))
    assert finding_of(systems) == "The human translation is ahead of every system"


def test_one_cluster_for_all_says_that_nothing_can_be_told_apart() -> None:
    assert finding_of(ranked(("Heron", 1, False), ("Kite", 1, False))) == "No system can be told apart from another yet"


def test_many_leaders_are_counted_not_listed() -> None:
    systems = ranked(*[(f"S{index}", 1, False) for index in range(5)], ("Rook", 2, False))
    assert finding_of(systems) == "5 systems lead and cannot be told apart"


def test_a_single_system_has_no_finding() -> None:
    assert finding_of(ranked(("Heron", 1, False))) is None
