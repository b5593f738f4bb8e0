"""ResNet-50 v2 (He et al. 2016, "Identity mappings in deep residual networks") without its last stage."""
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """A bottleneck with normalization before each convolution; parameter names match the weights file."""

    def __init__(self, inside: int, outside: int, width: int, stride: int, widens: bool):
        super().__init__()
        self.b1, self.c1 = nn.BatchNorm2d(inside), nn.Conv2d(inside, width, 1, bias=False)
        self.b2, self.c2 = nn.BatchNorm2d(width), nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.b3, self.c3 = nn.BatchNorm2d(width), nn.Conv2d(width, outside, 1, bias=False)
        self.d = nn.Conv2d(inside, outside, 1, stride, bias=False) if widens else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ready = F.relu(self.b1(x))
        past = x if self.d is None else self.d(ready)
        return past + self.c3(F.relu(self.b3(self.c2(F.relu(self.b2(self.c1(ready)))))))


class ResNet50C4(nn.Module):
    """Normalized RGB [n,3,H,W] -> features at stride 8 [n,512,H/8,W/8] by `low`, and from those at stride 16 by
    `high`."""

    def __init__(self):
        super().__init__()
        self.b0, self.c0, self.b1 = nn.BatchNorm2d(3), nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        self.s = nn.ModuleList([_stage(64, 64, 3, 1), _stage(256, 128, 4, 2), _stage(512, 256, 6, 2)])

    def low(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.b1(self.c0(self.b0(x)))), 3, 2, 1)
        return self.s[1](self.s[0](x))

    def high(self, x: torch.Tensor) -> torch.Tensor:
        return self.s[2](x)


def _stage(inside: int, width: int, blocks: int, stride: int) -> nn.Sequential:
    first = Block(inside, 4 * width, width, stride, True)
    return nn.Sequential(first, *(Block(4 * width, 4 * width, width, 1, False) for _ in range(blocks - 1)))
