"""The square of pairs: symmetrical, cut short where there are many, empty where nobody shares."""

from frontend.researcher.pair_matrix import PairMatrix, matrix_of
from metrics.analyses.shared_ratings import MOST_IN_A_MATRIX, FewShared, PairAgreement, SharedPairs
from metrics.results.values import Missing


def pair(first: str, second: str, value: float | None = 0.5, n: int = 12) -> PairAgreement:
    kappa = Missing("no_categories") if value is None else value
    return PairAgreement((first, second), n, kappa, kappa_quadratic=kappa, kendall_b=0.3)


def made(*pairs: PairAgreement, few: tuple[FewShared, ...] = ()) -> PairMatrix | None:
    return matrix_of(
        SharedPairs(pairs=pairs, few_shared=few),
        title="Score",
        people={"ana": "Ana A."},
        address=lambda first, second: f"?{first}-{second}",
    )


def test_each_pair_is_on_both_sides_and_leads_to_one_address() -> None:
    matrix = made(pair("ana", "bo"), few=(FewShared(("bo", "cai"), 3),))
    assert matrix is not None
    assert matrix.names == ["Ana A.", "bo", "cai"]
    rows = dict(matrix.rows)
    above, below = rows["Ana A."][1], rows["bo"][0]
    assert above is not None
    assert below is not None
    assert above.address == below.address == "?ana-bo"
    assert (above.value, above.other, below.other) == (0.5, "bo", "Ana A.")
    few = rows["cai"][1]
    assert few is not None
    assert (few.value, few.n) == (None, 3)
    assert rows["cai"][0] is None


def test_without_kappa_the_order_alone_is_compared() -> None:
    matrix = made(pair("ana", "bo", None))
    assert matrix is not None
    assert str(matrix.coefficient) == "Kendall’s τ-b"
    cell = matrix.rows[0][1][1]
    assert cell is not None
    assert cell.value == 0.3


def test_the_closer_the_stronger() -> None:
    shades = []
    for value in (-0.2, 0.1, 0.3, 0.45, 0.6, 0.9):
        matrix = made(pair("ana", "bo", value))
        cell = matrix.rows[0][1][1] if matrix else None
        shades.append(cell.shade if cell else None)
    assert shades == [0, 1, 2, 3, 4, 5]


def test_of_many_those_who_share_most_are_shown() -> None:
    pairs = [pair(f"a{number:02}", f"b{number:02}", n=10 + number) for number in range(20)]
    matrix = made(*pairs)
    assert matrix is not None
    assert len(matrix.rows) == MOST_IN_A_MATRIX
    assert matrix.n_all == 40
    assert matrix.is_cut_short
    assert "a00" not in matrix.names


def test_where_nobody_shares_there_is_none() -> None:
    assert made() is None
