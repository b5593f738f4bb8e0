"""Exports the averaged model to ONNX with a fixed input and enters it in the manifest, unmeasured."""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.onnx.utils

from .. import onnx_node
from ..context import Context
from ..manifest import read_entry, variant, write_entry
from ..parts.export import OPSET, TOLERANCE
from ..parts.model import STRIDE
from ..parts.scoring import MEAN, STD
from .model import load_finder

_FILE = "plates-fp32.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--checkpoint", type=Path, help="default: the run's last checkpoint")


def run(context: Context) -> None:
    config = context.config
    torch.set_num_threads(1)
    checkpoint = context.args.checkpoint or context.run_dir / "last.pt"
    model = load_finder(context.weights / config["coco_weights"], context.runs / config["start_from"], checkpoint)
    size = config["shipped_size"]
    example = torch.from_numpy(np.random.default_rng(1).normal(0, 1, (1, 3, size, size)).astype(np.float32))
    path = context.models / _FILE
    _write(model, example, path)
    entry = read_entry(context.models, "plates") or {}
    write_entry(context.models, {**entry, **_entry(context)})
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def _write(model: torch.nn.Module, example: torch.Tensor, path: Path) -> None:
    with torch.no_grad():
        expected = model(example).numpy()
    model.encoder.fold_batch_norm()
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


def _entry(context: Context) -> dict:
    config = context.config
    size = config["shipped_size"]
    return {
        "id": "plates",
        "task": "mask",
        "name": f"vehi-plates-s{size}",
        "version": config["version"],
        "variants": [variant(context.models, "fp32", _FILE)],
        "default_precision": "fp32",
        "input": {
            "name": "images",
            "width": size,
            "height": size,
            "layout": "NCHW",
            "channels": "RGB",
            "resize": "stretch",
            "mean": [round(float(value), 3) for value in MEAN],
            "std": [round(float(value), 3) for value in STD],
        },
        "outputs": {"logits": "logits", "stride": STRIDE},
        "labels": ["plate"],
        "threshold": config["threshold"],
        "licence": "Apache-2.0",
        "training_data": [
            {**source, "labels": ["plate"] if source["images"] else []} for source in config["training_data"]
        ],
    }
