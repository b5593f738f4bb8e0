"""Writes models/damage-int8.onnx; `--write` lists it in the manifest if it loses at most one point of mean AP50."""

from pathlib import Path

import cv2
import numpy as np

from ..context import Context
from ..int8 import add_arguments, compare_and_ship
from .average_precision import average_precision
from .dataset import load, normalise
from .evaluate import detect_onnx, input_side
from .export import FILE_NAME

__all__ = ["add_arguments", "run"]


def run(context: Context) -> None:
    settings = context.config["quantize"]
    size = input_side(context.args.model or context.models / FILE_NAME)
    samples, validation = load(context, "train"), load(context, "val")
    chosen = np.random.default_rng(settings["seed"]).choice(len(samples), settings["images"], replace=False)
    pictures = (samples[int(k)].picture for k in chosen)
    images = np.stack([normalise(cv2.resize(p, (size, size), interpolation=cv2.INTER_AREA)) for p in pictures])

    def mean_ap50(model: Path) -> float:
        return average_precision(validation, detect_onnx(model, validation)[0])["mean"]

    compare_and_ship(context, "damage", images, "ap50_mean", mean_ap50)
