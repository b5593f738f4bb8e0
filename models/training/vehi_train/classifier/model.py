"""The classifier: compares ResNet features inside and around a box to predict damage or none, and one of eight
classes."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

from .. import manifest
from ..damage.labels import LABELS
from .cuts import SIDE
from .resnet import ResNet50C4

STRIDES = (8, 16)
FEATURES = 2 * 512 + 3 * 1024
HIDDEN = 256


def normalised(cuts: np.ndarray) -> torch.Tensor:
    """Converts uint8 BGR [n,H,W,3] to the classifier's input: float32 RGB [n,3,H,W]."""
    mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (manifest.MEAN, manifest.STD))
    pictures = torch.from_numpy(np.ascontiguousarray(cuts[..., ::-1])).permute(0, 3, 1, 2).float() / 255
    return ((pictures - mean) / std).to(memory_format=torch.channels_last)


class Classifier(nn.Module):
    """Normalized RGB [n,3,SIDE,SIDE] and boxes [n,4] (left, top, right, bottom as fractions) -> [n, 1 + labels] logits:
    damage or none, then the classes."""

    def __init__(self):
        super().__init__()
        self.trunk, self.head = ResNet50C4(), Head()
        for stride in STRIDES:
            self.register_buffer(f"centres{stride}", (torch.arange(SIDE // stride) + 0.5) / (SIDE // stride), persistent=False)

    def forward(self, images: torch.Tensor, boxes: torch.Tensor) -> torch.Tensor:
        with torch.set_grad_enabled(False):
            low = self.trunk.low(images)
        high = self.trunk.high(low)
        seen = []
        for features, centres in ((low, self.centres8), (high, self.centres16)):
            features = features.float()
            inside = cells_inside(boxes, centres)
            seen.append((features * inside).sum((2, 3)) / inside.sum((2, 3)))
            seen.append((features * inside + (inside - 1) * 1e4).amax((2, 3)))
        return self.head(torch.cat([*seen, high.float().mean((2, 3))], 1))


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.n, self.a, self.b = nn.LayerNorm(FEATURES), nn.Linear(FEATURES, HIDDEN), nn.Linear(HIDDEN, 1 + len(LABELS))
        self.d1, self.d2 = nn.Dropout(0.2), nn.Dropout(0.4)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.b(self.d2(torch.relu(self.a(self.d1(self.n(features))))))


class Exported(nn.Module):
    """The classifier as run by the product: probability of damage [n,1] and, given damage, of the classes
    [n,labels]."""

    def __init__(self, classifier: Classifier):
        super().__init__()
        self.classifier = classifier

    def forward(self, images: torch.Tensor, boxes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logits = self.classifier(images, boxes)
        return torch.sigmoid(logits[:, :1]), torch.softmax(logits[:, 1:], 1)


def cells_inside(boxes: torch.Tensor, centres: torch.Tensor) -> torch.Tensor:
    """Returns 1 for cells with their centre in the box and for the cell at the box's own centre: [n,1,cells,cells]."""
    half = 0.5 / len(centres) + 1e-6

    def along(start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
        return ((centres >= start) & (centres <= end)) | ((centres - (start + end) / 2).abs() <= half)

    x0, y0, x1, y1 = (boxes[:, k : k + 1] for k in range(4))
    return (along(y0, y1)[:, :, None] & along(x0, x1)[:, None, :])[:, None].float()


def from_imagenet(path: Path) -> Classifier:
    """Returns the classifier with ImageNet weights; its first two stages and its normalization stay frozen."""
    classifier = Classifier()
    stored = torch.load(path)
    classifier.trunk.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in stored.items()})
    for parameter in classifier.trunk.parameters():
        parameter.requires_grad = False
    for parameter in classifier.trunk.s[2].parameters():
        parameter.requires_grad = True
    return classifier
