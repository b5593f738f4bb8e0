"""Two runs of one model on two cores, averaged after every epoch (local SGD).

Two single-threaded processes handle more pictures per second than one process with two threads. They may differ in
speed: each reads the other's last checkpoint and moves towards it by the other's share of the steps since.
"""
from pathlib import Path

import torch
import torch.nn as nn


class Peer:
    """The other run's checkpoint; a missing or outdated `checkpoint` has no effect."""

    def __init__(self, checkpoint: Path, steps_done: int):
        self.checkpoint = checkpoint
        self.seen_steps: int | None = None
        self.own_steps = steps_done

    def draw_together(self, models: list[tuple[str, nn.Module]], steps_done: int) -> float:
        """Averages each named model with the peer's; returns the peer's weight, 0 if it wrote nothing new."""
        if not self.checkpoint.exists():
            return 0.0
        state = torch.load(self.checkpoint, map_location="cpu", weights_only=False)
        if state["steps"] == self.seen_steps:
            return 0.0
        theirs = 0 if self.seen_steps is None else max(0, state["steps"] - self.seen_steps)
        ours = steps_done - self.own_steps
        self.seen_steps, self.own_steps = state["steps"], steps_done
        weight = theirs / max(1, theirs + ours)
        for name, model in models:
            move_towards(model, state[name], weight)
        return weight


@torch.no_grad()
def move_towards(model: nn.Module, state: dict[str, torch.Tensor], weight: float) -> None:
    """Averages: (1 - weight) of the model's own parameters and statistics, `weight` of the state's; counters stay."""
    for key, value in model.state_dict().items():
        if value.is_floating_point():
            value.lerp_(state[key], weight)
