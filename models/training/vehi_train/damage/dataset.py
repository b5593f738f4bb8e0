"""Prepared pictures, balanced sampling, and batches produced in a background thread."""
import json
from collections import Counter
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from .. import manifest
from ..background import in_background
from ..context import Context
from ..picodet import grid
from . import augment
from .labels import LABELS
from .prepare import cache_paths, extra_sets

MEAN = np.array(manifest.MEAN, np.float32)
STD = np.array(manifest.STD, np.float32)


@dataclass(frozen=True)
class Sample:
    """`boxes` [n,5]: x0 y0 x1 y1 as fractions of the picture, class. `labelled` [C]: 1 if the source labels the
    class."""

    picture: np.ndarray
    boxes: np.ndarray
    labelled: np.ndarray
    source: str


def load(context: Context, split: str) -> list[Sample]:
    """Loads the prepared split; `train` includes the extra sets. Pictures stay on disk until accessed."""
    splits = (split, *extra_sets(context)) if split == "train" else (split,)
    return [sample for name in splits for sample in _prepared(context, name)]


def _prepared(context: Context, split: str) -> list[Sample]:
    array_path, list_path = cache_paths(context, split)
    if not list_path.exists():
        raise SystemExit(f"{list_path} is missing: run the prepare command first")
    pictures = np.load(array_path, mmap_mode="r")
    return [
        Sample(pictures[k], np.array(r["boxes"], np.float32).reshape(-1, 5), np.array(r["labelled"], np.float32), r["source"])
        for k, r in enumerate(json.loads(list_path.read_text()))
    ]


def normalise(picture: np.ndarray) -> np.ndarray:
    """Converts uint8 BGR [H,W,3] to the model's input: float32 RGB [3,H,W]."""
    return ((picture[..., ::-1].astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1)


def sampling_weights(samples: list[Sample], settings: dict) -> np.ndarray:
    """Computes the relative sampling frequency of each picture.

    It is (common / fraction of pictures with its rarest class) ** `balance_power`, at least 1, times the factor of its
    source, if any.
    """
    present = Counter(int(c) for s in samples for c in set(s.boxes[:, 4].astype(int)))
    share = {c: present[c] / len(samples) for c in present}
    weights = []
    for sample in samples:
        rarest = min((share[int(c)] for c in sample.boxes[:, 4]), default=1.0)
        boost = max(1.0, (settings["balance_common"] / rarest) ** settings["balance_power"])
        weights.append(boost * settings["source_factor"].get(sample.source, 1.0))
    return np.array(weights) / np.sum(weights)


class Augmented:
    """Samples pictures and augments them to training pictures of a given size."""

    def __init__(self, samples: list[Sample], settings: dict):
        self.samples = samples
        self.settings = settings
        self.weights = sampling_weights(samples, settings)
        self.clean = [k for k, s in enumerate(samples) if s.source == "clean"]

    def draw(self, count: int, rng) -> np.ndarray:
        return rng.choice(len(self.samples), count, p=self.weights)

    def make(self, index: int, size: int, rng, gentle: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns the picture, boxes in pixels, and labelled mask [N,C] of the model's N cells. `gentle`: no mosaic,
        far views or rotation."""
        picture, boxes, labelled = self._compose(index, size, rng, gentle)
        if not gentle and rng.random() < self.settings["mixed"]:
            other = self._compose(int(self.draw(1, rng)[0]), size, rng, gentle)
            picture, boxes, labelled = augment.mixed((picture, boxes, labelled), other, rng)
        return augment.photograph(picture, rng), boxes, labelled

    def _compose(self, index: int, size: int, rng, gentle: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Same as `make`, before mixing with another picture and simulating camera and light."""
        kind = rng.random()
        s = self.settings
        if not gentle and kind < s["mosaic"]:
            picture, boxes, labelled = self._mosaic(index, size, rng)
        else:
            far = not gentle and kind < s["mosaic"] + s["far"]
            sample = self.samples[index]
            background = None
            if far and sample.source != "clean":
                background = self.samples[int(rng.choice(self.clean))].picture
            scale = s["far_scale"] if far else s["scale_gentle"] if gentle else s["scale"]
            if sample.source == "clean" and not far:
                scale = s["scale_clean"]  # down to a single intact panel, because most damage photos are close-ups
            picture, boxes = sample.picture, _pixels(sample)
            if not gentle and sample.source in s["close_ups"] and rng.random() < s["quarter_turns"]:
                picture, boxes = augment.quarter(picture, boxes, rng)
            turn = 0.0 if gentle or rng.random() >= s["turned"] else s["turn_degrees"]
            picture, boxes = augment.place(picture, boxes, size, scale, rng, background, turn)
            labelled = np.broadcast_to(sample.labelled, (len(cell_centres(size)), len(LABELS)))
        return picture, boxes, labelled

    def _mosaic(self, index: int, size: int, rng):
        """Combines four pictures; a cell's labelled classes are those of its own quarter."""
        canvas = np.empty((size, size, 3), np.uint8)
        cx, cy = (int(rng.uniform(0.35, 0.65) * size) for _ in range(2))
        centres = cell_centres(size)
        boxes, labelled = [], np.zeros((len(centres), len(LABELS)), np.float32)
        others = self.draw(3, rng)
        tiles = ((0, 0, cx, cy), (cx, 0, size, cy), (0, cy, cx, size), (cx, cy, size, size))
        for k, (x0, y0, x1, y1) in zip((index, *others), tiles):
            sample = self.samples[int(k)]
            tile, moved = augment.place(sample.picture, _pixels(sample), size, (1.0, 1.3), rng)
            canvas[y0:y1, x0:x1] = cv2.resize(tile, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
            if len(moved):
                stretch = np.array([x1 - x0, y1 - y0] * 2, np.float32) / size
                boxes.append(np.concatenate([moved[:, :4] * stretch + [x0, y0, x0, y0], moved[:, 4:]], 1))
            within = ((centres >= (x0, y0)) & (centres < (x1, y1))).all(1)
            labelled[within] = sample.labelled
        return canvas, np.concatenate(boxes) if boxes else np.zeros((0, 5), np.float32), labelled

    def batches(self, count: int, batch_size: int, size: int, rng, gentle: bool):
        """Yields `count` batches: images [B,3,size,size], list of boxes [n,5] in pixels, labelled [B,N,C]."""
        def batch():
            made = [self.make(int(k), size, rng, gentle) for k in self.draw(batch_size, rng)]
            pictures, boxes, labelled = zip(*made)
            images = np.stack([normalise(p) for p in pictures])
            return images, [np.asarray(b, np.float32) for b in boxes], np.stack(labelled)

        return in_background(batch, count)


@cache
def cell_centres(size: int) -> np.ndarray:
    """Returns the centres [N,2] of the model's cells, in pixels of its input."""
    return grid(size, size)[0].numpy()


def _pixels(sample: Sample) -> np.ndarray:
    """Returns the sample's boxes in pixels of its prepared picture."""
    side = sample.picture.shape[0]
    return sample.boxes * np.array([side, side, side, side, 1], np.float32)
