"""Plates labelled by eye (labels/plates-*.json), with their photos."""

from dataclasses import dataclass
import json
from pathlib import Path

import cv2
import numpy as np

SIDE_PX = 576  # photos are stored squeezed to a square of this side, the detector's input
PLATE, UNDECIDED = 0, 1


@dataclass(frozen=True)
class Photo:
    """`picture`: BGR, SIDE_PX squared. `boxes` [n,5]: x0 y0 x1 y1 in its pixels, PLATE or UNDECIDED (ignored)."""

    picture: np.ndarray
    boxes: np.ndarray


def load_photos(labels: Path, pictures: Path) -> list[Photo]:
    """Loads all labelled photos, except of vehicles whose plate is also in a validation photo."""
    coco = json.loads(labels.read_text())
    boxes: dict[int, list[list[float]]] = {}
    for annotation in coco["annotations"]:
        x, y, width, height = annotation["bbox"]
        kind = UNDECIDED if annotation["iscrowd"] else PLATE
        boxes.setdefault(annotation["image_id"], []).append([x, y, x + width, y + height, kind])
    return [
        _photo(pictures / image["file_name"], image, boxes.get(image["id"], []))
        for image in coco["images"]
        if not image.get("also_in_validation", False)
    ]


def _photo(path: Path, image: dict, boxes: list[list[float]]) -> Photo:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path}: cannot be read as a picture; fetch the data again")
    if picture.shape[:2] != (image["height"], image["width"]):
        raise SystemExit(f"{path}: {picture.shape[1]}x{picture.shape[0]}, labelled as {image['width']}x{image['height']}")
    across, down = SIDE_PX / image["width"], SIDE_PX / image["height"]
    squeezed = np.array(boxes, np.float32).reshape(-1, 5) * np.array([across, down, across, down, 1], np.float32)
    return Photo(cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), squeezed)
