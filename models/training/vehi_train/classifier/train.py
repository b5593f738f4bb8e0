"""Trains the classifier; saves a checkpoint every `save_every` steps, `--resume` continues. The schedule is timed."""
import json
import math
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from ..background import in_background
from ..context import Context
from .augment import vary, weathered
from .evaluate import area_under_roc, predict
from .model import Classifier, from_imagenet, normalised
from .prepare import files

SMOOTHING = 0.02
ENDLESS = 10**9


def add_arguments(parser) -> None:
    parser.add_argument("--resume", action="store_true", help="go on from the run's last checkpoint")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")


def run(context: Context) -> None:
    torch.set_num_threads(context.args.threads)
    torch.manual_seed(context.config["train"]["seed"])
    cv2.setNumThreads(1)
    trainer = Trainer(context)
    if context.args.resume:
        trainer.resume()
    trainer.train()


class Trainer:
    def __init__(self, context: Context):
        self.settings, self.context = context.config["train"], context
        pixels, facts = files(context)
        self.cuts, self.facts = np.load(pixels, mmap_mode="r"), json.loads(facts.read_text())
        self.validation = [k for k, one in enumerate(self.facts) if one["split"] == "val"][:: self.settings["validate_every"]]
        self.model = from_imagenet(context.weights / context.config["model"]["weights"]).to(memory_format=torch.channels_last)
        self.stage, self.head = list(self.model.trunk.s[2].parameters()), list(self.model.head.parameters())
        self.rates = (self.settings["learning_rate"], self.settings["head_learning_rate"])
        decays = (self.settings["weight_decay"], self.settings["head_weight_decay"])
        self.optimizer = torch.optim.AdamW(
            [{"params": group, "weight_decay": decay} for group, decay in zip((self.stage, self.head), decays)], lr=1e-3)
        self.averaged = {k: v.detach().clone() for k, v in self.model.state_dict().items() if v.is_floating_point()}
        self.step, self.seconds = 0, 0.0

    @property
    def checkpoint(self):
        return self.context.run_dir / "last.pt"

    def resume(self) -> None:
        state = torch.load(self.checkpoint, weights_only=False)
        self.model.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["opt"])
        self.averaged, self.seconds, self.step = state["ema"], state["used"], state["step"]

    def save(self) -> None:
        aside = self.checkpoint.with_suffix(".tmp")
        state = {"net": self.model.state_dict(), "opt": self.optimizer.state_dict(), "ema": self.averaged,
                 "used": self.seconds, "step": self.step}
        torch.save(state, aside)
        os.replace(aside, self.checkpoint)

    def batches(self):
        """Yields endless batches: crops, boxes, damage or none, classes."""
        rng = np.random.default_rng(self.settings["seed"] + self.step)
        learned = np.array([k for k, one in enumerate(self.facts) if one["split"] != "val"])
        factors = self.context.config["augment"]["source_factor"]
        weights = np.array([factors.get(self.facts[k]["source"], 1.0) * (0.5 if self.facts[k]["missed"] else 1) for k in learned])
        while True:
            chosen = rng.choice(learned, self.settings["batch_size"], replace=False, p=weights / weights.sum())
            others = rng.choice(learned, len(chosen))
            views = [vary(weathered(self.cuts[k], self.cuts[other], rng), self.facts[k]["box"], rng)
                     for k, other in zip(chosen, others)]
            truth = np.array([(self.facts[k]["damage"], self.facts[k]["kind"]) for k in chosen])
            yield np.stack([cut for cut, _ in views]), np.stack([box for _, box in views]), truth[:, 0], truth[:, 1]

    def train(self) -> None:
        self.model.eval()  # normalization stays frozen
        self.model.head.train()
        source, minutes = self.batches(), self.context.config["schedule"]["minutes"]
        lost, began = [], time.time()
        for batch in in_background(lambda: next(source), ENDLESS):
            progress = self.seconds / (60 * minutes)
            if progress >= 1:
                break
            factor = min(1, (self.step + 1) / self.settings["warm_up_steps"]) * (0.02 + 0.49 * (1 + math.cos(math.pi * progress)))
            for group, rate in zip(self.optimizer.param_groups, self.rates):
                group["lr"] = rate * factor
            lost.append(self.learn(*batch))
            self.step += 1
            self.average()
            self.seconds, began = self.seconds + time.time() - began, time.time()
            if self.step % self.settings["save_every"] == 0:
                self.save()
                print(f"{self.step} steps, {self.seconds / 60:.0f} minutes, loss {np.mean(lost):.3f}, validation AUC {self.validate():.4f}", flush=True)
                lost, began = [], time.time()
        self.save()

    def learn(self, cuts, boxes, damage, kinds) -> float:
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.model(normalised(cuts), torch.from_numpy(boxes).float()).float()
        damage, kinds = torch.from_numpy(damage).float(), torch.from_numpy(kinds)
        loss = F.binary_cross_entropy_with_logits(logits[:, 0], damage * (1 - 2 * SMOOTHING) + SMOOTHING)
        if damage.any():
            loss = loss + self.settings["kinds_weight"] * F.cross_entropy(logits[damage > 0, 1:], kinds[damage > 0])
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*self.stage, *self.head], 5.0)
        self.optimizer.step()
        return float(loss.detach())

    @torch.no_grad()
    def average(self) -> None:
        decay = min(self.settings["ema_decay"], (self.step + 1) / (self.step + 10))
        for name, value in self.model.state_dict().items():
            if name in self.averaged:
                self.averaged[name].lerp_(value, 1 - decay)

    def validate(self) -> float:
        model = Classifier()
        model.load_state_dict({**self.model.state_dict(), **self.averaged})
        cuts, facts = self.cuts[self.validation], [self.facts[k] for k in self.validation]
        said = predict(model.eval(), normalised(cuts), [one["box"] for one in facts])
        return area_under_roc(said[:, 0], np.array([one["damage"] for one in facts]))
