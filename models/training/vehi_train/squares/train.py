"""Trains the map head; saves a checkpoint every `save_every` steps, `--resume` continues."""
import os

import numpy as np
import torch
import torch.nn.functional as F

from ..classifier.evaluate import area_under_roc
from ..context import Context
from .model import Head, cut_in_squares
from .prepare import files
from .trunk import CELLS


def add_arguments(parser) -> None:
    parser.add_argument("--resume", action="store_true", help="go on from the run's last checkpoint")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")


def run(context: Context) -> None:
    torch.set_num_threads(context.args.threads)
    settings, sizes = context.config["train"], context.config["model"]
    torch.manual_seed(settings["seed"])
    maps, truth = (load(context, "train"))
    head = Head(maps.shape[-1], sizes["inside"])
    some = torch.from_numpy(maps[:: max(1, len(maps) // 100)].astype(np.float32)).flatten(0, 2)
    head.mean.copy_(some.mean(0))
    head.deviation.copy_(some.std(0))
    optimizer = torch.optim.AdamW(head.parameters(), settings["learning_rate"], weight_decay=settings["weight_decay"])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings["learning_rate"], total_steps=settings["steps"], pct_start=0.1)
    parts, checkpoint, step = {"head": head, "optimizer": optimizer, "schedule": schedule}, context.run_dir / "last.pt", 0
    if context.args.resume:
        state = torch.load(checkpoint, weights_only=False)
        step = state.pop("step")
        for name, part in parts.items():
            part.load_state_dict(state[name])
    lost = []
    while step < settings["steps"]:
        rng = np.random.default_rng([settings["seed"], step])
        chosen = np.sort(rng.choice(len(maps), settings["batch_size"], replace=False))
        head.train()
        features, damage, weight = batch(maps, truth, chosen)
        if rng.random() < 0.5:
            features, damage, weight = features.flip(3), damage.flip(2), weight.flip(2)
        loss = F.binary_cross_entropy_with_logits(head(features), damage, weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        step += 1
        lost.append(float(loss.detach()))
        if step % settings["validate_every"] == 0 or step == settings["steps"]:
            print(f"{step} steps, loss {np.mean(lost):.3f}, AUC over cells of validation {validate(head, context):.4f}", flush=True)
            lost = []
        if step % settings["save_every"] == 0 or step == settings["steps"]:
            torch.save({"step": step, **{name: part.state_dict() for name, part in parts.items()}}, checkpoint.with_suffix(".tmp"))
            os.replace(checkpoint.with_suffix(".tmp"), checkpoint)


def load(context: Context, split: str):
    pixels, truth = files(context, split)
    if not truth.exists():
        raise SystemExit(f"{truth} is missing: run the prepare command first")
    return np.load(pixels, mmap_mode="r"), np.load(truth)


def batch(maps, truth, chosen):
    features = cut_in_squares(torch.from_numpy(maps[chosen].astype(np.float32)), CELLS).permute(0, 3, 1, 2)
    return features, *(cut_in_squares(torch.from_numpy(truth[name][chosen]), CELLS) for name in ("damage", "weight"))


@torch.no_grad()
def validate(head: Head, context: Context) -> float:
    maps, truth = load(context, "val")
    features, damage, weight = batch(maps, truth, np.arange(len(maps)))
    said = torch.cat([head.eval()(one) for one in features.split(64)])
    counts = weight > 0
    return area_under_roc(said[counts].numpy(), damage[counts].numpy())
