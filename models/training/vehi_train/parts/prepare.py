"""Writes the split file with the held-out photos. With --pseudo-labels, labels the damage photos for self-training."""

import argparse
import json
from pathlib import Path

import cv2
import torch

from ..context import PACKAGE_HOME, Context
from .checkpoint import load_segmenter
from .dataset import load_photos
from .mirror import MirrorMean
from .pseudo import pseudo_pictures, write_labels
from .split import held_out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pseudo-labels", type=Path, metavar="CHECKPOINT", help="label the damage photos with this")


def run(context: Context) -> None:
    teacher = context.args.pseudo_labels
    if teacher is None:
        _write_split(context)
    else:
        _write_pseudo_labels(context, teacher)


def _write_split(context: Context) -> None:
    config = context.config
    names = held_out(load_photos(context.data / "parts"), config["held_out_share"], config["split_seed"])
    path = PACKAGE_HOME / config["split_file"]
    split = {"seed": config["split_seed"], "share": config["held_out_share"], "held_out": names}
    path.write_text(json.dumps(split, indent=1) + "\n")
    print(f"{path}: {len(names)} photos held out")


def _write_pseudo_labels(context: Context, checkpoint: Path) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    teacher = MirrorMean(load_segmenter(context.weights / context.config["coco_weights"], checkpoint)).eval()
    pictures = pseudo_pictures(context)
    written = write_labels(teacher, pictures, context.run_dir / "pseudo")
    print(f"{context.run_dir / 'pseudo'}: {written} of {len(pictures)} photos labelled")
