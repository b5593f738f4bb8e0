"""The only writer of models/manifest.json: replaces one model's entry and leaves the others unchanged."""
import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1
# ImageNet normalization for the input of all networks; red, green, blue.
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)


def weights(models: Path, precision: str, file_name: str) -> dict[str, Any]:
    """Returns the manifest entry of a model file: precision, name, SHA-256 and size in bytes."""
    content = (models / file_name).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return {"precision": precision, "file": file_name, "sha256": digest, "bytes": len(content)}


def square_input(name: str, side: int) -> dict[str, Any]:
    """Returns the input entry of an RGB picture stretched to `side` pixels squared."""
    return {"name": name, "width": side, "height": side, "layout": "NCHW", "channels": "RGB",
            "resize": "stretch", "mean": list(MEAN), "std": list(STD)}


def read_entry(models: Path, model_id: str) -> dict[str, Any] | None:
    """Returns the manifest's entry of one model, or None."""
    path = models / "manifest.json"
    if not path.exists():
        return None
    entries = json.loads(path.read_text())["models"]
    return next((entry for entry in entries if entry["id"] == model_id), None)


def write_entry(models: Path, entry: dict[str, Any]) -> None:
    """Writes `entry` (an object with `id`) to the manifest: under a lock, to a temporary file, then renamed."""
    path = models / "manifest.json"
    folder = os.open(models, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        manifest = json.loads(path.read_text()) if path.exists() else {"schema_version": SCHEMA_VERSION, "models": []}
        others = [other for other in manifest["models"] if other["id"] != entry["id"]]
        manifest["models"] = sorted([*others, entry], key=lambda model: model["id"])
        aside = path.with_suffix(".json.tmp")
        aside.write_text(json.dumps(manifest, indent=1) + "\n")
        os.replace(aside, path)
    finally:
        os.close(folder)
