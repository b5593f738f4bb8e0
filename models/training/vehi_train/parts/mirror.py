"""Test-time augmentation of a segmenter: each picture is run four times, straight and mirrored, at two sizes."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .labels import PARTS, mirrored


class MirrorMean(nn.Module):
    """Mean logits of the picture and its mirror image.

    Mirroring swaps left and right, so the mean has no bias towards a side.
    """

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model
        self.register_buffer("swap", torch.from_numpy(mirrored()[: len(PARTS)].astype(np.int64)))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        straight = self.model(images)
        flipped = self.model(images.flip(3)).flip(3)[:, self.swap]
        return (straight + flipped) * 0.5


class TwoSizes(nn.Module):
    """Mean logits of a model at full and at a smaller size, divided by a temperature.

    On close-ups, the smaller size provides more context; on whole cars, the larger one resolves mirrors and lamps.
    """

    def __init__(self, model: nn.Module, small_size: int, temperature: float = 1.0):
        super().__init__()
        self.model = model
        self.small_size = small_size
        self.temperature = temperature

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        fine = self.model(images)
        small = F.interpolate(images, size=(self.small_size, self.small_size), mode="bilinear", align_corners=False)
        coarse = F.interpolate(self.model(small), size=fine.shape[-2:], mode="bilinear", align_corners=False)
        return (fine + coarse) * (0.5 / self.temperature)
