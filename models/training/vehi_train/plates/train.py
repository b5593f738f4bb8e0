"""Trains the plate finder: seeded, with a checkpoint after every epoch to resume from."""

import argparse
import json
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from ..context import Context
from ..ema import Ema
from ..parts.learning import optimizer_of, resume, save, set_rate
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
    ema = Ema(model, config["average_decay"])
    optimizer = optimizer_of(model, config)
    steps = config["epochs"] * (config["pictures_per_epoch"] // config["batch"])
    step, first = 0, 0
    if context.args.resume and (folder / "last.pt").exists():
        step, first = resume(folder / "last.pt", model, ema, optimizer)
    for epoch in range(first, config["epochs"]):
        model.train()
        started, losses = time.time(), []
        for images, shares in batches(pictures, config, epoch):
            images = images.to(memory_format=torch.channels_last)
            set_rate(optimizer, config, step, steps)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(images)[:, 0]
            counts = counting(logits, shares, config["trusted"] if step >= config["trust_from_step"] else 1.0)
            loss = plate_loss(logits.float(), shares, counts)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            step += 1
            ema.update(model, step)
            losses.append(loss.item())
            if len(losses) % 10 == 0:
                pace = len(losses) * config["batch"] / (time.time() - started)
                print(f"epoch {epoch} step {step}/{steps} loss {np.mean(losses):.4f} {pace:.1f} img/s", flush=True)
        with (folder / "log.jsonl").open("a") as log:
            log.write(json.dumps({"epoch": epoch, "loss": float(np.mean(losses)), "seconds": time.time() - started}) + "\n")
        save(folder / "last.pt", model, ema, optimizer, step, epoch + 1)


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
