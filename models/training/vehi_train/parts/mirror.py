"""A segmenter that looks at every picture four times: straight and mirrored, at two sizes."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .labels import PARTS, mirrored


class MirrorMean(nn.Module):
    """Mean of the picture's and its mirror image's logits.

    Mirroring swaps left and right, so the mean cannot prefer a side by habit.
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
    """Mean of a model's logits at full and at a smaller size, over a temperature.

    On close-ups the smaller look sees more of the vehicle at once; on whole cars the larger one sees mirrors and lamps.
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
