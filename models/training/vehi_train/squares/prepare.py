"""Splits each training photo into four squares and caches the features of the close-up network's trunk.

Uses photos labelled by eye (labels/damage-*.jsonl), undamaged cars of clean-more, and validation photos. Each is
stretched to two by two squares. Takes about 70 ms per photo on one thread.
"""
import json
from pathlib import Path

import cv2
import numpy as np

from ..classifier.cuts import SIDE
from ..context import Context
from ..damage import eye, label
from .trunk import CELLS, Projection, Trunk, directions_of

ACROSS = 2
PHOTOS_FOR_DIRECTIONS = 60
SMALL = 8.0  # side in cells of a box with weight 1 per cell


def files(context: Context, split: str) -> tuple[Path, Path]:
    folder = context.runs / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"squares-{split}.npy", folder / f"squares-{split}.npz"


def run(context: Context) -> None:
    cv2.setNumThreads(1)
    settings, trunk = context.config["data"], Trunk(context.models)
    rng = np.random.default_rng(context.config["train"]["seed"])
    train, validation = photos_of(context, rng)
    projection = project(trunk, [file for file, _ in train[:PHOTOS_FOR_DIRECTIONS]], context, rng)
    for split, photos in (("train", train), ("val", validation)):
        pixels, truth = files(context, split)
        maps = np.lib.format.open_memmap(pixels, mode="w+", dtype=np.float16, shape=(
            len(photos), ACROSS * CELLS, ACROSS * CELLS, len(projection.high[1].T) + len(projection.low[1].T)))
        answers = []
        for at, (file, decision) in enumerate(photos):
            maps[at] = look(trunk, projection, read(file))
            answers.append(mark(decision, settings["least_weight"]))
            if at % 200 == 0:
                print(f"{split}: {at} of {len(photos)} photos", flush=True)
        maps.flush()
        np.savez(truth, damage=np.stack([one[0] for one in answers]), weight=np.stack([one[1] for one in answers]))


def photos_of(context: Context, rng: np.random.Generator) -> tuple[list, list]:
    """Returns (file, decision) of training and validation photos, shuffled."""
    settings, lists = context.config["data"], {}
    for name, folder in zip(label.SETS, ("damage-more/photos", "damage/train", "damage/val")):
        decisions = eye.read_lines(label.FOLDER / f"{name}.jsonl").values()
        known = [(context.data / folder / one["file"], one) for one in decisions if "skip" not in one]
        lists[name] = [one for one in known if one[0].exists()]
    repeats = eye.read_repeats(label.FOLDER / "repeats.jsonl")
    labelled = [one for name in label.SETS[:2] for one in lists[name] if one[0].name not in repeats]
    chosen = [labelled[k] for k in rng.permutation(len(labelled))[: settings["photos"]]]
    clean = [(file, {"boxes": [], "clean": True}) for file in sorted((context.data / "clean-more" / "photos").iterdir())]
    chosen += clean[: settings["clean"]]
    validation = lists[label.SETS[2]]
    return ([chosen[k] for k in rng.permutation(len(chosen))],
            [validation[k] for k in rng.permutation(len(validation))[: settings["validation"]]])


def read(file: Path) -> np.ndarray:
    picture = cv2.imread(str(file))
    if picture is None:
        raise SystemExit(f"{file}: cannot be read as a picture; fetch the data again")
    return cv2.resize(picture, (ACROSS * SIDE, ACROSS * SIDE), interpolation=cv2.INTER_AREA)


def squares_of(picture: np.ndarray):
    for y in range(ACROSS):
        for x in range(ACROSS):
            yield y, x, picture[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE]


def look(trunk: Trunk, projection: Projection, picture: np.ndarray) -> np.ndarray:
    rows = np.zeros((ACROSS * CELLS, ACROSS * CELLS, len(projection.high[1].T) + len(projection.low[1].T)), np.float16)
    for y, x, square in squares_of(picture):
        rows[y * CELLS : (y + 1) * CELLS, x * CELLS : (x + 1) * CELLS] = projection(*trunk(square))
    return rows


def mark(decision: dict, least_weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns 1 for cells with damage, and a weight per cell: 0 for cells with only a doubtful box."""
    side = ACROSS * CELLS
    damage, weight = np.zeros((side, side), np.float32), np.ones((side, side), np.float32)
    sure, doubtful = eye.parts_of(decision)
    for boxes, is_sure in ((doubtful, False), (sure, True)):
        for *box, _ in boxes:
            left, top, right, bottom = (round(v * side) for v in box)
            cells = np.s_[top : max(bottom, top + 1), left : max(right, left + 1)]
            damage[cells] = float(is_sure)
            count = max(1, (max(bottom, top + 1) - top) * (max(right, left + 1) - left))
            weight[cells] = max(SMALL / np.sqrt(count), least_weight) if is_sure else 0
    return damage, weight


def project(trunk: Trunk, some: list[Path], context: Context, rng: np.random.Generator) -> Projection:
    """Computes the projection from some photos and stores it for `export`."""
    low, high = [], []
    for file in some:
        for _, _, square in squares_of(read(file)):
            fine, coarse = trunk(square)
            low.append(fine.T[rng.choice(fine.shape[1], 40, replace=False)])
            high.append(coarse.T[rng.choice(coarse.shape[1], 40, replace=False)])
    sizes = context.config["model"]
    found = (*directions_of(np.concatenate(low), sizes["low"]), *directions_of(np.concatenate(high), sizes["high"]))
    path = context.run_dir / "projection.npz"
    np.savez(path, *(one.astype(np.float32) for one in found))
    return load_projection(path)


def load_projection(path: Path) -> Projection:
    low_mean, low, high_mean, high = np.load(path).values()
    return Projection((low_mean, low), (high_mean, high))
