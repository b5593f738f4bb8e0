"""Exports the averaged model to ONNX with a fixed input and enters it in the manifest, unmeasured."""

import argparse
from pathlib import Path

import numpy as np
import torch

from ..context import Context
from ..logits_onnx import write_logits
from ..manifest import read_entry, square_input, variant, write_entry
from ..parts.model import STRIDE
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
    write_logits(model, model.encoder, example, path)
    entry = read_entry(context.models, "plates") or {}
    write_entry(context.models, {**entry, **_entry(context)})
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


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
        "input": square_input("images", size),
        "outputs": {"logits": "logits", "stride": STRIDE},
        "labels": ["plate"],
        "threshold": config["threshold"],
        "licence": "Apache-2.0",
        "training_data": [
            {**source, "labels": ["plate"] if source["images"] else []} for source in config["training_data"]
        ],
    }
