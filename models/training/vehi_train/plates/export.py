"""Exports the averaged model to ONNX with a fixed input and adds it to the manifest without metrics."""

import argparse
from pathlib import Path

import torch

from .. import manifest
from ..context import Context
from ..damage.detect import NMS_IOU
from ..damage.export import load_averaged, write_onnx
from ..damage.model import Detector
from .train import from_coco

FILE_NAME = "plates-fp32.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--checkpoint", type=Path, help="default: the run's last checkpoint")
    parser.add_argument("--size", type=int, help="input side in px; default: [export] size of the config")


def run(context: Context) -> None:
    settings = context.config["export"]
    torch.set_num_threads(1)
    size = context.args.size or settings["size"]
    path = context.models / FILE_NAME
    model = load_averaged(from_coco(context), context.args.checkpoint or context.run_dir / "last.pt")
    write_onnx(Detector(model, size, settings["mirrored"]), [], path)
    entry = {
        "id": "plates",
        "task": "detect",
        "name": f"vehi-plates-s{size}",
        "version": settings["version"],
        "weights": manifest.weights(context.models, "fp32", FILE_NAME),
        "input": manifest.square_input("images", size),
        "outputs": {"boxes": "boxes", "scores": "scores"},
        "labels": ["plate"],
        "nms_iou": NMS_IOU,
        "threshold": settings["threshold"],
        "licence": "Apache-2.0",
        "training_data": [
            {**source, "labels": ["plate"] if source["images"] else []} for source in context.config["training_data"]
        ],
    }
    manifest.write_entry(context.models, entry)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, input {size} px; measure it with `npm run models:measure -- plates`")
