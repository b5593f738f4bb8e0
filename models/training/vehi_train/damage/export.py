"""Writes the averaged model as models/damage-fp32.onnx: fixed input, boxes and scores decoded in the graph."""
import copy
from pathlib import Path

import onnx
import torch
import torch.onnx.utils

from .. import manifest
from ..context import Context
from . import model as models
from .detect import NMS_IOU
from .labels import LABELS

OPSET = 17
FILE_NAME = "damage-fp32.onnx"


def add_arguments(parser) -> None:
    parser.add_argument("--checkpoint", type=Path, help="default: the run's last.pt")
    parser.add_argument("--out", type=Path, help="default: the shipped file; given, the manifest stays as it is")
    parser.add_argument("--size", type=int, help="input side in px; default: [export] size of the config")


def load_averaged(model: models.PicoDet, path: Path) -> models.PicoDet:
    """`model`, fresh from COCO, with the averaged weights of a checkpoint, BatchNorm folded."""
    models.load_state(model, torch.load(path, map_location="cpu")["ema"])
    model.eval()
    model.body.fold_batch_norm()
    return model


def write_onnx(model: models.PicoDet, size: int, mirrored: bool, path: Path) -> None:
    """Exports under a temporary name, checks the graph, then renames."""
    aside = path.with_suffix(".tmp")
    exported = models.Detector(copy.deepcopy(model), size, mirrored).eval().requires_grad_(False)
    torch.onnx.utils.export(
        exported, torch.zeros(1, 3, size, size), str(aside),
        opset_version=OPSET, input_names=["images"], output_names=["boxes", "scores"])
    onnx.checker.check_model(str(aside))
    aside.replace(path)


def run(context: Context) -> None:
    settings = context.config["export"]
    size = context.args.size or settings["size"]
    model = load_averaged(models.from_coco(context), context.args.checkpoint or context.run_dir / "last.pt")
    path = context.args.out or context.models / FILE_NAME
    write_onnx(model, size, settings["mirrored"], path)
    print(f"{path}: {path.stat().st_size} bytes, input {size} px")
    if context.args.out:
        return
    entry = {
        "id": "damage",
        "task": "detect",
        "name": f"vehi-damage-s{size}",
        "version": settings["version"],
        "variants": [manifest.variant(context.models, "fp32", FILE_NAME)],
        "default_precision": "fp32",
        "input": manifest.square_input("images", size),
        "outputs": {"boxes": "boxes", "scores": "scores"},
        "labels": list(LABELS),
        "nms_iou": NMS_IOU,
        "licence": "Apache-2.0",
        **calibration_of(context),
    }
    manifest.write_entry(context.models, entry)
    print("manifest.json: damage entry written; run evaluate --write for thresholds and figures of these weights")


def calibration_of(context: Context) -> dict:
    """Thresholds and calibration until `evaluate --write` measures them: those of the entry so far, else neutral."""
    before = manifest.read_entry(context.models, "damage") or {}
    neutral = {
        "thresholds": {purpose: dict.fromkeys(LABELS, value) for purpose, value in (("default", 0.4), ("high", 0.25))},
        "calibration": {label: {"x": [0.0, 1.0], "y": [0.0, 1.0]} for label in LABELS},
    }
    return {key: before.get(key, value) for key, value in neutral.items()}
