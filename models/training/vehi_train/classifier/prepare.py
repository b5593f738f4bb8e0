"""Crops the classifier's examples from the damage detector's training and validation photos, once.

Reads the detector's prepared pictures (run `prepare --config configs/damage-5.toml` first, same --runs), runs the
shipped detector over them and crops around its detections at the photos' full size. Only photos labelled by eye take
part, with their current labels, and cars known to be clean; held-out clean cars do not.
"""
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from ..context import PACKAGE_HOME, Context
from ..damage import eye, label
from ..damage.dataset import Sample
from ..damage.evaluate import detect_onnx
from ..damage.export import FILE_NAME as DETECTOR
from ..damage.prepare import cache_paths, extra_sets
from .candidates import examples_of
from .cuts import SIDE, close_up


def files(context: Context) -> tuple[Path, Path]:
    """Returns the paths of the crops and of their metadata."""
    folder = context.runs / "cache"
    return folder / f"classifier-{SIDE}.npy", folder / f"classifier-{SIDE}.json"


def run(context: Context) -> None:
    photos = photos_of(context)
    pixels, facts = files(context)
    known = [
        {**example, "split": photo["split"], "source": photo["source"], "photo": at}
        for at, photo in enumerate(photos)
        for example in photo["examples"]
    ]
    cuts = np.lib.format.open_memmap(pixels, mode="w+", dtype=np.uint8, shape=(len(known), SIDE, SIDE, 3))
    starts = np.cumsum([0] + [len(photo["examples"]) for photo in photos])

    def cut(at: int) -> None:
        picture = cv2.imread(photos[at]["file"])
        if picture is None:
            raise SystemExit(f"{photos[at]['file']}: cannot be read as a picture; fetch the data again")
        height, width = picture.shape[:2]
        for k in range(starts[at], starts[at + 1]):
            cuts[k], known[k]["box"] = close_up(picture, np.array(known[k]["box"]) * [width, height, width, height])

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(cut, range(len(photos))))
    cuts.flush()
    facts.write_text(json.dumps(known))
    damages = sum(example["damage"] for example in known)
    print(f"{len(known)} cuts of {len(photos)} photos, {damages} of damage -> {pixels}")


def photos_of(context: Context) -> list[dict]:
    """Returns photos with their examples, grouped by split."""
    config = tomllib.loads((PACKAGE_HOME / context.config["data"]["detector"]).read_text())
    detector = Context(config, context.data, context.weights, context.runs, context.models, context.args)
    decisions = {file: one for name in label.SETS for file, one in eye.read_lines(label.FOLDER / f"{name}.jsonl").items()}
    photos = []
    for split in ("train", "val", *extra_sets(detector)):
        array, listed = cache_paths(detector, split)
        if not listed.exists():
            raise SystemExit(f"{listed} is missing: run the detector's prepare command first")
        records, pictures = json.loads(listed.read_text()), np.load(array, mmap_mode="r")
        boxes_of = {k: boxes for k, record in enumerate(records) if (boxes := labels_of(record, decisions)) is not None}
        chosen = list(boxes_of)
        found, _ = detect_onnx(context.models / DETECTOR, [Sample(pictures[k], None, None, "") for k in chosen])
        for k, boxes in zip(chosen, found):
            examples = examples_of(boxes, *boxes_of[k], context.config["data"])
            if examples:
                photos.append({"split": split, "examples": examples, **{key: records[k][key] for key in ("file", "source")}})
        print(f"{split}: {len(chosen)} photos looked at", flush=True)
    return photos


def labels_of(record: dict, decisions: dict[str, dict]) -> tuple[list, list] | None:
    """Returns the sure and the doubtful boxes of a prepared picture; None if it is not labelled for all classes."""
    decision = decisions.get(Path(record["file"]).name)
    if decision is None:
        return (record["boxes"], []) if all(record["labelled"]) else None
    return None if "skip" in decision else eye.parts_of(decision)
