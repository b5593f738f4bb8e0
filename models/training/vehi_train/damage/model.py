"""Building the detector: from COCO, from a checkpoint, or from a shipped ONNX file."""
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
import torch.nn as nn

from ..context import Context
from ..onnx_graph import constants_of
from ..picodet import PicoDet, decode, grid
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


def load_shipped(model: PicoDet, path: Path) -> None:
    """Fills a model from a float32 ONNX file of ours: its weights keep their names; BatchNorm is folded in."""
    weights = constants_of(onnx.load(str(path)).graph)
    state = {name[len(ONNX_PREFIX):]: torch.from_numpy(np.ascontiguousarray(value))
             for name, value in weights.items() if name.startswith(ONNX_PREFIX)}
    load_state(model, state)


def unfold_from_samples(model: PicoDet, samples: list[Sample], size: int, seed: int, batches: int = 8) -> None:
    """Gives the model BatchNorms from the statistics of `batches` times 16 pictures."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(batches):
        chosen = [samples[int(k)].picture for k in rng.integers(0, len(samples), 16)]
        seen.append(torch.from_numpy(np.stack([normalise(cv2.resize(p, (size, size))) for p in chosen])))
    model.body.unfold_batch_norm(seen)


class Detector(nn.Module):
    """Images -> boxes [B,N,4] in input pixels and scores [B,N,C], as the engine reads them."""

    def __init__(self, model: PicoDet, size: int):
        super().__init__()
        self.model = model
        points, strides = grid(size, size)
        self.register_buffer("points", points, persistent=False)
        self.register_buffer("strides", strides, persistent=False)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits, sides = self.model(images)
        return decode(sides, self.points, self.strides), logits.sigmoid()
