"""Finds training photos that show a picture or car of validation: writes labels/repeats.jsonl, which `label --out`
omits.

Uses the output of `prepare`. Mean features of an ImageNet network (`resnet50v2_c4_fp16.pth` among the weights) select
the nearest training photos of each validation photo, also mirrored; SIFT matches consistent with one homography decide.
Repeats noticed by eye (`matches` null) stay in the file.
"""
import importlib.util
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from ..context import Context
from .label import FOLDER
from .prepare import cache_paths, extra_sets

SIDE = 192                   # input side of the network in px
NEIGHBOURS = 8               # training photos compared by keypoints with each validation photo
POINTS = 800
RATIO = 0.75                 # Lowe's ratio test (2004)
TOLERANCE_PX = 6.0
LEAST_MATCHES = 18           # of 48 pairs inspected: from 25 on, all but test-board patterns are the same car; from 14 to 17, a third
MEAN, STD = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])   # ImageNet, RGB


def add_arguments(parser) -> None:
    parser.add_argument("--threads", type=int, default=2)


def run(context: Context) -> None:
    torch.set_num_threads(context.args.threads)
    network = _open_network(context.weights)
    validation, shown = _cached(context, "val")
    pictures, files = [], []
    for split in ("train", *extra_sets(context)):
        array, names = _cached(context, split)
        pictures += list(array)
        files += names
    features = _features(network, pictures)
    mean, deviation = features.mean(0), features.std(0) + 1e-6
    unit = lambda rows: (lambda scaled: scaled / np.linalg.norm(scaled, axis=1, keepdims=True))((rows - mean) / deviation)
    straight, mirrored = (_features(network, [picture[:, ::step] for picture in validation]) for step in (1, -1))
    alike = np.maximum(unit(straight) @ unit(features).T, unit(mirrored) @ unit(features).T)

    found: dict[str, tuple[str, int]] = {}
    for number, name in enumerate(shown):
        own = [_points(validation[number][:, ::step]) for step in (1, -1)]
        for other in np.argsort(-alike[number])[:NEIGHBOURS]:
            matches = max(count_matches(points, _points(pictures[other])) for points in own)
            if matches >= LEAST_MATCHES and matches > found.get(files[other], ("", 0))[1]:
                found[files[other]] = (name, matches)
    path = FOLDER / "repeats.jsonl"
    lines = {name: {"file": name, "repeats": source, "matches": matches} for name, (source, matches) in found.items()}
    for line in path.read_text().splitlines() if path.exists() else []:
        lines.setdefault(json.loads(line)["file"], json.loads(line))
    path.write_text("".join(json.dumps(lines[name]) + "\n" for name in sorted(lines)))
    print(f"{path}: {len(lines)} training photos repeat one of validation")


def _open_network(weights: Path) -> torch.nn.Module:
    spec = importlib.util.spec_from_file_location("resnet50v2", weights / "resnet50v2.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    network = module.ResNet50C4().eval()
    state = torch.load(weights / "resnet50v2_c4_fp16.pth")
    network.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in state.items()})
    return network.to(memory_format=torch.channels_last)


def _cached(context: Context, split: str) -> tuple[np.ndarray, list[str]]:
    array_path, list_path = cache_paths(context, split)
    return np.load(array_path, mmap_mode="r"), [Path(record["file"]).name for record in json.loads(list_path.read_text())]


def _features(network: torch.nn.Module, pictures: list[np.ndarray], batch: int = 32) -> np.ndarray:
    """Returns the mean features of the last stage, (pictures, 1024)."""
    rows = []
    for start in range(0, len(pictures), batch):
        small = [cv2.resize(np.ascontiguousarray(one), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
                 for one in pictures[start:start + batch]]
        rgb = torch.from_numpy(np.stack(small)[..., ::-1].copy()).permute(0, 3, 1, 2).float() / 255
        scaled = (rgb - torch.tensor(MEAN).view(1, 3, 1, 1)) / torch.tensor(STD).view(1, 3, 1, 1)
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            rows.append(network(scaled.contiguous(memory_format=torch.channels_last))[-1].float().relu().mean((2, 3)).numpy())
    return np.concatenate(rows)


def _points(picture: np.ndarray):
    return cv2.SIFT_create(POINTS).detectAndCompute(cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY), None)


def count_matches(one, other) -> int:
    """Returns the number of keypoint matches of two pictures (keypoints, descriptors) consistent with one homography; 0
    if there are too few."""
    (at, descriptors), (there, others) = one, other
    if min(len(at), len(there)) < 8:
        return 0
    pairs = (pair for pair in cv2.BFMatcher().knnMatch(descriptors, others, k=2) if len(pair) == 2)
    good = [first for first, second in pairs if first.distance < RATIO * second.distance]
    if len(good) < 8:
        return 0
    source = np.float32([at[match.queryIdx].pt for match in good])
    target = np.float32([there[match.trainIdx].pt for match in good])
    _, agreeing = cv2.findHomography(source, target, cv2.RANSAC, TOLERANCE_PX)
    return 0 if agreeing is None else int(agreeing.sum())
