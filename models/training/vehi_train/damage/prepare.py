"""Decodes all pictures of a split once, stretched to a square, into one memory-mapped array."""
import json
import random
from pathlib import Path

import cv2
import numpy as np

from ..context import Context
from .labels import LABELS

CLEAN_SPLIT_SEED = 7


def split_clean_photos(data: Path, held_out: int) -> tuple[list[Path], list[Path]]:
    """Splits the undamaged cars of the parts data into training negatives and held-out photos for counting false
    alarms.

    The split depends only on the sorted file names and `CLEAN_SPLIT_SEED`.
    """
    photos = sorted((data / "parts" / "train").glob("*.webp"))
    chosen = set(random.Random(CLEAN_SPLIT_SEED).sample([str(p) for p in photos], held_out))
    return [p for p in photos if str(p) not in chosen], [p for p in photos if str(p) in chosen]


def extra_sets(context: Context) -> dict[str, Path]:
    """Returns additional training sets by cache name: the folders of `data.extra`, each with `damage/train.json` and
    `damage/train/`. A folder is absolute or relative to the data folder."""
    folders = [context.data / folder for folder in context.config["data"].get("extra", [])]
    sets = {f"extra-{folder.name}": folder for folder in folders}
    if len(sets) < len(folders):
        raise SystemExit("data.extra: two folders have the same name, and so the same cache")
    return sets


def _damage_records(data: Path, split: str) -> list[dict]:
    """Returns one record per picture: file, source, labelled mask, and boxes [x0,y0,x1,y1,class] as fractions of the
    picture."""
    coco = json.loads((data / "damage" / f"{split}.json").read_text())
    names = {category["id"]: category["name"] for category in coco["categories"]}
    boxes: dict[int, list[list[float]]] = {}
    sizes = {image["id"]: (image["width"], image["height"]) for image in coco["images"]}
    for annotation in coco["annotations"]:
        width, height = sizes[annotation["image_id"]]
        x, y, w, h = annotation["bbox"]
        label = LABELS.index(names[annotation["category_id"]])
        boxes.setdefault(annotation["image_id"], []).append(
            [x / width, y / height, (x + w) / width, (y + h) / height, label])
    return [
        {
            "file": str(data / "damage" / split / image["file_name"]),
            "source": image["source"],
            "labelled": [label in image["labelled"] for label in LABELS],
            "boxes": boxes.get(image["id"], []),
        }
        for image in coco["images"]
    ]


def _clean_records(photos: list[Path]) -> list[dict]:
    return [{"file": str(p), "source": "clean", "labelled": [True] * len(LABELS), "boxes": []} for p in photos]


def records_of(context: Context, split: str) -> list[dict]:
    """Returns the records of `train` (with clean photos as negatives), `val`, `clean` (held-out undamaged cars) or an
    extra set."""
    extra = extra_sets(context)
    if split in extra:
        return _damage_records(extra[split], "train")
    negatives, held_out = split_clean_photos(context.data, context.config["data"]["clean_held_out"])
    if split == "train":
        return _damage_records(context.data, "train") + _clean_records(negatives)
    return _damage_records(context.data, "val") if split == "val" else _clean_records(held_out)


def cache_paths(context: Context, split: str) -> tuple[Path, Path]:
    size = context.config["data"]["cache_size"]
    folder = context.runs / "cache"
    return folder / f"damage-{split}-{size}.npy", folder / f"damage-{split}-{size}.json"


def add_arguments(parser) -> None:
    parser.add_argument("--only", nargs="+", help="these alone: train, val, clean, extra-NAME (a folder of data.extra)")


def run(context: Context) -> None:
    size = context.config["data"]["cache_size"]
    (context.runs / "cache").mkdir(parents=True, exist_ok=True)
    splits = ("train", "val", "clean", *extra_sets(context))
    chosen = context.args.only or splits
    if unknown := set(chosen) - set(splits):
        raise SystemExit(f"--only {' '.join(sorted(unknown))}: there are {', '.join(splits)}")
    for split in chosen:
        records = records_of(context, split)
        array_path, list_path = cache_paths(context, split)
        shape = (len(records), size, size, 3)
        array = np.lib.format.open_memmap(array_path, mode="w+", dtype=np.uint8, shape=shape)
        for k, record in enumerate(records):
            picture = cv2.imread(record["file"])
            if picture is None:
                raise SystemExit(f"{record['file']}: cannot be read as a picture; fetch the data again")
            array[k] = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
        array.flush()
        list_path.write_text(json.dumps(records))
        print(f"{split}: {len(records)} pictures -> {array_path}")
