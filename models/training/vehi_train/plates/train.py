"""Trains the plate detector with the damage detector's trainer; `--resume` continues a run."""

import cv2
import torch

from ..context import PACKAGE_HOME, Context
from ..damage import train as damage
from ..picodet import PicoDet
from .dataset import Views
from .labels import load_photos

LABELS_DIR = PACKAGE_HOME / "labels"


def add_arguments(parser) -> None:
    damage.add_arguments(parser)


def run(context: Context) -> None:
    settings = context.config["train"]
    if context.args.seed is not None:
        settings["seed"] = context.args.seed
    torch.manual_seed(settings["seed"])
    torch.set_num_threads(context.args.threads)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
    photos = load_photos(LABELS_DIR / "plates-train.json", context.data / "damage/train")
    trainer = PlateTrainer(context, photos)
    while not trainer.finished():
        trainer.epoch(photos)
        trainer.draw_together()
        trainer.save()


class PlateTrainer(damage.Trainer):
    def build(self) -> PicoDet:
        return from_coco(self.context)

    def views(self, samples) -> Views:
        return Views(samples, self.context.config["augment"])


def from_coco(context: Context) -> PicoDet:
    """Returns the single-class network with COCO weights."""
    return PicoDet(context.weights / context.config["model"]["coco_weights"], 1)
