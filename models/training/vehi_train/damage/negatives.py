"""Crops hard negatives from photos of clean cars and writes them as a set for `data.extra`: windows, lamps, bumpers
with grilles and seams, dark glossy panels, magnified two to four times.

The cars are those of the parts data used as negatives; held-out cars stay unseen. With `--hardest SHARE`, more crops
are made than requested, and those of each kind with the highest damage scores of the shipped detector are kept.
"""
from dataclasses import dataclass
import json
from pathlib import Path

import cv2
import numpy as np

from ..context import Context
from ..parts.dataset import Photo, load_photos
from ..parts.labels import INDEX
from .dataset import Sample
from .evaluate import detect_onnx
from .export import FILE_NAME
from .labels import LABELS
from .prepare import split_clean_photos

SIDE_PX = 512
ZOOM = (2.0, 4.0)
SOURCE = "clean-close-ups"
LICENCE = "as the photos cut from: none stated, for building and measuring only"
PANELS = ("hood", "roof", "trunk_lid", *(f"{panel}_{side}" for panel in ("front_fender", "front_door", "rear_door", "quarter_panel") for side in ("left", "right")))
PARTS_OF = {
    "pane": ("windshield", "rear_window"),
    "lamp": ("headlight_left", "headlight_right", "taillight_left", "taillight_right"),
    "bumper": ("front_bumper", "rear_bumper"),
    "dark_panel": PANELS,
}
LEAST_SHARE = 0.12        # minimum fraction of the crop covered by the part
LEAST_PART_PX = 400       # in the whole photo
DARK = 70                 # maximum median brightness (of 255) of a dark panel
GLOSSY = 60               # minimum excess brightness of its brightest twentieth, caused by reflections
ATTEMPTS = 20             # attempts per requested crop


@dataclass(frozen=True)
class Cut:
    """A close-up: BGR [512,512,3], its kind, and its photo."""

    picture: np.ndarray
    kind: str
    photo: str


def add_arguments(parser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="folder to write; name it in data.extra")
    parser.add_argument("--count", type=int, default=1000, help="pictures")
    parser.add_argument("--hardest", type=float, default=1.0, help="share of the cuts that stays, those the shipped detector says most of (default: all)")
    parser.add_argument("--seed", type=int, default=1)


def run(context: Context) -> None:
    args = context.args
    if not 0 < args.hardest <= 1:
        raise SystemExit(f"--hardest {args.hardest}: needed is a share above 0, at most 1")
    learned, _ = split_clean_photos(context.data, context.config["data"]["clean_held_out"])
    names = {path.name for path in learned}
    photos = [photo for photo in load_photos(context.data / "parts") if photo.name in names]
    wanted = -(-args.count // len(PARTS_OF))
    cuts: list[Cut] = []
    for number, kind in enumerate(PARTS_OF):
        own = close_ups(kind, photos, round(wanted / args.hardest), np.random.default_rng([args.seed, number]))
        if args.hardest < 1:
            own = hardest(own, scores_of(own, context.models / FILE_NAME), wanted)
        cuts += own
    write(cuts[: args.count], args.out)


def close_ups(kind: str, photos: list[Photo], count: int, rng) -> list[Cut]:
    """Returns up to `count` crops of a kind, cycling through the photos; fewer if the photos do not provide more."""
    shown = [(photo, part) for photo in photos for part in PARTS_OF[kind] if _is_shown(kind, photo, part)]
    cuts: list[Cut] = []
    for attempt in range(count * ATTEMPTS):
        if len(cuts) >= count or not shown:
            break
        if attempt % len(shown) == 0:
            rng.shuffle(shown)
        photo, part = shown[attempt % len(shown)]
        picture = cut_around(photo.pixels[..., ::-1], photo.target == INDEX[part], rng)
        if picture is not None:
            cuts.append(Cut(picture, kind, photo.name))
    return cuts


def _is_shown(kind: str, photo: Photo, part: str) -> bool:
    there = photo.target == INDEX[part]
    if there.sum() < LEAST_PART_PX:
        return False
    if kind != "dark_panel":
        return True
    brightness = photo.pixels[there].max(-1)
    return bool(np.median(brightness) <= DARK and np.percentile(brightness, 95) - np.median(brightness) >= GLOSSY)


def cut_around(picture: np.ndarray, part: np.ndarray, rng) -> np.ndarray | None:
    """Returns a crop with the picture's aspect ratio around a point of the part, magnified two to four times; None if
    it shows too little of the part."""
    height, width = part.shape
    zoom = float(np.exp(rng.uniform(*np.log(ZOOM))))
    size = (round(height / zoom), round(width / zoom))
    rows, columns = np.nonzero(part)
    spot = int(rng.integers(len(rows)))
    top, left = (int(np.clip(at - side * rng.uniform(0.3, 0.7), 0, whole - side))
                 for at, side, whole in ((rows[spot], size[0], height), (columns[spot], size[1], width)))
    where = (slice(top, top + size[0]), slice(left, left + size[1]))
    if part[where].mean() < LEAST_SHARE:
        return None
    return cv2.resize(np.ascontiguousarray(picture[where]), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)


def scores_of(cuts: list[Cut], model: Path) -> np.ndarray:
    """Returns the detector's highest raw score over all classes for each crop."""
    nothing = np.zeros((0, 5), np.float32)
    samples = [Sample(cut.picture, nothing, np.ones(len(LABELS), np.float32), SOURCE) for cut in cuts]
    return np.array([found[:, 4].max(initial=0.0) for found in detect_onnx(model, samples)[0]])


def hardest(cuts: list[Cut], scores: np.ndarray, count: int) -> list[Cut]:
    """Returns the `count` crops with the highest scores, descending."""
    return [cuts[k] for k in np.argsort(-scores, kind="stable")[:count]]


def write(cuts: list[Cut], out: Path) -> None:
    """Writes the pictures and their listing, replacing an older one."""
    folder = out / "damage" / "train"
    folder.mkdir(parents=True, exist_ok=True)
    images = []
    for number, cut in enumerate(cuts):
        name = f"clean-{number:05d}-{cut.kind}.jpg"
        cv2.imwrite(str(folder / name), cut.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        images.append({"id": number + 1, "file_name": name, "width": SIDE_PX, "height": SIDE_PX, "labelled": list(LABELS),
                       "source": SOURCE, "licence": LICENCE, "cut_from": cut.photo})
    categories = [{"id": number, "name": name} for number, name in enumerate(LABELS)]
    aside = out / "damage" / "train.json.part"
    aside.write_text(json.dumps({"images": images, "annotations": [], "categories": categories}))
    aside.replace(out / "damage" / "train.json")
    counts = {kind: sum(cut.kind == kind for cut in cuts) for kind in PARTS_OF}
    print(f"{len(cuts)} pictures ({', '.join(f'{kind} {count}' for kind, count in counts.items())}) -> {out}")
