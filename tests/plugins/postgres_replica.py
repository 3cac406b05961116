"""A replica that follows a PostgreSQL of ours, made by `pg_basebackup` of the same binaries."""

import subprocess

from tests.plugins.postgres import PostgresServer


class PostgresReplica(PostgresServer):
    """It answers reads only, with what the other had written a moment before."""

    def __init__(self, primary: PostgresServer) -> None:
        self._primary = primary
        super().__init__(durable=True)

    def _initialise(self) -> None:
        self._password = self._primary._password
        copied = ["--pgdata", str(self._home / "data"), "--write-recovery-conf", "--wal-method=stream"]
        subprocess.run(
            [self._binaries / "pg_basebackup", *copied, "--checkpoint=fast", "--dbname", self._primary.url()],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._home,
            **self._account,
        )
