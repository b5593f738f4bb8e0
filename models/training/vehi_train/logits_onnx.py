"""Writes ONNX files of networks from a normalized picture to logits, and verifies them against torch."""
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.onnx.utils

from . import onnx_node

OPSET = 17
# Maximum logit difference between torch and the exported graph attributable to rounding.
TOLERANCE = 1e-3


def write_logits(model: torch.nn.Module, fold_norms: Callable[[], None], example: torch.Tensor, path: Path) -> None:
    """Exports `model` after `fold_norms` has folded its BatchNorms; the file is temporary until it matches torch."""
    with torch.no_grad():
        expected = model(example).numpy()
    fold_norms()
    aside = path.with_suffix(".tmp")
    torch.onnx.utils.export(
        model, (example,), str(aside), input_names=["images"], output_names=["logits"], opset_version=OPSET
    )
    onnx.checker.check_model(str(aside))
    results, _ = onnx_node.run(aside, example.numpy())
    difference = float(np.abs(results["logits"] - expected).max())
    if difference > TOLERANCE:
        raise SystemExit(f"{aside}: logits differ from torch by {difference:.2e}, more than {TOLERANCE}")
    print(f"logits differ from torch by at most {difference:.1e}")
    aside.rename(path)

