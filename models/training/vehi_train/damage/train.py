"""Trains the detector; saves a checkpoint after every epoch, `--resume` continues from it.

The learning rate follows a cosine over `schedule.minutes` of training time or `schedule.epochs`, whichever is further
along, so a run ends on time on a busy machine.
"""
import json
import math
import time

import numpy as np
import torch

from ..context import Context
from ..ema import Ema
from ..picodet import STAGE_ENDS, PicoDet, grid
from . import loss, model as models
from .average_precision import average_precision
from .dataset import Augmented, Sample, load
from .detect import detect
from .peer import Peer


def add_arguments(parser) -> None:
    parser.add_argument("--resume", action="store_true", help="continue from the run's last checkpoint")
    parser.add_argument("--init", help="start from this checkpoint (.pt) or shipped model (.onnx) instead of COCO")
    parser.add_argument("--member", type=int, default=0, help="which network of an .onnx file that holds several to start from")
    parser.add_argument("--peer", help="name of a run that trains in parallel: both are averaged after every epoch")
    parser.add_argument("--seed", type=int, help="instead of the config's, so that a peer sees other pictures")
    parser.add_argument("--threads", type=int, default=1, help="torch threads; one gives most pictures per core")


def run(context: Context) -> None:
    settings = context.config["train"]
    if context.args.seed is not None:
        settings["seed"] = context.args.seed
    torch.manual_seed(settings["seed"])
    torch.set_num_threads(context.args.threads)
    torch.set_flush_denormal(True)
    samples, validation = load(context, "train"), load(context, "val")
    trainer = Trainer(context, samples)
    while not trainer.finished():
        trainer.epoch(samples)
        trainer.draw_together()
        trainer.save()
        last = trainer.finished()
        if last or trainer.epochs_done % settings["evaluate_every"] == 0:
            trainer.log({"epoch": trainer.epochs_done, "ap50": trainer.evaluate(validation)})


class Trainer:
    """State of a run: model, averaged model, optimizer, random numbers, elapsed time."""

    def __init__(self, context: Context, samples: list[Sample]):
        self.context = context
        self.settings = context.config["train"]
        self.schedule = context.config["schedule"]
        self.steps_per_epoch = self.schedule["epoch_images"] // self.settings["batch_size"]
        self.epochs_done = self.steps_done = 0
        self.seconds = 0.0
        self.rng = np.random.default_rng(self.settings["seed"])
        checkpoint = context.run_dir / "last.pt"
        model = self.build()
        state = torch.load(checkpoint, map_location="cpu") if context.args.resume else None
        if state:
            models.load_state(model, state["model"])
        else:
            self._start(model, samples)
        if self.settings["freeze"]:
            model.body.freeze(STAGE_ENDS[self.settings["freeze"]])
        self.model = model.to(memory_format=torch.channels_last)
        self.ema = Ema(self.model, self.settings["ema_decay"])
        self.optimizer = _optimizer(self.model, self.settings)
        if state:
            self.ema.model.load_state_dict(state["ema"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.rng.bit_generator.state = state["rng"]
            torch.set_rng_state(state["torch_rng"])
            self.epochs_done, self.steps_done, self.seconds = state["epochs"], state["steps"], state["seconds"]
        peer = context.args.peer
        self.peer = Peer(context.runs / peer / "last.pt", self.steps_done) if peer else None

    def build(self) -> PicoDet:
        """Builds the untrained network."""
        return models.from_coco(self.context)

    def views(self, samples: list[Sample]):
        """Returns a provider of training `batches`."""
        return Augmented(samples, self.context.config["augment"])

    def _start(self, model, samples: list[Sample]) -> None:
        init = self.context.args.init
        if init and init.endswith(".onnx"):
            models.load_shipped(model, init, self.context.args.member)
        elif init:
            models.load_state(model, torch.load(init, map_location="cpu")["ema"])
        if not len(model.body.batch_norms):
            models.unfold_from_samples(model, samples, self.schedule["sizes"][0][1], self.settings["seed"])

    def progress(self) -> float:
        by_steps = self.steps_done / (self.schedule["epochs"] * self.steps_per_epoch)
        return min(1.0, max(by_steps, self.seconds / 60 / self.schedule["minutes"]))

    def finished(self) -> bool:
        return self.progress() >= 1.0

    def size(self) -> int:
        """Returns the input size in pixels: the last entry of `schedule.sizes` whose start has been reached."""
        return [size for start, size in self.schedule["sizes"] if start <= self.progress()][-1]

    def learning_rate(self) -> float:
        warm = min(1.0, (self.steps_done + 1) / self.settings["warm_up_steps"])
        return self.settings["learning_rate"] * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * self.progress())))

    def epoch(self, samples: list[Sample]) -> None:
        self.model.train()
        size, gentle = self.size(), self.progress() >= self.schedule["gentle_from"]
        points, strides = grid(size, size)
        batches = self.views(samples).batches(self.steps_per_epoch, self.settings["batch_size"], size, self.rng, gentle)
        total, steps, started = np.zeros(3), 0, time.monotonic()
        tick = started
        for images, truths, labelled in batches:
            total += self._step(images, truths, labelled, points, strides)
            steps += 1
            now = time.monotonic()
            self.seconds, tick = self.seconds + now - tick, now
            if steps % 50 == 0:
                rate = steps * len(images) / (now - started)
                print(f"epoch {self.epochs_done} step {steps}/{self.steps_per_epoch} size {size} "
                      f"loss {np.round(total / steps, 3)} {rate:.1f} images/s done {self.progress():.3f}", flush=True)
            if self.finished():
                break
        batches.close()
        self.epochs_done += 1
        self.log({"epoch": self.epochs_done, "size": size, "gentle": gentle, "loss": (total / steps).round(3).tolist(),
                  "images_per_s": round(steps * self.settings["batch_size"] / (time.monotonic() - started), 1),
                  "images": self.steps_done * self.settings["batch_size"], "minutes": round(self.seconds / 60, 1)})

    def _step(self, images, truths, labelled, points, strides) -> np.ndarray:
        rate = self.learning_rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["factor"]
        x = torch.from_numpy(images).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            logits, sides = self.model(x)
        parts = loss.losses(logits, sides, truths, labelled, points, strides)
        self.optimizer.zero_grad()
        sum(weight * part for weight, part in zip((1.0, 2.0, 0.5), parts)).backward()
        torch.nn.utils.clip_grad_norm_([p for p in self.model.parameters() if p.requires_grad], 5.0)
        self.optimizer.step()
        self.steps_done += 1
        self.ema.update(self.model, self.steps_done)
        return np.array([float(part) for part in parts])

    def draw_together(self) -> None:
        if self.peer:
            weight = self.peer.draw_together([("model", self.model), ("ema", self.ema.model)], self.steps_done)
            self.log({"epoch": self.epochs_done, "peer_weight": round(weight, 3)})

    def evaluate(self, validation: list[Sample]) -> dict[str, float]:
        size = self.size()
        detections = detect(models.Detector(self.ema.model, size).eval(), validation, size)
        return {name: round(value, 3) for name, value in average_precision(validation, detections).items()}

    def save(self) -> None:
        path = self.context.run_dir / "last.pt"
        aside = path.with_suffix(".tmp")
        torch.save({"model": self.model.state_dict(), "ema": self.ema.model.state_dict(),
                    "optimizer": self.optimizer.state_dict(), "rng": self.rng.bit_generator.state,
                    "torch_rng": torch.get_rng_state(), "epochs": self.epochs_done, "steps": self.steps_done,
                    "seconds": self.seconds}, aside)
        aside.replace(path)
        if self.epochs_done % self.settings["keep_every"] == 0:
            torch.save({"ema": self.ema.model.state_dict()}, self.context.run_dir / f"epoch{self.epochs_done:03}.pt")

    def log(self, line: dict) -> None:
        text = json.dumps(line)
        print(text, flush=True)
        with open(self.context.run_dir / "log.jsonl", "a") as handle:
            handle.write(text + "\n")


def _optimizer(model, settings: dict) -> torch.optim.AdamW:
    """Creates the optimizer: no weight decay on biases, norms and heads; the heads learn faster because their class
    half is new."""
    learning = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    head = [p for name, p in learning if name.startswith("heads")]
    matrices = [p for name, p in learning if not name.startswith("heads") and p.dim() > 1]
    vectors = [p for name, p in learning if not name.startswith("heads") and p.dim() <= 1]
    return torch.optim.AdamW([
        {"params": matrices, "weight_decay": settings["weight_decay"], "factor": 1.0},
        {"params": vectors, "weight_decay": 0.0, "factor": 1.0},
        {"params": head, "weight_decay": 0.0, "factor": settings["head_factor"]},
    ], lr=settings["learning_rate"], foreach=True)
