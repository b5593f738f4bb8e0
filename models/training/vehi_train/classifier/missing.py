"""Measures whether the classifier's features tell missing parts from other damage: cross-validated on
`labels/missing-parts.jsonl`, then on the findings of photos that nothing was learned from."""
import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Callable

import cv2
import numpy as np
import onnx
import onnxruntime
from scipy.optimize import minimize
from scipy.special import expit

from .. import manifest
from ..context import PACKAGE_HOME, Context
from .cuts import close_up

LABELS = PACKAGE_HOME / "labels"
FEATURES = "/classifier/head/n/LayerNormalization_output_0"  # 4,096 pooled features, normalized
AROUND = 3072        # index of the first feature of the whole close-up
REPEATED = 0.9       # correlation of surroundings above which two close-ups stay in one fold
WEIGHT_DECAY = 2000.0
FOLDS = 10
PRECISION = 0.9


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--photos", type=Path, help="folder of photos-dev/ and photos/, each with labels.json")
    parser.add_argument("--results", type=Path, help="folder with `vehi inspect PHOTO --json` of each photo")


def run(context: Context) -> None:
    read = open_reader(context.models / manifest.read_entry(context.models, "classifier")["weights"]["file"])
    lines = [json.loads(line) for line in (LABELS / "missing-parts.jsonl").read_text().splitlines()]
    print("boxes:", dict(Counter(line["label"] for line in lines)))
    lines = [line for line in lines if line["label"] != "unclear"]
    x = np.stack([read(picture_of(context.data, line), line["box"]) for line in lines])
    missing = np.array([line["label"] == "missing" for line in lines])
    scores = np.empty(len(lines))
    for fold in split(x, [line["file"] for line in lines]):
        scores[fold] = fit(x[~fold], missing[~fold])(x[fold])
    ranked = np.argsort(-scores)
    precise = np.flatnonzero(np.cumsum(missing[ranked]) / np.arange(1, len(ranked) + 1) >= PRECISION)
    limit = scores[ranked[precise.max()]] if len(precise) else np.inf
    auc = (scores[missing][:, None] > scores[~missing]).mean()
    print(f"AUC {auc:.3f}; recall {(scores[missing] >= limit).mean():.2f} at precision {PRECISION}, limit {expit(limit):.2f}")
    if context.args.results:
        measure(read, fit(x, missing), limit, context.args)


def picture_of(data: Path, line: dict) -> Path:
    return data / ("damage-more/photos" if line["set"] == "damage-more" else "damage/train") / line["file"]


def open_reader(model: Path) -> Callable[[Path, list[float]], np.ndarray]:
    """Returns a function from a picture's path and a box in per cent (left, top, right, bottom) to FEATURES."""
    graph = onnx.load(model)
    graph.graph.output.append(onnx.helper.make_tensor_value_info(FEATURES, onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])

    def read(path: Path, box: list[float]) -> np.ndarray:
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        cut, within = close_up(picture, np.array(box) / 100 * [width, height, width, height])
        pixels = (cut[..., ::-1].astype(np.float32) / 255 - manifest.MEAN) / manifest.STD
        feeds = {"images": pixels.transpose(2, 0, 1)[None].astype(np.float32), "boxes": np.float32([within])}
        return session.run([FEATURES], feeds)[0][0]

    return read


def split(x: np.ndarray, files: list[str]) -> list[np.ndarray]:
    """Returns masks of FOLDS folds; boxes of one photo, and of photos that repeat each other, stay in one."""
    around = x[:, AROUND:] - x[:, AROUND:].mean(0)
    around /= np.linalg.norm(around, axis=1, keepdims=True)
    names = np.array(files)
    together = (around @ around.T > REPEATED) | (names[:, None] == names)
    group = np.arange(len(x))
    while not np.array_equal(group, lowest := np.where(together, group, len(x)).min(1)):
        group = lowest
    sizes = np.zeros(FOLDS, int)
    fold = np.empty(len(x), int)
    for one, count in Counter(group.tolist()).most_common():
        fold[group == one] = sizes.argmin()
        sizes[sizes.argmin()] += count
    return [fold == k for k in range(FOLDS)]


def fit(x: np.ndarray, truth: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Fits a logistic regression on standardized features; returns its log odds."""
    mean, deviation = x.mean(0), x.std(0) + 1e-9
    z, sign = (x - mean) / deviation, np.where(truth, 1.0, -1.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (z @ weights[:-1] + weights[-1])
        slope = -sign * expit(-margin)
        decay = WEIGHT_DECAY * weights[:-1]
        return np.logaddexp(0, -margin).sum() + decay @ weights[:-1] / 2, np.append(slope @ z + decay, slope.sum())

    weights = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B").x
    return lambda new: (new - mean) / deviation @ weights[:-1] + weights[-1]


def measure(read, score, limit: float, args) -> None:
    """Prints how many labelled missing parts are listed, and the findings of panels and lamps by score."""
    listed = json.loads((LABELS / "missing-parts-measured.json").read_text())
    damages = {}
    for folder in ("photos-dev", "photos"):
        labels = json.loads((args.photos / folder / "labels.json").read_text())
        for photo in labels["photos"] if isinstance(labels, dict) else labels:
            name = "/".join(part for part in (folder, photo.get("folder"), photo["file"]) if part)
            damages[name] = [damage["bbox"] for damage in photo["damages"]]
    parts = {(name, k): damages[name][k] for name, ks in listed.items() for k in ks}
    found, certain, ranked = set(), set(), []
    for path in sorted(args.results.iterdir()):
        data = json.loads(path.read_text())["data"]
        name = str(Path(data["images"][0]["url"]).resolve().relative_to(args.photos.resolve()))
        for level in ("damages", "to_check"):
            for damage in data["results"][level]:
                for seen in damage["evidence"]:
                    at = seen["coordinates"]
                    box = [at["x"], at["y"], at["width"], at["height"]]
                    right = {part for part in parts if part[0] == name and touch(box, parts[part])}
                    found |= right
                    certain |= right if level == "damages" else set()
                    if seen.get("type", damage["type"]) == "panel_damage":
                        sides = np.array([box[0], box[1], box[0] + box[2], box[1] + box[3]])
                        size = np.array([at["image_width"], at["image_height"]] * 2)
                        ranked.append((score(read(args.photos / name, sides / size * 100)), name, level, box, right))
    print(f"{len(parts)} missing parts: {len(found)} listed, {len(certain)} certain")
    ranked.sort(key=lambda one: -one[0])
    said = [one for one in ranked if one[0] >= limit]
    print(f"{len(ranked)} findings of panels: {len(said)} called missing, {sum(bool(one[4]) for one in said)} right")
    print("right (+) or not (-) by score:", "".join("+" if one[4] else "-" for one in ranked[:40]))
    for odds, name, level, box, right in ranked[:15]:
        print(f"{expit(odds):.2f} {'+' if right else '-'} {name} {level} {box}")


def touch(a: list[float], b: list[float]) -> bool:
    """True at IoU 0.1, or if half of the smaller box (x, y, width, height) lies in the larger, as `finds` counts."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    shared = max(0, width) * max(0, height)
    areas = a[2] * a[3], b[2] * b[3]
    return shared >= 0.1 * (sum(areas) - shared) or shared >= 0.5 * min(areas)
