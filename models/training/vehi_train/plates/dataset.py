"""Pictures to learn from: photos with plates drawn in, as network input and the share of plate per cell."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import queue
import threading

import cv2
import numpy as np
import torch

from ..parts.augment import camera, light
from ..parts.dataset import Photo, load_photos
from ..parts.labels import INDEX
from ..parts.model import STRIDE
from ..parts.scoring import MEAN, STD
from .draw import Place, paste_plate, write_words

# Parts that carry plates.
_CARRIERS = [INDEX[name] for name in ("front_bumper", "rear_bumper", "trunk_lid")]
_OF_PARTS = 0.5


@dataclass(frozen=True)
class Pictures:
    """Photos with part masks, and paths of damage photos."""

    whole: list[Photo]
    damage: list[Path]


def load_pictures(data: Path) -> Pictures:
    return Pictures(load_photos(data / "parts"), sorted((data / "damage/train").iterdir()))


def batches(pictures: Pictures, config: dict, epoch: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """One epoch of (images, plate share per cell); the same for the same seed and epoch."""
    rng = np.random.default_rng([config["seed"], epoch])
    ready: queue.Queue = queue.Queue(4)

    def work() -> None:
        for _ in range(config["pictures_per_epoch"] // config["batch"]):
            samples = [sample(pictures, config, rng) for _ in range(config["batch"])]
            images = np.stack([((pixels.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1) for pixels, _ in samples])
            ready.put((torch.from_numpy(images), torch.from_numpy(np.stack([share for _, share in samples]))))
        ready.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (batch := ready.get()) is not None:
        yield batch


def sample(pictures: Pictures, config: dict, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A picture (S x S x 3, RGB) and the share of plate per cell (S/4 x S/4)."""
    size, fonts = config["size"], config["fonts"]
    pixels, carriers = _view(pictures, size, rng)
    pixels = light(pixels, rng)
    mask = np.zeros((size, size), np.uint8)
    if rng.random() < 0.35:
        write_words(pixels, fonts, rng)
    for place in _places(carriers, size, rng):
        paste_plate(pixels, mask, place, fonts, rng)
    share = cv2.resize(mask, (size // STRIDE, size // STRIDE), interpolation=cv2.INTER_AREA)
    return camera(pixels, rng), share.astype(np.float32) / 255


def _view(pictures: Pictures, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A random crop of a random photo and where in it plates hang (empty for damage photos)."""
    if rng.random() < _OF_PARTS:
        photo = pictures.whole[int(rng.integers(len(pictures.whole)))]
        pixels, carriers = photo.pixels, np.isin(photo.target, _CARRIERS).astype(np.uint8)
    else:
        path = pictures.damage[int(rng.integers(len(pictures.damage)))]
        bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if bgr is None:
            raise FileNotFoundError(f"{path}: picture missing or unreadable")
        pixels = bgr[..., ::-1]
        carriers = np.zeros(pixels.shape[:2], np.uint8)
    height, width = pixels.shape[:2]
    share = np.exp(rng.uniform(np.log(0.45), np.log(1.15)))
    stretch = np.exp(rng.uniform(-0.2, 0.2))
    scale = np.array([size / (width * share * stretch), size / (height * share / stretch)])
    centre = np.array([width, height]) * rng.uniform(0.3, 0.7, 2)
    sign = -1.0 if rng.random() < 0.5 else 1.0
    linear = np.diag(scale * np.array([sign, 1.0]))
    matrix = np.column_stack([linear, size / 2 - linear @ centre])
    border = tuple(int(value) for value in rng.integers(0, 256, 3))
    seen = cv2.warpAffine(np.ascontiguousarray(pixels), matrix, (size, size), borderValue=border)
    return seen, cv2.warpAffine(carriers, matrix, (size, size), flags=cv2.INTER_NEAREST)


def _places(carriers: np.ndarray, size: int, rng: np.random.Generator) -> list[Place]:
    ys, xs = np.nonzero(carriers)
    if len(xs) > 200 and rng.random() < 0.8:
        pick = int(rng.integers(len(xs)))
        middle = (np.quantile(xs, 0.02) + np.quantile(xs, 0.98)) / 2
        x = xs[pick] if rng.random() < 0.3 else middle + rng.normal(0, 0.06) * np.ptp(xs)
        return [Place(float(x), float(ys[pick]), float(np.ptp(xs) * rng.uniform(0.18, 0.45)))]
    count = int(rng.choice([0, 1, 2], p=[0.3, 0.5, 0.2]))
    widths = np.exp(rng.uniform(np.log(16), np.log(260), count))
    return [Place(float(rng.uniform(0, size)), float(rng.uniform(0, size)), float(width)) for width in widths]
