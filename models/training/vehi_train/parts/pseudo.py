"""Photos without part labels, labelled by a trained segmenter with high confidence (self-training).

The damage photos are real close-ups, unlike the labelled photos.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from ..context import Context
from .by_eye import read_labels
from .dataset import Photo
from .labels import IGNORE, PARTS
from .one_side import settle_sides
from .scoring import network_input

# Minimum teacher probability of a labelled pixel.
_SURE = 0.7
# Minimum fraction of confident vehicle pixels in a photo.
_VEHICLE_SHARE = 0.15
# The teacher averages its predictions at these sizes.
_SIZES = (288, 384)
_MAP_SIZE = 208
_PICTURE_SIZE = 416


def damage_pictures(data: Path, count: int, folders: Sequence[str] = ("damage/train",)) -> list[Path]:
    """Returns a fixed sample of the damage detector's training photos."""
    pictures = sorted(path for folder in folders for path in (data / folder).glob("*.webp"))
    chosen = np.random.default_rng(0).permutation(len(pictures))[:count]
    return [pictures[index] for index in sorted(chosen)]


def pseudo_pictures(context: Context) -> list[Path]:
    """Returns the photos of `pseudo_folders` for the segmenter to label, without those labelled by eye."""
    config = context.config
    by_eye = {label["file"] for label in read_labels(config)}
    pictures = damage_pictures(context.data, config["pseudo_pictures"], config.get("pseudo_folders", ["damage/train"]))
    return [path for path in pictures if path.name not in by_eye]


@torch.no_grad()
def write_labels(teacher: nn.Module, pictures: list[Path], folder: Path) -> int:
    """Writes one PNG of part indices per picture with sufficient teacher confidence; returns their number."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for path in pictures:
        pixels = _read(path)
        p = 0
        for size in _SIZES:
            logits = teacher(torch.from_numpy(network_input(pixels, size)[None]))
            enlarged = nn.functional.interpolate(logits, size=(_MAP_SIZE, _MAP_SIZE), mode="bilinear")
            p = p + torch.softmax(enlarged, 1)[0].numpy() / len(_SIZES)
        p = settle_sides(p)
        sure = np.where(p.max(0) >= _SURE, p.argmax(0), IGNORE).astype(np.uint8)
        if ((sure > 0) & (sure < len(PARTS))).mean() < _VEHICLE_SHARE:
            continue
        cv2.imwrite(str(folder / f"{path.stem}.png"), sure)
        written += 1
    return written


class PseudoPhotos(Sequence[Photo]):
    """The photos labelled by `write_labels`, loaded on access."""

    def __init__(self, pictures: list[Path], folder: Path):
        self._folder = folder
        self._pictures = [path for path in pictures if (folder / f"{path.stem}.png").exists()]

    def __len__(self) -> int:
        return len(self._pictures)

    def __getitem__(self, index: int) -> Photo:
        path = self._pictures[index]
        pixels = cv2.resize(_read(path), (_PICTURE_SIZE, _PICTURE_SIZE), interpolation=cv2.INTER_AREA)
        label = cv2.imread(str(self._folder / f"{path.stem}.png"), cv2.IMREAD_GRAYSCALE)
        target = cv2.resize(label, (_PICTURE_SIZE, _PICTURE_SIZE), interpolation=cv2.INTER_NEAREST)
        return Photo(path.name, pixels, target, np.zeros(len(PARTS), bool))


def _read(path: Path) -> np.ndarray:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(f"{path}: picture missing or unreadable")
    return np.ascontiguousarray(picture[..., ::-1])
