"""The light model is fetched beside the site that is served: only where it is missing and wanted."""

from pathlib import Path

import pytest
from pytest_django import Settings

from config.light_model_child import LightModelChild
from tests.metrics.neural.light_model_files import models_folder

pytestmark = pytest.mark.servers


@pytest.fixture(autouse=True)
def _no_package_index(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    for name in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    for name, value in {"PIP_CONFIG_FILE": "/dev/null", "PIP_RETRIES": "0", "UV_NO_CONFIG": "1"}.items():
        monkeypatch.setenv(name, value)
    settings.MODELS_DIR = tmp_path
    settings.FETCHES_LIGHT_MODEL = True


def test_it_is_fetched_only_where_it_is_missing_and_wanted(settings: Settings) -> None:
    def is_needed() -> bool:
        return LightModelChild().is_needed

    assert is_needed()
    settings.FETCHES_LIGHT_MODEL = False
    assert not is_needed()
    settings.FETCHES_LIGHT_MODEL = True
    settings.MODELS_DIR = Path(models_folder())
    assert not is_needed()


def test_a_failure_is_one_line_and_ends_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    child = LightModelChild()
    child.start()
    assert child._process is not None
    assert child._process.wait(60) == 1
    child.stop()
    out, err = capfd.readouterr()
    assert (out.count("\n"), err) == (1, "")
    assert out.startswith("The light model is not installed: ")


def test_a_site_that_ends_leaves_no_half_download(tmp_path: Path) -> None:
    child = LightModelChild()
    child.start()
    child.stop()
    assert child._process is not None
    assert child._process.poll() is not None
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
