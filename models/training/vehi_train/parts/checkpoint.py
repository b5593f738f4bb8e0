"""Loads a segmenter from a training checkpoint or a shipped file."""

from pathlib import Path

import torch

from .labels import PARTS
from .model import Segmenter
from .shipped import fill_from_shipped

_NORMS = "encoder.batch_norms."


def load_segmenter(coco_weights: Path, checkpoint: Path) -> Segmenter:
    """Returns the averaged model of a checkpoint (.pt) or the model of a shipped file (.onnx), ready for prediction."""
    if Path(checkpoint).suffix == ".onnx":
        shipped = Segmenter(coco_weights, len(PARTS))
        fill_from_shipped(shipped, checkpoint)
        return shipped.eval()
    state = torch.load(checkpoint, weights_only=True)["average"]
    model = Segmenter(coco_weights, len(PARTS))
    keys = dict.fromkeys(name.removeprefix(_NORMS).split(".")[0] for name in state if name.startswith(_NORMS))
    model.encoder.add_batch_norms(list(keys))
    model.load_state_dict(state)
    return model.eval()
