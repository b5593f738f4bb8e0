"""Building the detector: from COCO, from a checkpoint, or from a shipped ONNX file."""
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
    """Fills a model that came from COCO; makes exactly the BatchNorms the state knows."""
    keys = dict.fromkeys(name.split(".")[2] for name in state if name.startswith("body.batch_norms."))
    model.body.batch_norms.clear()
    model.body.add_batch_norms(list(keys))
    model.load_state_dict(state)


def load_shipped(model: PicoDet, path: Path, member: int = 0) -> None:
    """Fills a model from a float32 ONNX file of ours, of several networks from the given one; BatchNorm is folded
    in."""
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    state = shipped_state(path, member)
    load_state(model, {name: torch.from_numpy(narrowed(value.numpy(), shapes[name])) for name, value in state.items()})


def shipped_state(path: Path, member: int) -> dict[str, torch.Tensor]:
    """Returns one network's weights in an ONNX file of ours, by the names they keep there.

    What is equal in several networks (a frozen stem) lies in the file once, under the first."""
    weights = constants_of(onnx.load(str(path)).graph)
    alone = any(name.startswith(ONNX_PREFIX) for name in weights)
    prefixes = [ONNX_PREFIX] if alone else [f"members.{k}.{ONNX_PREFIX}" for k in range(member + 1)]
    return {name[len(prefix):]: torch.from_numpy(np.ascontiguousarray(value))
            for prefix in prefixes for name, value in weights.items() if name.startswith(prefix)}


def unfold_from_samples(model: PicoDet, samples: list[Sample], size: int, seed: int, batches: int = 8) -> None:
    """Gives the model BatchNorms from the statistics of `batches` times 16 pictures."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(batches):
        chosen = [samples[int(k)].picture for k in rng.integers(0, len(samples), 16)]
        seen.append(torch.from_numpy(np.stack([normalise(cv2.resize(p, (size, size))) for p in chosen])))
    model.body.unfold_batch_norm(seen)


class Detector(nn.Module):
    """Images -> boxes [B,N,4] in input pixels and scores [B,N,C], as the engine reads them.

    With `mirrored` every picture also goes through as its mirror image, and a cell's boxes and logits are the mean of
    both: twice the time for about two points of mean AP50.
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
    """Several detectors, each at its own input size, on one picture of the largest: their rows follow one another."""

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
    """Returns boxes a detector gives for a picture, before any is left out."""
    return len(detector.strides)


def _opposite_cells(size: int) -> torch.Tensor:
    """Returns for each cell the index of the cell at its mirror image's place, in the order of the model's outputs."""
    opposite, start = [], 0
    for stride in STRIDES:
        side = -(-size // stride)
        opposite.append(torch.arange(side * side).reshape(side, side).flip(1).reshape(-1) + start)
        start += side * side
    return torch.cat(opposite)
