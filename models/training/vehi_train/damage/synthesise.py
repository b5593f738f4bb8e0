"""Draws rust, peeling paint and cracks onto clean cars and writes them as a training set for `data.extra`.

The cars are those of the parts data used as negatives; held-out cars stay clean. The part masks confine damage to its
panel.
"""
import json
from pathlib import Path

import cv2
import numpy as np

from ..context import Context
from ..parts.dataset import Photo, load_photos
from ..parts.labels import INDEX
from .labels import LABELS
from .prepare import split_clean_photos
from .synthetic.damage import DRAW, box_of

SIDE_PX = 512
SIDE_PANELS = tuple(f"{panel}_{side}" for side in ("left", "right") for panel in ("front_fender", "front_door", "rear_door", "quarter_panel", "rocker"))
# Panels on which each class occurs on real cars, by eye from its training photos.
PANELS = {
    "rust": (*SIDE_PANELS, "hood", "trunk_lid"),
    "paint_damage": (*SIDE_PANELS, "hood", "trunk_lid", "roof", "front_bumper", "rear_bumper"),
    "crack": ("front_bumper", "rear_bumper", "front_bumper", "rear_bumper", "hood", "trunk_lid", *SIDE_PANELS),
}
LEAST_PANEL_PX = 900  # in the whole photo


def add_arguments(parser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="folder to write; name it in data.extra")
    parser.add_argument("--count", type=int, default=600, help="pictures")
    parser.add_argument("--seed", type=int, default=1)


def run(context: Context) -> None:
    args = context.args
    rng = np.random.default_rng(args.seed)
    learned, _ = split_clean_photos(context.data, context.config["data"]["clean_held_out"])
    names = {path.name for path in learned}
    photos = [photo for photo in load_photos(context.data / "parts") if photo.name in names]
    (args.out / "damage" / "train").mkdir(parents=True, exist_ok=True)
    images, annotations = [], []
    while len(images) < args.count:
        label = list(DRAW)[len(images) % len(DRAW)]
        made = picture_with(label, photos[int(rng.integers(len(photos)))], rng)
        if made is None:
            continue
        picture, boxes = made
        name = f"synthetic-{len(images):05d}-{label}.jpg"
        cv2.imwrite(str(args.out / "damage" / "train" / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        images.append({"id": len(images) + 1, "file_name": name, "width": SIDE_PX, "height": SIDE_PX, "labelled": list(LABELS),
                       "source": "synthetic", "licence": "as the photos drawn on: none stated, for building and measuring only"})
        annotations += [{"id": len(annotations) + 1 + k, "image_id": len(images), "category_id": LABELS.index(label) + 1, "bbox": box,
                         "area": box[2] * box[3], "iscrowd": 0} for k, box in enumerate(boxes)]
    listing = {"images": images, "annotations": annotations, "categories": [{"id": k + 1, "name": name} for k, name in enumerate(LABELS)]}
    aside = args.out / "damage" / "train.json.part"
    aside.write_text(json.dumps(listing))
    aside.replace(args.out / "damage" / "train.json")
    print(f"{len(images)} pictures, {len(annotations)} damages -> {args.out}")


def picture_with(label: str, photo: Photo, rng) -> tuple[np.ndarray, list[tuple[int, int, int, int]]] | None:
    """Returns a square view of a panel with one to three damages: BGR [512,512,3], boxes; None if the panel is not
    visible."""
    panels = [name for name in PANELS[label] if (photo.target == INDEX[name]).sum() >= LEAST_PANEL_PX]
    if not panels:
        return None
    panel = (photo.target == INDEX[str(rng.choice(panels))]).astype(np.uint8)
    view, mask = _view_of(photo.pixels[..., ::-1], panel, rng)
    boxes = []
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        rows, columns = np.nonzero(_where(label, mask, rng))
        if not len(rows):
            return None
        spot = int(rng.integers(len(rows)))
        size = SIDE_PX * float(np.exp(rng.uniform(np.log(0.06), np.log(0.4))))
        view, cover = DRAW[label](view, mask, (float(columns[spot]), float(rows[spot])), size, rng)
        box = box_of(cover, mask)
        if box and min(box[2], box[3]) >= 6:
            boxes.append(box)
    return (view.clip(0, 255).astype(np.uint8), boxes) if boxes else None


def _where(label: str, mask: np.ndarray, rng) -> np.ndarray:
    """Returns a mask of possible damage origins: mostly near the panel's edge for rust, anywhere on the panel
    otherwise."""
    inner = cv2.erode(mask, np.ones((9, 9)))
    if label == "rust" and rng.random() < 0.75:
        return inner - cv2.erode(inner, np.ones((25, 25)))
    return inner


def _view_of(picture: np.ndarray, panel: np.ndarray, rng) -> tuple[np.ndarray, np.ndarray]:
    """Returns a square crop around a point of the panel, from most of the photo down to a quarter: (float32 picture,
    panel mask)."""
    height, width = panel.shape
    side = int(min(height, width) * rng.uniform(0.25, 0.8))
    rows, columns = np.nonzero(panel)
    spot = int(rng.integers(len(rows)))
    x = int(np.clip(columns[spot] - side * rng.uniform(0.3, 0.7), 0, width - side))
    y = int(np.clip(rows[spot] - side * rng.uniform(0.3, 0.7), 0, height - side))
    cut = (slice(y, y + side), slice(x, x + side))
    view = cv2.resize(np.ascontiguousarray(picture[cut]), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)
    return view.astype(np.float32), cv2.resize(panel[cut], (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_NEAREST)
