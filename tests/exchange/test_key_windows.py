"""Rows some at a time: all of them once, in the order of their keys, whatever lies between."""

import pytest

from campaigns.models import Account
from exchange import key_windows as windows
from exchange.key_windows import KeyWindow, key_windows


def names(window: KeyWindow) -> list[str]:
    rows = window.of(Account.objects.all()).order_by("pk").values_list("pk", "username")
    return [name for _key, name in window.own(rows)]


@pytest.mark.django_db
def test_every_row_comes_once_in_the_order_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "AT_ONCE", 4)
    monkeypatch.setattr(windows, "NAMED_AT_ONCE", 2)
    Account.objects.bulk_create([Account(username=f"a{number:02}") for number in range(40)])
    wanted = ["a00", "a01", "a02", "a03", "a05", "a06", "a07", "a20", "a39"]
    read = list(key_windows(Account.objects.filter(username__in=wanted)))
    assert [names(window) for window in read] == [wanted[:4], wanted[4:6], wanted[6:8], wanted[8:]]
    assert [window.is_named for window in read] == [False, True, True, False]
    assert not list(key_windows(Account.objects.none()))


@pytest.mark.django_db
def test_what_lies_between_near_keys_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    Account.objects.bulk_create([Account(username=f"b{number}") for number in range(5)])
    [window] = key_windows(Account.objects.filter(username__in=["b0", "b1", "b3", "b4"]))
    assert (names(window), window.is_named) == (["b0", "b1", "b3", "b4"], False)


@pytest.mark.django_db
def test_keys_that_need_more_than_four_bytes_come_in_order_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "_FETCHED", 2)
    keys = [1 << 32, (1 << 32) - 1, 1 << 40, 3_000_000_000]
    Account.objects.bulk_create([Account(pk=key, username=f"c{key}") for key in keys])
    read = key_windows(Account.objects.filter(username__startswith="c"))
    assert [key for window in read for key in window.keys] == sorted(keys)
