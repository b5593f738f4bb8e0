"""Writes models/parts-int8.onnx; `--write` lists it in the manifest if it loses at most one point of mean IoU."""

from pathlib import Path

import numpy as np

from .. import onnx_node
from ..context import Context
from ..int8 import add_arguments, compare_and_ship
from .dataset import load_photos
from .scoring import close_ups, network_input, score
from .split import held_out_names

__all__ = ["add_arguments", "run"]


def run(context: Context) -> None:
    settings, size = context.config["quantize"], context.config["size"]
    held_out = held_out_names(context.config)
    photos = load_photos(context.data / "parts")
    judging = [photo for photo in photos if photo.name in held_out]
    learning = [photo for photo in photos if photo.name not in held_out]
    chosen = np.random.default_rng(settings["seed"]).choice(len(learning), settings["images"] // 2, replace=False)
    whole = [learning[int(k)] for k in chosen]
    near = close_ups(whole, each=1, seed=settings["seed"])
    # Whole photos and close-ups alternate, so the few probe images include both.
    images = np.stack([network_input(p.pixels, size) for both in zip(whole, near, strict=True) for p in both])

    def mean_iou(model: Path) -> float:
        return score(lambda batch: onnx_node.run(model, batch)[0]["logits"], judging, size)["mean_iou"]

    compare_and_ship(context, "parts", images, "mean_iou", mean_iou)
