"""What `model.json` of a model folder says."""
import hashlib
import json
import re
from pathlib import Path


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def read_description(folder):
    return json.loads(Path(folder, "model.json").read_text(encoding="utf-8"))


def write_description(folder, description):
    """Writes `model.json` as the project's formatter has it: lists of plain values on one line."""
    text = json.dumps(description, indent=2, ensure_ascii=False)
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s*\n\s*", " ", m.group(1)) + "]", text)
    Path(folder, "model.json").write_text(text + "\n", encoding="utf-8")
