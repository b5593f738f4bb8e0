"""Evaluates an exported segmenter on the held-out photos and writes the figures to the manifest."""

import argparse
import json
from pathlib import Path

import numpy as np

from .. import onnx_node
from ..context import Context
from ..manifest import read_entry, write_entry
from .by_eye import photos_by_eye
from .dataset import Photo, load_photos
from .labels import IGNORE, PARTS
from .scoring import Predict, calibration, close_up_seed, close_ups, far_views, label_map, predicted, score
from .split import held_out_names
from .view import part_areas, view_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-manifest", action="store_true", help="print the figures only")


def run(context: Context) -> None:
    entry = read_entry(context.models, "parts")
    if entry is None:
        raise SystemExit(f"{context.models}/manifest.json: no entry 'parts'; export the model first")
    size = entry["input"]["width"]
    model = context.models / entry["weights"]["file"]
    milliseconds: list[float] = []

    def predict(images: np.ndarray) -> np.ndarray:
        results, durations = onnx_node.run(model, images)
        milliseconds.extend(durations)
        return results["logits"]

    held_out = held_out_names(context.config)
    photos = [photo for photo in load_photos(context.data / "parts") if photo.name in held_out]
    measured = {
        "data": f"{len(photos)} photos of the parts data held out by {context.config['split_file']}",
        "command": f"python3 -m vehi_train evaluate --config configs/{Path(context.args.config).name}",
        **score(predict, photos, size),
        "view_accuracy": round(_view_accuracy(predict, photos, size), 4),
        "calibration_error": round(calibration(predict, photos, size)["error"], 4),
    }
    near = close_ups(photos, each=4, seed=close_up_seed(context.config))
    figures = ("mean_iou", "side_accuracy", "side_components", "outline_iou", "outline_recall")
    in_detail = score(predict, near, size)
    measured["close_ups"] = {"photos": len(near), **{name: in_detail[name] for name in figures}}
    measured["close_ups"]["calibration_error"] = round(calibration(predict, near, size)["error"], 4)
    far = far_views(photos, size, close_up_seed(context.config))
    seen_far = score(predict, far, size)
    measured["far_views"] = {"photos": len(far), **{name: seen_far[name] for name in figures},
                             "view_accuracy": round(_view_accuracy(predict, far, size), 4)}
    by_eye = list(photos_by_eye(context, held_out=True))
    if by_eye:
        damaged = score(predict, by_eye, size)
        measured["by_eye"] = {"photos": len(by_eye), "pixel_accuracy": damaged["pixel_accuracy"],
                              **{name: damaged[name] for name in figures},
                              "calibration_error": round(calibration(predict, by_eye, size)["error"], 4)}
    measured["milliseconds_one_core"] = round(float(min(milliseconds)), 1)
    print(json.dumps(measured, indent=1))
    if not context.args.no_manifest:
        write_entry(context.models, {**entry, "measured": measured})


def _view_accuracy(predict: Predict, photos: list[Photo], size: int) -> float:
    """Returns the fraction of photos whose predicted parts imply the same view as their labelled parts."""
    right = 0
    for photo, logits in predicted(predict, photos, size):
        said = label_map(logits, *photo.target.shape)
        labelled = np.where(photo.target < len(PARTS), photo.target, IGNORE)
        right += view_of(part_areas(said)) == view_of(part_areas(labelled))
    return right / len(photos)
