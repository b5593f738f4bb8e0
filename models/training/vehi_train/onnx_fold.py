"""Folds an ONNX file for faster opening: performs once the graph optimizations of every opening.

Opening the parts model took 250 to 330 ms of processor time before and 190 to 200 after (`onnx_node.open_ms`); run
times are unchanged.
"""
from pathlib import Path

import numpy as np
import onnx

from . import onnx_node

FOLDER = Path(__file__).with_name("onnx_fold.mjs")
# Maximum difference between outputs before and after attributable to rounding.
TOLERANCE = 1e-3


def fold(source: Path, target: Path, example: np.ndarray) -> float:
    """Folds `source` into `target` and returns the maximum difference of their outputs on `example` [1,3,H,W].

    Standard operators only. Weights keep their names; folded ones get a prefix (`parts/shipped.py` restores them).
    """
    onnx_node.script(FOLDER, source, target)
    model = onnx.load(str(target))
    used = {node.domain for node in model.graph.node}
    if used - {""}:
        raise SystemExit(f"{target}: operators of {sorted(used - {''})}, which only onnxruntime has")
    standard = [entry for entry in model.opset_import if entry.domain == ""]
    del model.opset_import[:]
    model.opset_import.extend(standard)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))
    before, _ = onnx_node.run(source, example)
    after, _ = onnx_node.run(target, example)
    difference = max(float(np.abs(before[name] - after[name]).max()) for name in before)
    if difference > TOLERANCE:
        raise SystemExit(f"{target}: outputs differ from {source} by {difference:.2e}, more than {TOLERANCE}")
    return difference
