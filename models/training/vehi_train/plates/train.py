"""Trains the plate finder: seeded, with a checkpoint after every epoch to resume from."""

import argparse
import copy
import json
import math
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from ..context import Context
from .dataset import batches, load_pictures
from .model import from_parts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--resume", action="store_true", help="go on from the run's last checkpoint")
    parser.add_argument("--threads", type=int, default=2)


def run(context: Context) -> None:
    """Trains to the config's last epoch; writes last.pt and log.jsonl into the run's folder."""
    config, folder = context.config, context.run_dir
    torch.manual_seed(config["seed"])
    torch.set_num_threads(context.args.threads)
    cv2.setNumThreads(1)
    pictures = load_pictures(context.data)
    model = from_parts(context.weights / config["coco_weights"], context.runs / config["start_from"])
    model.encoder.freeze(config["freeze_until"])
    model = model.to(memory_format=torch.channels_last)
    average = copy.deepcopy(model).eval()
    optimizer = _optimizer(model, config)
    steps = config["epochs"] * (config["pictures_per_epoch"] // config["batch"])
    step, first = 0, 0
    if context.args.resume and (folder / "last.pt").exists():
        state = torch.load(folder / "last.pt", weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, first = state["step"], state["epoch"]
    for epoch in range(first, config["epochs"]):
        model.train()
        started, losses = time.time(), []
        for images, shares in batches(pictures, config, epoch):
            images = images.to(memory_format=torch.channels_last)
            for group in optimizer.param_groups:
                group["lr"] = config["learning_rate"] * _rate(step, steps, config["warm_up_steps"]) * group["factor"]
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(images)[:, 0]
            counts = counting(logits, shares, config["trusted"] if step >= config["trust_from_step"] else 1.0)
            loss = plate_loss(logits.float(), shares, counts)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            step += 1
            _follow(average, model, min(config["average_decay"], (1 + step) / (10 + step)))
            losses.append(loss.item())
            if len(losses) % 10 == 0:
                pace = len(losses) * config["batch"] / (time.time() - started)
                print(f"epoch {epoch} step {step}/{steps} loss {np.mean(losses):.4f} {pace:.1f} img/s", flush=True)
        with (folder / "log.jsonl").open("a") as log:
            log.write(json.dumps({"epoch": epoch, "loss": float(np.mean(losses)), "seconds": time.time() - started}) + "\n")
        state = {
            "model": model.state_dict(),
            "average": average.state_dict(),
            "optimizer": optimizer.state_dict(),
            "step": step,
            "epoch": epoch + 1,
        }
        torch.save(state, folder / "last.tmp")
        (folder / "last.tmp").rename(folder / "last.pt")


def plate_loss(logits: torch.Tensor, shares: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Cross entropy, plates weighing five times (a missed plate is worse than a blurred badge), plus dice."""
    entropy = F.binary_cross_entropy_with_logits(logits, shares, reduction="none")
    weight = counts * (1 + 4 * shares)
    entropy = (entropy * weight).sum() / weight.sum()
    found = torch.sigmoid(logits) * counts
    overlap = (found * shares).sum()
    dice = 1 - (2 * overlap + 1) / (found.sum() + (shares * counts).sum() + 1)
    return entropy * 2 + dice


@torch.no_grad()
def counting(logits: torch.Tensor, shares: torch.Tensor, trusted: float) -> torch.Tensor:
    """0 where an unlabelled cell looks like a plate to the model from `trusted` on, 1 elsewhere."""
    seen = torch.sigmoid(logits.float())
    near = F.max_pool2d(seen[:, None], 3, stride=1, padding=1)[:, 0]
    labelled = F.max_pool2d(shares[:, None], 5, stride=1, padding=2)[:, 0]
    return ((near < trusted) | (labelled > 0)).float()


def _optimizer(model: torch.nn.Module, config: dict) -> torch.optim.Optimizer:
    groups = []
    for of_encoder, factor in ((True, config["encoder_factor"]), (False, 1.0)):
        named = [p for name, p in model.named_parameters() if name.startswith("encoder.") == of_encoder and p.requires_grad]
        for flat, decay in ((False, config["weight_decay"]), (True, 0.0)):
            groups.append({"params": [p for p in named if (p.dim() <= 1) == flat], "weight_decay": decay, "factor": factor})
    return torch.optim.AdamW(groups, lr=config["learning_rate"])


def _rate(step: int, steps: int, warm_up: int) -> float:
    return min(1.0, (step + 1) / warm_up) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))


@torch.no_grad()
def _follow(average: torch.nn.Module, model: torch.nn.Module, decay: float) -> None:
    for slow, fast in zip(average.parameters(), model.parameters(), strict=True):
        slow.lerp_(fast, 1 - decay)
    for slow, fast in zip(average.buffers(), model.buffers(), strict=True):
        slow.copy_(fast)
