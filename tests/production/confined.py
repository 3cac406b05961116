"""What the compose file takes from its services, taken from a process here: root, capabilities, the disk.

Without a container engine: a mount namespace in which all but a few folders is read-only, the service's own user
without any capability, and a limit of memory for each process instead of for all of them together.
"""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

TREE, STATIC, DATA = "/mnt/assay", "/mnt/static", "/mnt/data"
UNITS = {"m": 2**20, "g": 2**30}
_PREPARED = """set -e
umask 022
chmod -R a+rX {own_tree} {own_static}
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir {tree} {static} {data} /mnt/python /mnt/environment
mount --bind {python} /mnt/python
mount --bind {environment} /mnt/environment
if [ ! -r /root ] || [ "$(stat --format %a /root)" != 755 ]; then mount -t tmpfs -o mode=755 tmpfs /root; fi
mkdir -p {python}
mount --bind /mnt/python {python}
mount --bind {own_tree} {tree}
mount --bind {own_static} {static}
mount --bind {own_data} {data}
chown {user} {data}
mount -t tmpfs -o mode=1777,size=64m tmpfs /tmp
mkdir -p {environment}
mount --bind /mnt/environment {environment}
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -o remount,bind,ro {tree}
mount -o remount,bind,ro {static}
mount -o remount,ro /mnt
mount -o remount,bind,ro /
cd {tree}
exec setpriv --reuid {uid} --regid {gid} --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs \
prlimit --data={memory} --nproc=4096 -- "$@"
"""


def confined(command: list[str], service: dict[str, Any], *, tree: Path, static: Path, data: Path) -> list[str]:
    """Needs root, as does making such limits anywhere."""
    assert (service["cap_drop"], service["read_only"]) == (["ALL"], True)
    assert service["security_opt"] == ["no-new-privileges:true"]
    uid, _colon, gid = service["user"].partition(":")
    size = re.fullmatch(r"(\d+)([mg])", service["mem_limit"])
    assert size is not None
    places = {"python": Path(sys.base_prefix), "own_tree": tree, "own_static": static, "own_data": data}
    places["environment"] = Path(sys.prefix)  # which may lie in what is covered
    script = _PREPARED.format(
        tree=TREE,
        static=STATIC,
        data=DATA,
        user=service["user"],
        uid=uid,
        gid=gid,
        memory=int(size[1]) * UNITS[size[2]],
        **{name: shlex.quote(str(path)) for name, path in places.items()},
    )
    return ["unshare", "--mount", "sh", "-c", script, "sh", *command]


def environment_of(variables: dict[str, str]) -> dict[str, str]:
    return variables | {
        "ASSAY_STATIC_ROOT": STATIC,
        "ASSAY_DATA_DIR": DATA,
        "TMPDIR": f"{DATA}/tmp",  # noqa: S108 - its own
        "HOME": f"{DATA}/cache",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
