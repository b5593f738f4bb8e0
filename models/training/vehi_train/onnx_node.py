"""Runs ONNX models with onnxruntime-node, the product's runtime (requires `npm ci` in the repository)."""
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import onnx

RUNNER = Path(__file__).with_name("onnx_node.mjs")
RACE = Path(__file__).with_name("onnx_race.mjs")
OPENER = Path(__file__).with_name("onnx_open.mjs")


def shapes(model: Path) -> dict[str, list[int]]:
    """Returns the outputs' shapes by name."""
    graph = onnx.load(str(model)).graph
    return {o.name: [d.dim_value for d in o.type.tensor_type.shape.dim] for o in graph.output}


def run(model: Path, images: np.ndarray, threads: int = 1, more: tuple[np.ndarray, ...] = ()) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Returns outputs by name, stacked over `images` [n,3,H,W] (each run separately), and processor milliseconds per
    run [n]. `more` holds the model's further inputs, [n,...] each."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in", Path(folder) / "out"
        rows = [np.asarray(values, np.float32).reshape(len(images), -1) for values in (images, *more)]
        np.concatenate(rows, 1).tofile(source)
        said = json.loads(script(RUNNER, model, source, target, len(images), threads))
        flat = np.fromfile(target, np.float32).reshape(len(images), -1)
    results, start, known = {}, 0, shapes(model)
    for name in said["outputs"]:
        shape = known[name][1:]
        length = int(np.prod(shape))
        results[name] = flat[:, start : start + length].reshape(len(images), *shape)
        start += length
    return results, np.array(said["ms"])


def race(models: list[Path], rounds: int = 30) -> list[float]:
    """Returns processor milliseconds per run of each model, single-threaded; the models alternate in one process."""
    return json.loads(script(RACE, rounds, *models))["ms"]


def open_ms(models: list[Path], rounds: int = 9) -> list[float]:
    """Returns the median processor milliseconds for opening each model; the models alternate in one process."""
    return json.loads(script(OPENER, rounds, *models))["ms"]


def script(path: Path, *arguments: object) -> str:
    """Returns the output of one of our node scripts; exits with node's error message if it fails."""
    command = ["node", str(path), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout
