"""Exponential moving average of a model, which is evaluated and shipped."""
import copy

import torch
import torch.nn as nn


class Ema:
    """Averages parameters with decay min(`decay`, (1 + step) / (10 + step)); buffers are copied."""

    def __init__(self, model: nn.Module, decay: float):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module, step: int) -> None:
        weight = 1 - min(self.decay, (1 + step) / (10 + step))
        learning = [(own, other) for own, other in zip(self.model.parameters(), model.parameters()) if other.requires_grad]
        own, other = [list(side) for side in zip(*learning)]
        torch._foreach_mul_(own, 1 - weight)
        torch._foreach_add_(own, other, alpha=weight)
        for mine, theirs in zip(self.model.buffers(), model.buffers()):
            mine.copy_(theirs)
