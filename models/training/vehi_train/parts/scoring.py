"""Runs a segmenter over photos and scores it, on whole photos and on close-ups."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from .. import manifest
from .augment import before_scene, far_window
from .dataset import Photo
from .labels import BACKGROUND, IGNORE, PARTS
from .metrics import PartsScore

MEAN = np.array(manifest.MEAN, np.float32)
STD = np.array(manifest.STD, np.float32)

_BATCH = 30

# Images [B, 3, S, S] to logits [B, parts, s, s].
Predict = Callable[[np.ndarray], np.ndarray]


def network_input(pixels: np.ndarray, size: int) -> np.ndarray:
    """Stretches an RGB picture of any size to [3, size, size] and normalizes it."""
    small = cv2.resize(pixels, (size, size), interpolation=cv2.INTER_AREA)
    return ((small.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1)


def label_map(logits: np.ndarray, height: int, width: int) -> np.ndarray:
    """Returns the most likely part per pixel of the photo, from one picture's logits [parts, s, s]."""
    enlarged = cv2.resize(logits.transpose(1, 2, 0), (width, height), interpolation=cv2.INTER_LINEAR)
    return enlarged.argmax(2)


def predicted(predict: Predict, photos: list[Photo], size: int) -> Iterator[tuple[Photo, np.ndarray]]:
    """Yields every photo with its logits [parts, s, s]."""
    for start in range(0, len(photos), _BATCH):
        some = photos[start : start + _BATCH]
        yield from zip(some, predict(np.stack([network_input(photo.pixels, size) for photo in some])), strict=True)


def score(predict: Predict, photos: list[Photo], size: int) -> dict:
    """Returns the metrics of PartsScore.report over the photos."""
    total = PartsScore()
    for photo, logits in predicted(predict, photos, size):
        total.add(label_map(logits, *photo.target.shape), photo.target, photo.unlabelled)
    return total.report()


def calibration(predict: Predict, photos: list[Photo], size: int, bins: int = 10) -> dict:
    """Returns the expected calibration error over labelled part pixels, and each bin's (share, confidence, hits)."""
    counts = np.zeros((bins, 3))
    for photo, logits in predicted(predict, photos, size):
        p = np.exp(logits - logits.max(0))
        p /= p.sum(0)
        rows, columns = p.shape[1:]
        target = cv2.resize(photo.target, (columns, rows), interpolation=cv2.INTER_NEAREST)
        part = (target > BACKGROUND) & (target < len(PARTS))
        confidence, hit = p.max(0)[part], p.argmax(0)[part] == target[part]
        index = np.minimum((confidence * bins).astype(int), bins - 1)
        for column, values in enumerate((np.ones(len(index)), confidence, hit)):
            counts[:, column] += np.bincount(index, values, bins)
    held = counts[counts[:, 0] > 0]
    curve = np.stack([held[:, 0] / held[:, 0].sum(), held[:, 1] / held[:, 0], held[:, 2] / held[:, 0]], 1)
    return {"error": float((curve[:, 0] * np.abs(curve[:, 1] - curve[:, 2])).sum()), "curve": curve.round(4).tolist()}


def close_up_seed(config: dict) -> int:
    """Returns the seed of the evaluation close-ups: `close_up_seed`, for comparable stages, else the run's seed."""
    return config.get("close_up_seed", config["seed"])


def close_ups(photos: list[Photo], each: int, seed: int) -> list[Photo]:
    """Returns seeded, roughly square crops on the vehicle, a quarter to six tenths of its length."""
    rng = np.random.default_rng(seed)
    cut: list[Photo] = []
    for photo in photos:
        height, width = photo.target.shape
        ys, xs = np.nonzero((photo.target > 0) & (photo.target != IGNORE))
        for number in range(each):
            side = int(np.clip(max(np.ptp(xs), np.ptp(ys)) * rng.uniform(0.25, 0.6), 64, min(height, width)))
            pick = rng.integers(len(xs))
            x = int(np.clip(xs[pick] - side // 2, 0, width - side))
            y = int(np.clip(ys[pick] - side // 2, 0, height - side))
            window = np.s_[y : y + side, x : x + side]
            cut.append(
                replace(photo, name=f"{photo.name}#{number}", pixels=photo.pixels[window], target=photo.target[window])
            )
    return cut


def far_views(photos: list[Photo], size: int, seed: int) -> list[Photo]:
    """Returns every photo's vehicle scaled to a quarter to three quarters of a square picture, on another photo's
    background."""
    rng = np.random.default_rng(seed)
    far: list[Photo] = []
    for photo in photos:
        matrix = far_window(photo.target, size, False, rng)[:2]
        pixels = cv2.warpAffine(photo.pixels, matrix, (size, size), flags=cv2.INTER_AREA)
        outline = cv2.warpAffine((photo.target > 0).astype(np.float32), matrix, (size, size))
        pixels = before_scene(pixels, outline, photos[int(rng.integers(len(photos)))], rng)
        target = cv2.warpAffine(photo.target, matrix, (size, size), flags=cv2.INTER_NEAREST)
        far.append(replace(photo, name=f"{photo.name}#far", pixels=pixels, target=target))
    return far
