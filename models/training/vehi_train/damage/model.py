"""Builds the detector from COCO, from a checkpoint, or from a shipped ONNX file."""
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F

from ..context import Context
from ..onnx_graph import constants_of
from ..onnx_stem import narrowed
from ..picodet import STRIDES, PicoDet, decode, grid
from .dataset import Sample, normalise
from .labels import LABELS

ONNX_PREFIX = "model."  # what Detector's field puts before our weights' names in a shipped file


def from_coco(context: Context) -> PicoDet:
    return PicoDet(context.weights / context.config["model"]["coco_weights"], len(LABELS))


def load_state(model: PicoDet, state: dict[str, torch.Tensor]) -> None:
    """Loads a state into a model built from COCO, creating exactly the state's BatchNorms."""
    keys = dict.fromkeys(name.split(".")[2] for name in state if name.startswith("body.batch_norms."))
    model.body.batch_norms.clear()
    model.body.add_batch_norms(list(keys))
    model.load_state_dict(state)


def load_shipped(model: PicoDet, path: Path, member: int = 0) -> None:
    """Loads a model from one of our float32 ONNX files, from the given network of an ensemble; BatchNorm is folded."""
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    state = shipped_state(path, member)
    load_state(model, {name: torch.from_numpy(narrowed(value.numpy(), shapes[name])) for name, value in state.items()})


def shipped_state(path: Path, member: int) -> dict[str, torch.Tensor]:
    """Returns one network's weights from one of our ONNX files, under their names in the file.

    Weights shared by several networks (a frozen stem) are stored once, under the first.
    """
    weights = constants_of(onnx.load(str(path)).graph)
    alone = any(name.startswith(ONNX_PREFIX) for name in weights)
    prefixes = [ONNX_PREFIX] if alone else [f"members.{k}.{ONNX_PREFIX}" for k in range(member + 1)]
    return {name[len(prefix):]: torch.from_numpy(np.ascontiguousarray(value))
            for prefix in prefixes for name, value in weights.items() if name.startswith(prefix)}


def unfold_from_samples(model: PicoDet, samples: list[Sample], size: int, seed: int, batches: int = 8) -> None:
    """Initializes the model's BatchNorms with the statistics of `batches` times 16 pictures."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(batches):
        chosen = [samples[int(k)].picture for k in rng.integers(0, len(samples), 16)]
        seen.append(torch.from_numpy(np.stack([normalise(cv2.resize(p, (size, size))) for p in chosen])))
    model.body.unfold_batch_norm(seen)


class Detector(nn.Module):
    """Images -> boxes [B,N,4] in input pixels and scores [B,N,C], as read by the engine.

    With `mirrored`, each picture is also run mirrored, and a cell's boxes and logits are the mean of both: twice the
    time for about two points of mean AP50.
    """

    def __init__(self, model: PicoDet, size: int, mirrored: bool = False):
        super().__init__()
        self.model = model
        self.size = size
        self.mirrored = mirrored
        points, strides = grid(size, size)
        self.register_buffer("points", points, persistent=False)
        self.register_buffer("strides", strides, persistent=False)
        self.register_buffer("opposite", _opposite_cells(size), persistent=False)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.mirrored:
            logits, sides = self.model(images)
            return decode(sides, self.points, self.strides), logits.sigmoid()
        count = images.shape[0]
        logits, sides = self.model(torch.cat([images, images.flip(3)]))
        boxes = decode(sides, self.points, self.strides)
        x0, y0, x1, y1 = boxes[count:, self.opposite].split(1, -1)
        mirrored_back = torch.cat([self.size - x1, y0, self.size - x0, y1], -1)
        mean_logits = (logits[:count] + logits[count:, self.opposite]) / 2
        return (boxes[:count] + mirrored_back) / 2, mean_logits.sigmoid()


class Together(nn.Module):
    """Several detectors with their own input sizes on one picture of the largest size; their rows are concatenated."""

    def __init__(self, detectors: list[Detector]):
        super().__init__()
        self.members = nn.ModuleList(detectors)
        self.size = max(detector.size for detector in detectors)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        boxes, scores = [], []
        for detector in self.members:
            size = (detector.size, detector.size)
            seen = images if detector.size == self.size else F.interpolate(images, size, mode="bilinear", align_corners=False)
            found, score = detector(seen)
            boxes.append(found * (self.size / detector.size))
            scores.append(score)
        return torch.cat(boxes, 1), torch.cat(scores, 1)


def rows_of(detector: Detector) -> int:
    """Returns the number of boxes of a detector per picture, before suppression."""
    return len(detector.strides)


def _opposite_cells(size: int) -> torch.Tensor:
    """Returns for each cell the index of its mirrored cell, ordered as the model's outputs."""
    opposite, start = [], 0
    for stride in STRIDES:
        side = -(-size // stride)
        opposite.append(torch.arange(side * side).reshape(side, side).flip(1).reshape(-1) + start)
        start += side * side
    return torch.cat(opposite)
