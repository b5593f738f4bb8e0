"""Snaps boxes drawn by eye to a detector's where both agree, for training only.

A drawn box ends where one labeller stopped; a detector trained on thousands of them ends where most labellers would. If
a sure box and a finding of its class overlap by at least half, `labels/snapped.jsonl` records both, their photo and
box, and the detector's name and version. The files drawn by eye are unchanged: `label --out FOLDER --snapped` builds a
data folder with the recorded boxes if the drawn box has not changed. Validation is never snapped.
"""
import json
from pathlib import Path

import cv2
import numpy as np

from .. import manifest
from ..context import Context
from . import eye
from .dataset import Sample
from .detect import iou_matrix
from .evaluate import detect_onnx
from .export import FILE_NAME
from .label import FOLDER
from .labels import LABELS

PICTURES = {"damage-more": Path("damage-more/photos"), "damage-train": Path("damage/train")}
SNAPPED = "snapped.jsonl"
AGREEING_IOU = 0.5
LEAST_SCORE = 0.3


def add_arguments(parser) -> None:
    parser.add_argument("--sets", nargs="+", choices=sorted(PICTURES), default=sorted(PICTURES), help="label files to snap; validation is none of them")
    parser.add_argument("--least-score", type=float, default=LEAST_SCORE, help="raw score from which a finding counts")


def run(context: Context) -> None:
    args = context.args
    entry = manifest.read_entry(context.models, "damage")
    if entry is None:
        raise SystemExit(f"{context.models}/manifest.json has no damage detector to snap to")
    who = f"{entry['name']} {entry['version']}"
    held = eye.read_repeats(FOLDER / "repeats.jsonl")
    lines: list[dict] = []
    for name in args.sets:
        decisions = [one for file, one in eye.read_lines(FOLDER / f"{name}.jsonl").items() if one.get("boxes") and file not in held]
        there = [(one, picture) for one in decisions if (picture := cv2.imread(str(context.data / PICTURES[name] / one["file"]))) is not None]
        found = detect_onnx(context.models / FILE_NAME, [_sample(picture) for _, picture in there])[0]
        own = [line for (one, _), findings in zip(there, found) for line in snapped(one, findings, args.least_score)]
        lines += [{"set": name, **line, "by": who} for line in own]
        drawn = sum(not box[0].endswith(eye.DOUBT) for one, _ in there for box in one["boxes"])
        print(f"{name}: {len(there)} photos with boxes, {len(own)} of {drawn} sure boxes snapped")
    path = FOLDER / SNAPPED
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    print(path)


def _sample(picture: np.ndarray) -> Sample:
    return Sample(picture, np.zeros((0, 5), np.float32), np.ones(len(LABELS), np.float32), "")


def snapped(decision: dict, findings: np.ndarray, least_score: float = LEAST_SCORE) -> list[dict]:
    """Snaps a photo's sure boxes: each takes the finding of its class with the highest overlap, and each finding is
    used once. `findings` [n,6]: box as fractions of the picture, score, class."""
    strong = findings[findings[:, 4] >= least_score]
    sure = [box for box in decision["boxes"] if not box[0].endswith(eye.DOUBT)]
    if not sure or not len(strong):
        return []
    corners = np.array([box[1:] for box in sure]) / eye.HUNDREDTHS
    overlaps = iou_matrix(corners, strong[:, :4])
    overlaps[np.array([[LABELS.index(box[0]) != label for label in strong[:, 5]] for box in sure])] = 0
    lines = []
    while overlaps.max() >= AGREEING_IOU:
        row, column = np.unravel_index(overlaps.argmax(), overlaps.shape)
        box = (strong[column, :4].clip(0, 1) * eye.HUNDREDTHS).round(1).tolist()
        lines.append({"file": decision["file"], "drawn": sure[row], "box": box, "iou": round(float(overlaps[row, column]), 2)})
        overlaps[row], overlaps[:, column] = 0, 0
    return lines
