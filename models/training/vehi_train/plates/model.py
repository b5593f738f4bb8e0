"""The plate finder: the parts segmenter's network with one output, the logit of "plate" per cell."""

from pathlib import Path

import torch
from torch import nn

from ..parts.checkpoint import load_segmenter


def from_parts(coco_weights: Path, checkpoint: Path) -> nn.Module:
    """The parts segmenter with a new last layer."""
    model = load_segmenter(coco_weights, checkpoint)
    model.classify = nn.Conv2d(model.classify.in_channels, 1, 1)
    nn.init.normal_(model.classify.weight, std=0.01)
    nn.init.constant_(model.classify.bias, -4.0)
    return model


def load_finder(coco_weights: Path, parts: Path, checkpoint: Path) -> nn.Module:
    """The averaged model of a checkpoint, ready to predict."""
    model = from_parts(coco_weights, parts)
    model.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    return model.eval()
