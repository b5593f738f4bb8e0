"""Temperature scaling of the logits, so that a confidence of 0.8 is correct for about 80 % of pixels."""

import numpy as np
import torch
from torch import nn

from .dataset import Photo
from .labels import BACKGROUND, PARTS
from .scoring import network_input

_CANDIDATES = np.exp(np.linspace(np.log(0.5), np.log(3.0), 60))
_PIXELS_PER_PHOTO = 2000


@torch.no_grad()
def best_temperature(model: nn.Module, photos: list[Photo], size: int) -> float:
    """Returns the temperature with the lowest cross-entropy on labelled part pixels of the photos."""
    logits, labels = _sampled(model, photos, size)
    losses = []
    for temperature in _CANDIDATES:
        log_p = torch.log_softmax(logits / temperature, 1)
        losses.append(-log_p.gather(1, labels[:, None]).mean().item())
    return float(_CANDIDATES[int(np.argmin(losses))])


def _sampled(model: nn.Module, photos: list[Photo], size: int) -> tuple[torch.Tensor, torch.Tensor]:
    rng = np.random.default_rng(0)
    logits, labels = [], []
    for photo in photos:
        output = model(torch.from_numpy(network_input(photo.pixels, size)[None]))[0]
        rows, columns = output.shape[1:]
        height, width = photo.target.shape
        known = np.argwhere((photo.target > BACKGROUND) & (photo.target < len(PARTS)))
        chosen = known[rng.choice(len(known), min(_PIXELS_PER_PHOTO, len(known)), replace=False)]
        y, x = chosen[:, 0] * rows // height, chosen[:, 1] * columns // width
        logits.append(output[:, y, x].T)
        labels.append(torch.from_numpy(photo.target[chosen[:, 0], chosen[:, 1]].astype(np.int64)))
    return torch.cat(logits), torch.cat(labels)
