"""Photos of damaged vehicles with parts corrected by eye: labels in `labels/parts-eye.jsonl`, pictures outside the
repository."""

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from ..context import PACKAGE_HOME, Context
from .dataset import Photo
from .labels import IGNORE, INDEX, PARTS

# Side of the training pictures and targets: the segmenter's input.
_SIZE = 416


def read_labels(config: dict) -> list[dict]:
    """Returns the lines of the config's `eye_file`; empty if there is none.

    A line has `file`, `held_out` and `outlines`: [part or "ignore", points in percent of width and height], painted in
    order.
    """
    if "eye_file" not in config:
        return []
    return [json.loads(line) for line in (PACKAGE_HOME / config["eye_file"]).read_text().splitlines()]


class PhotosByEye(Sequence[Photo]):
    """Labelled photos, loaded on access, as squares of the input size."""

    def __init__(self, data: Path, labels: list[dict], folders: Sequence[str]):
        self._labels = labels
        self._paths = [_find(data, label["file"], folders) for label in labels]

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, index: int) -> Photo:
        if index >= len(self):
            raise IndexError(index)
        path = self._paths[index]
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise FileNotFoundError(f"{path}: picture missing or unreadable")
        pixels = cv2.resize(picture[..., ::-1], (_SIZE, _SIZE), interpolation=cv2.INTER_AREA)
        return Photo(path.name, pixels, paint(self._labels[index]["outlines"], _SIZE), np.zeros(len(PARTS), bool))


def photos_by_eye(context: Context, held_out: bool) -> PhotosByEye:
    """Returns the held-out or the training photos of the config's `eye_file`."""
    labels = [label for label in read_labels(context.config) if label["held_out"] == held_out]
    return PhotosByEye(context.data, labels, context.config.get("pseudo_folders", []))


def paint(outlines: list, size: int) -> np.ndarray:
    """Returns the target of a photo: part indices, IGNORE outside all outlines."""
    target = np.full((size, size), IGNORE, np.uint8)
    for part, points in outlines:
        corners = (np.asarray(points, np.float32) * size / 100).round().astype(np.int32)
        cv2.fillPoly(target, [corners], IGNORE if part == "ignore" else INDEX[part])
    return target


def outlines_of(target: np.ndarray) -> list:
    """Returns outlines that `paint` converts back to this square target, up to single pixels; largest first."""
    regions: list[tuple[int, str, list]] = []
    for value in np.unique(target):
        mask = (target == value).astype(np.uint8)
        name = "ignore" if value == IGNORE else PARTS[value]
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            simple = cv2.approxPolyDP(contour, 1.0, True).reshape(-1, 2)
            if len(simple) < 3:
                continue
            points = (simple * 100 / len(target)).round(1).tolist()
            regions.append((int(cv2.contourArea(contour)), name, points))
    return [[name, points] for _, name, points in sorted(regions, key=lambda one: -one[0])]


def _find(data: Path, name: str, folders: Sequence[str]) -> Path:
    for folder in folders:
        if (data / folder / name).exists():
            return data / folder / name
    raise FileNotFoundError(f"{name}: in none of {', '.join(folders)} under {data}")
