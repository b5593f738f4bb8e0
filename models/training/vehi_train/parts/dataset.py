"""The parts photos as arrays: pixels, a target per pixel, and the classes not labelled in each photo."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from .labels import IGNORE, INDEX, PARTS, SIDE_PANELS, VEHICLE, part_index

# Outlines of the data set are 2 to 3 pixels too tight, according to its README.
_OUTLINE_SLACK_PX = 3
# Side panels smaller than this fraction of the picture are noise in front and rear views.
_SLIVER_SHARE = 0.005


@dataclass(frozen=True)
class Photo:
    """One photo. `target` has part indices, IGNORE or VEHICLE; `unlabelled` marks parts that may be present without a
    mask."""

    name: str
    pixels: np.ndarray  # H x W x 3, RGB, uint8
    target: np.ndarray  # H x W, uint8
    unlabelled: np.ndarray  # bool per part


def load_photos(root: Path) -> list[Photo]:
    """Returns all photos of the parts data (COCO polygons, WebP pictures, silhouettes), in file order."""
    listing = json.loads((root / "train.json").read_text())
    names = {category["id"]: category["name"] for category in listing["categories"]}
    annotations: dict[int, list[dict]] = {}
    for annotation in listing["annotations"]:
        annotations.setdefault(annotation["image_id"], []).append(annotation)
    return [_photo(root, image, annotations.get(image["id"], []), names) for image in listing["images"]]


def _photo(root: Path, image: dict, annotations: list[dict], names: dict[int, str]) -> Photo:
    path = root / "train" / image["file_name"]
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise FileNotFoundError(f"{path}: picture missing or unreadable")
    silhouette_path = root / "silhouettes" / Path(image["silhouette"]).name
    silhouette = cv2.imread(str(silhouette_path), cv2.IMREAD_GRAYSCALE)
    if silhouette is None:
        raise FileNotFoundError(f"{silhouette_path}: silhouette missing or unreadable")
    unlabelled = np.zeros(len(PARTS), bool)
    for name in image["ignore_classes"]:
        unlabelled[part_index(name)] = True
    target = _paint(silhouette, annotations, names)
    return Photo(image["file_name"], np.ascontiguousarray(pixels[..., ::-1]), _without_slivers(target), unlabelled)


def _paint(silhouette: np.ndarray, annotations: list[dict], names: dict[int, str]) -> np.ndarray:
    inside = (silhouette > 0).astype(np.uint8)
    size = 2 * _OUTLINE_SLACK_PX + 1
    slack = cv2.dilate(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    target = np.zeros(silhouette.shape, np.uint8)
    target[slack > 0] = IGNORE
    target[inside > 0] = VEHICLE
    # Derived classes (ids from 100) are painted over the original ones.
    for annotation in sorted(annotations, key=lambda one: one["category_id"]):
        name = names[annotation["category_id"]]
        if name == "_background_":
            continue
        if annotation.get("pickup_bed_side"):
            value = _bed_side(annotations, names)
        else:
            value = part_index(name)
        for outline in annotation["segmentation"]:
            points = np.asarray(outline, np.float32).reshape(-1, 2).round().astype(np.int32)
            cv2.fillPoly(target, [points], value)
    return target


def _bed_side(annotations: list[dict], names: dict[int, str]) -> int:
    """Returns the quarter panel for a pick-up's bed side, on the side of the visible doors."""
    area = {"left": 0.0, "right": 0.0}
    for annotation in annotations:
        for side in area:
            if names[annotation["category_id"]].endswith(f"_{side}_door"):
                area[side] += annotation["area"]
    if area["left"] == area["right"]:
        return VEHICLE
    return INDEX["quarter_panel_left" if area["left"] > area["right"] else "quarter_panel_right"]


def _without_slivers(target: np.ndarray) -> np.ndarray:
    """Removes tiny side panels from the labels of front and rear views."""
    side = np.isin(target, SIDE_PANELS).sum()
    end = np.isin(target, [INDEX[name] for name in ("front_bumper", "hood", "rear_bumper", "trunk_lid")]).sum()
    if side > 0.35 * end:
        return target
    cleaned = target.copy()
    for index in SIDE_PANELS:
        count, components, stats, _ = cv2.connectedComponentsWithStats((target == index).astype(np.uint8))
        for component in range(1, count):
            if stats[component, cv2.CC_STAT_AREA] < _SLIVER_SHARE * target.size:
                cleaned[components == component] = VEHICLE
    return cleaned
