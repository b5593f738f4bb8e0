"""Optimizer, learning rate and checkpoints of the segmenter."""
import math
from pathlib import Path

import torch

from ..ema import Ema


def optimizer_of(model: torch.nn.Module, config: dict) -> torch.optim.AdamW:
    """Creates the optimizer: the pretrained encoder learns at `encoder_factor` of the rate; no decay on biases and
    norms."""
    groups = []
    for of_encoder, factor in ((True, config["encoder_factor"]), (False, 1.0)):
        named = [p for name, p in model.named_parameters() if name.startswith("encoder.") == of_encoder and p.requires_grad]
        for flat, decay in ((False, config["weight_decay"]), (True, 0.0)):
            chosen = [p for p in named if (p.dim() <= 1) == flat]
            groups.append({"params": chosen, "weight_decay": decay, "factor": factor})
    return torch.optim.AdamW(groups, lr=config["learning_rate"])


def set_rate(optimizer: torch.optim.Optimizer, config: dict, step: int, steps: int) -> None:
    """Sets the rate: linear warm-up, then a cosine down to a fiftieth, times each group's factor."""
    warm = min(1.0, (step + 1) / config["warm_up_steps"])
    rate = config["learning_rate"] * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))
    for group in optimizer.param_groups:
        group["lr"] = rate * group["factor"]


def resume(path: Path, model: torch.nn.Module, ema: Ema, optimizer: torch.optim.Optimizer) -> tuple[int, int]:
    """Loads all three from a checkpoint; returns the step and epoch from which to continue."""
    state = torch.load(path)
    model.load_state_dict(state["model"])
    ema.model.load_state_dict(state["average"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"], state["epoch"]


def save(path: Path, model: torch.nn.Module, ema: Ema, optimizer: torch.optim.Optimizer, step: int, epoch: int) -> None:
    """Writes a checkpoint atomically."""
    aside = path.with_suffix(".tmp")
    torch.save({"model": model.state_dict(), "average": ema.model.state_dict(), "optimizer": optimizer.state_dict(),
                "step": step, "epoch": epoch}, aside)
    aside.replace(path)
