"""Where things lie in a clone."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
WORDS = ROOT / "locale"
NODE_MODULES = FRONTEND / "node_modules"
WORK = ROOT / ".assay"  # whatever is made here and may be thrown away, apart from data/
LOG = WORK / "setup.log"
MODELS = WORK / "models"  # for the tests; Assay itself looks in its data folder
EMPTY_DATABASES = "ASSAY_EMPTY_DATABASES"  # the variable that tells the suite's parts where they are

RUN_LOCK = ROOT / "requirements.txt"
DEV_LOCK = ROOT / "requirements-dev.txt"
OBJECT_STORE_LOCK = ROOT / "requirements-object-store.txt"
TOKENIZERS_LOCK = ROOT / "requirements-tokenizers.txt"
NODE_LOCK = ROOT / "requirements-node.txt"
UV_LOCK = ROOT / "requirements-uv.txt"
NEURAL_LOCK = ROOT / "requirements-neural.txt"
NEURAL_PINS = ROOT / "requirements-neural.in"
NEURAL_VENV = ROOT / ".venv-neural"
