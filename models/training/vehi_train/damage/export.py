"""Exports the averaged model as models/damage-fp32.onnx: fixed input, boxes and scores decoded in the graph.

With `--with FILE`, a second network from one of our ONNX files runs on the same picture (see `[export.with]`). Its rows
come first, and the engine adds both networks' scores by their weights.
"""
import copy
import json
from pathlib import Path

import onnx
import torch
import torch.onnx.utils

from .. import manifest
from ..context import Context
from ..onnx_stem import widen_stem
from . import model as models
from .detect import MEMBERS, NMS_IOU, Members
from .labels import LABELS

OPSET = 17
FILE_NAME = "damage-fp32.onnx"


def add_arguments(parser) -> None:
    parser.add_argument("--checkpoint", type=Path, nargs="+", help="default: the run's last.pt; of several the mean of their weights")
    parser.add_argument("--out", type=Path, help="default: the shipped file; given, the manifest stays as it is")
    parser.add_argument("--size", type=int, help="input side in px; default: [export] size of the config")
    parser.add_argument("--with", dest="other", type=Path, help="ONNX file of ours whose (first) network joins in")


def load_averaged(model: models.PicoDet, *paths: Path) -> models.PicoDet:
    """Fills `model`, fresh from COCO, with the averaged weights of a checkpoint, or the mean over several, with
    BatchNorm folded."""
    states = [torch.load(path, map_location="cpu")["ema"] for path in paths]
    mean = {name: sum(state[name] for state in states) / len(states) if value.is_floating_point() else value
            for name, value in states[0].items()}
    models.load_state(model, mean)
    model.eval()
    model.body.fold_batch_norm()
    return model


def load_other(context: Context, path: Path) -> models.PicoDet:
    """Returns the first network of a shipped file."""
    model = models.from_coco(context)
    models.load_shipped(model, path)
    return model.eval()


def write_onnx(detector: models.Detector | models.Together, members: Members, path: Path) -> None:
    """Exports to a temporary file, checks the graph, stores the members in its metadata, then renames it."""
    aside = path.with_suffix(".tmp")
    exported = copy.deepcopy(detector).eval().requires_grad_(False)
    torch.onnx.utils.export(
        exported, (torch.zeros(1, 3, detector.size, detector.size),), str(aside),
        opset_version=OPSET, input_names=["images"], output_names=["boxes", "scores"])
    written = onnx.load(str(aside))
    onnx.checker.check_model(written)
    if members:
        onnx.helper.set_model_props(written, {MEMBERS: json.dumps(members)})
        onnx.save(written, str(aside))
    aside.replace(path)
    widen_stem(path)


def run(context: Context) -> None:
    settings = context.config["export"]
    size = context.args.size or settings["size"]
    detector = models.Detector(load_averaged(models.from_coco(context), *(context.args.checkpoint or [context.run_dir / "last.pt"])), size, settings["mirrored"])
    members: Members = []
    if context.args.other:
        joining = settings["with"]
        other = models.Detector(load_other(context, context.args.other), joining["size"], joining["mirrored"])
        weight = joining["weight"]
        members = [(models.rows_of(other), weight), (models.rows_of(detector), round(1 - weight, 6))]
        detector = models.Together([other, detector])
    path = context.args.out or context.models / FILE_NAME
    write_onnx(detector, members, path)
    print(f"{path}: {path.stat().st_size} bytes, input {size} px")
    if context.args.out:
        return
    entry = {
        "id": "damage",
        "task": "detect",
        "name": f"vehi-damage-s{size}",
        "version": settings["version"],
        "weights": manifest.weights(context.models, "fp32", FILE_NAME),
        "input": manifest.square_input("images", size),
        "outputs": {"boxes": "boxes", "scores": "scores"},
        "labels": list(LABELS),
        "nms_iou": NMS_IOU,
        **({"members": [{"rows": rows, "weight": weight} for rows, weight in members]} if members else {}),
        "licence": "Apache-2.0",
        **calibration_of(context),
    }
    manifest.write_entry(context.models, entry)
    print("manifest.json: damage entry written; run evaluate --write for calibration and figures of these weights")


def calibration_of(context: Context) -> dict:
    """Returns calibration and limits until `evaluate --write` and `npm run models:fit -- LABELS --write` measure them:
    those of the existing entry, else neutral. The judges' weights are omitted, because they apply to the candidates of
    one network only."""
    before = manifest.read_entry(context.models, "damage") or {}
    neutral = {
        "calibration": {label: {"x": [0.0, 1.0], "y": [0.0, 1.0]} for label in LABELS},
        "limits": {name: {"certain": certain, "to_check": to_check}
                   for name, certain, to_check in (("low", 0.6, 0.4), ("default", 0.5, 0.25), ("high", 0.4, 0.15))},
    }
    return {key: before.get(key, value) for key, value in neutral.items()}
