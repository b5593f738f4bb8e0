"""Exports the averaged model to ONNX with a fixed input and adds it to the manifest without metrics."""

import argparse
from pathlib import Path

import torch

from .. import onnx_fold
from ..context import Context
from ..logits_onnx import write_logits
from ..manifest import read_entry, square_input, weights, write_entry
from ..onnx_stem import widen_stem
from .by_eye import photos_by_eye
from .checkpoint import load_segmenter
from .dataset import load_photos
from .labels import PARTS
from .mirror import MirrorMean, TwoSizes
from .model import STRIDE
from .scoring import network_input
from .split import held_out_names
from .temperature import best_temperature

FILE_NAME = "parts-fp32.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--checkpoint", type=Path, help="default: the run's last checkpoint")


def run(context: Context) -> None:
    config = context.config
    torch.set_num_threads(1)
    checkpoint = context.args.checkpoint or context.run_dir / "last.pt"
    model = load_segmenter(context.weights / config["coco_weights"], checkpoint)
    held_out = held_out_names(config)
    judging = [photo for photo in load_photos(context.data / "parts") if photo.name in held_out]
    judging += photos_by_eye(context, held_out=True)
    mirrored = MirrorMean(model)
    temperature = best_temperature(TwoSizes(mirrored, config["small_size"]), judging, config["size"])
    print(f"temperature {temperature:.3f}")
    shipped = TwoSizes(mirrored, config["small_size"], temperature).eval()
    example = torch.from_numpy(network_input(judging[0].pixels, config["size"])[None])
    path = context.models / FILE_NAME
    plain = path.with_suffix(".plain")
    write_logits(shipped, model.fold_norms, example, plain)
    aside = path.with_suffix(".folded")
    onnx_fold.fold(plain, aside, example.numpy())
    widen_stem(aside)
    plain.unlink()
    aside.rename(path)
    entry = read_entry(context.models, "parts") or {}
    write_entry(context.models, {**entry, **_entry(context)})
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def _entry(context: Context) -> dict:
    size = context.config["size"]
    return {
        "id": "parts",
        "task": "segment",
        "name": f"vehi-parts-s{size}",
        "version": context.config["version"],
        "weights": weights(context.models, "fp32", FILE_NAME),
        "input": square_input("images", size),
        "outputs": {"logits": "logits", "stride": STRIDE},
        "labels": list(PARTS),
        "licence": "Apache-2.0",
        "training_data": [
            {**source, "labels": list(PARTS[1:]) if source["images"] else []}
            for source in context.config["training_data"]
        ],
    }
