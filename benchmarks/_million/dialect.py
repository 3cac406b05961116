"""What PostgreSQL and SQLite write differently, for statements that make the same rows in both."""

from dataclasses import dataclass
from datetime import datetime

_PRIME, _OTHER = 2_654_435_761, 48_271
EVENNESS = 10_007  # `draw` gives numbers below it


@dataclass(frozen=True)
class Dialect:
    is_postgres: bool

    @property
    def uuid(self) -> str:
        return "gen_random_uuid()" if self.is_postgres else "lower(hex(randomblob(16)))"

    def json(self, text: str) -> str:
        return f"({text})::jsonb" if self.is_postgres else f"({text})"

    def moment(self, since: datetime, seconds: str) -> str:
        if self.is_postgres:
            return f"(timestamptz '{since.isoformat()}' + ({seconds}) * interval '1 second')"
        return f"datetime({int(since.timestamp())} + ({seconds}), 'unixepoch')"

    def joined(self, text: str) -> str:
        return f"string_agg({text}, ', ')" if self.is_postgres else f"group_concat({text}, ', ')"


def draw(number: str, salt: int) -> str:
    """As if by chance, from 0 below `EVENNESS`; the same in both databases."""
    mixed = f"((({number}) * {_PRIME} + {salt * 40_503}) % 4294967291)"
    return f"(({mixed} / 7 + {mixed} % 65521 * {_OTHER}) % {EVENNESS})"


def scatter(number: str, salt: int) -> str:
    """Nearly normal, about 0, with a standard deviation of a half."""
    return f"(({draw(number, salt)} + {draw(number, salt + 1)} + {draw(number, salt + 2)}) / {EVENNESS:.1f} - 1.5)"
