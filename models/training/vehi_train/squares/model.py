"""The map head: predicts the probability of damage per 16 px cell of a square."""
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    """Projected features of squares [n, channels, cells, cells] -> logits [n, cells, cells]; each square is
    independent."""

    def __init__(self, channels: int, inside: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("deviation", torch.ones(channels))
        self.a, self.b = nn.Conv2d(channels, inside, 1), nn.Conv2d(inside, inside, 3, padding=1)
        self.c, self.out = nn.Conv2d(inside, inside, 3, padding=2, dilation=2), nn.Conv2d(inside, 1, 1)
        self.drop = nn.Dropout2d(0.2)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        x = (features - self.mean[:, None, None]) / self.deviation[:, None, None]
        x = F.relu(self.a(self.drop(x)))
        x = F.relu(self.b(x)) + x
        x = F.relu(self.c(x)) + x
        return self.out(self.drop(x))[:, 0]


def cut_in_squares(maps: torch.Tensor, cells: int) -> torch.Tensor:
    """Splits photos [n, H, W, ...] into squares [n * squares, cells, cells, ...]."""
    n, height, width, *rest = maps.shape
    rows = maps.reshape(n, height // cells, cells, width // cells, cells, *rest)
    return rows.transpose(2, 3).reshape(-1, cells, cells, *rest)
