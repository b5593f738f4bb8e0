"""A segmenter that looks at every picture twice, straight and mirrored."""

import numpy as np
import torch
from torch import nn

from .labels import PARTS, mirrored


class MirrorMean(nn.Module):
    """Mean of the picture's and its mirror image's logits, over a temperature.

    Mirroring swaps left and right, so the mean cannot prefer a side by habit.
    """

    def __init__(self, model: nn.Module, temperature: float = 1.0):
        super().__init__()
        self.model = model
        self.temperature = temperature
        self.register_buffer("swap", torch.from_numpy(mirrored()[: len(PARTS)].astype(np.int64)))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        straight = self.model(images)
        flipped = self.model(images.flip(3)).flip(3)[:, self.swap]
        return (straight + flipped) * (0.5 / self.temperature)
