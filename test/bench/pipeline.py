"""A reasonably optimized Python program for the same models and photos: Pillow, numpy, onnxruntime.

    python3 test/bench/pipeline.py MODELS once|again PHOTO...

Two threads have separate sessions. JPEGs are decoded once at reduced size (draft mode), regions are resized from the
raster, and numpy suppresses boxes. The models run on every whole photo, on four tiles of a vehicle that is completely
inside the photo, and with `again` on three crops of each candidate, as vehi formerly did. Findings are neither located
nor graded, and photo quality is not measured. Prints one JSON line: wall and processor milliseconds from opening the
models on, and runs.
"""
from concurrent.futures import ThreadPoolExecutor
import json
from pathlib import Path
import sys
import threading
import time

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

THREADS = 2
LONG_SIDE = 1664
LOWEST_SCORE = 0.02
MOST_PER_CLASS = 200
SURE_CELL = 0.5
NEAR_EDGE = 0.02
MARGIN, OVERLAP = 0.06, 0.25
SEEN_ONLY_CLOSER = 0.6
LEAST_CONFIDENCE, MOST_CANDIDATES, SAME_THING = 0.06, 6, 0.65
ZOOMS = ((1.6, 0.15), (2.5, 0.25), (4.0, 0.4))


class Network:
    """A model of the manifest, opened once per thread."""

    def __init__(self, folder: Path, entry: dict):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(folder / entry["weights"]["file"]), options, ["CPUExecutionProvider"])
        self._input = entry["input"]
        self.size = (entry["input"]["width"], entry["input"]["height"])
        levels = np.arange(256, dtype=np.float32)[:, None] / 255
        self._table = ((levels - entry["input"]["mean"]) / entry["input"]["std"]).astype(np.float32).T.copy()
        self.runs = 0

    def look(self, raster: Image.Image, region) -> list[np.ndarray]:
        shown = np.asarray(raster.resize(self.size, Image.Resampling.BILINEAR, box=region))
        planes = np.empty((1, 3, *shown.shape[:2]), np.float32)
        for channel in range(3):
            np.take(self._table[channel], shown[..., channel], out=planes[0, channel])
        self.runs += 1
        return self._session.run(None, {self._input["name"]: planes})


def suppress(boxes: np.ndarray, scores: np.ndarray, limit: float) -> np.ndarray:
    order = np.argsort(-scores)[:MOST_PER_CLASS]
    boxes = boxes[order]
    overlaps = overlap_of(boxes, boxes) > limit
    gone = np.zeros(len(order), bool)
    kept = []
    for at in range(len(order)):
        if not gone[at]:
            kept.append(order[at])
            gone |= overlaps[at]
    return np.array(kept, int)


def overlap_of(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    shared = (np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])).clip(0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(1), (b[:, 2:] - b[:, :2]).prod(1)
    return shared / (area_a[:, None] + area_b[None] - shared + 1e-9)


class Pipeline:
    """Both models in one thread."""

    def __init__(self, folder: Path, again: bool):
        entries = {entry["id"]: entry for entry in json.loads((folder / "manifest.json").read_text())["models"]}
        self.damage, self.parts = Network(folder, entries["damage"]), Network(folder, entries["parts"])
        self._entry, self._again = entries["damage"], again

    def inspect(self, path: str) -> int:
        with Image.open(path) as photo:
            photo.draft("RGB", (LONG_SIDE, LONG_SIDE))
            raster = ImageOps.exif_transpose(photo).convert("RGB")
        raster.thumbnail((LONG_SIDE, LONG_SIDE), Image.Resampling.BILINEAR)
        width, height = raster.size
        logits = self.parts.look(raster, None)[0][0]
        found = self.detect(raster, (0, 0, width, height))
        for tile in tiles(vehicle_of(logits, raster.size), raster.size):
            closer = self.detect(raster, tile)
            closer[:, 4] *= SEEN_ONLY_CLOSER
            found = np.concatenate([found, closer])
        found = found[self.kept(found)]
        return self.look_again(raster, found) if self._again else len(found)

    def detect(self, raster: Image.Image, region) -> np.ndarray:
        """Returns rows of x0, y0, x1, y1 in pixels of the raster, score, class."""
        boxes, scores = self.damage.look(raster, region)
        boxes, scores = boxes.reshape(-1, 4), scores.reshape(-1, len(self._entry["labels"]))
        rows, classes = np.nonzero(scores > LOWEST_SCORE)
        scale = np.array([(region[2] - region[0]) / self.damage.size[0], (region[3] - region[1]) / self.damage.size[1]] * 2)
        placed = boxes[rows] * scale + np.array([region[0], region[1]] * 2)
        found = np.column_stack([placed, scores[rows, classes], classes])
        return found[self.kept(found)]

    def kept(self, found: np.ndarray) -> np.ndarray:
        own = [np.nonzero(found[:, 5] == label)[0] for label in range(len(self._entry["labels"]))]
        parts = [at[suppress(found[at, :4], found[at, 4], self._entry["nms_iou"])] for at in own if len(at)]
        return np.concatenate(parts) if parts else np.zeros(0, int)

    def look_again(self, raster: Image.Image, found: np.ndarray) -> int:
        curves = [self._entry["calibration"][name] for name in self._entry["labels"]]
        confidence = np.array([np.interp(row[4], curves[int(row[5])]["x"], curves[int(row[5])]["y"]) for row in found])
        chosen: list[np.ndarray] = []
        for at in np.argsort(-confidence):
            if confidence[at] < LEAST_CONFIDENCE or len(chosen) >= MOST_CANDIDATES:
                break
            box = found[at, :4]
            if not chosen or overlap_of(box[None], np.stack(chosen)).max() <= SAME_THING:
                chosen.append(box)
        seen = 0
        for box in chosen:
            for times, least in ZOOMS:
                again = self.detect(raster, cut_around(box, raster.size, times, least))
                seen += bool(len(again)) and bool((overlap_of(box[None], again[:, :4]) > 0.3).any())
        return seen


def vehicle_of(logits: np.ndarray, size) -> tuple[float, ...] | None:
    """Returns the box of confidently labelled cells, in pixels of a raster of the given size."""
    best = logits.argmax(0)
    certainty = 1 / np.exp(logits - logits.max(0)).sum(0)
    rows, columns = np.nonzero((best > 0) & (certainty >= SURE_CELL))
    if not len(rows):
        return None
    sx, sy = size[0] / best.shape[1], size[1] / best.shape[0]
    return columns.min() * sx, rows.min() * sy, (columns.max() + 1) * sx, (rows.max() + 1) * sy


def tiles(vehicle, size) -> list[tuple[float, ...]]:
    """Returns four overlapping tiles of a vehicle that is completely inside the photo."""
    if vehicle is None:
        return []
    width, height = size
    near = (vehicle[0] < NEAR_EDGE * width, vehicle[1] < NEAR_EDGE * height,
            vehicle[2] > (1 - NEAR_EDGE) * width, vehicle[3] > (1 - NEAR_EDGE) * height)
    if sum(near) >= 3:
        return []
    wide, high = vehicle[2] - vehicle[0], vehicle[3] - vehicle[1]
    x0, y0 = max(0, vehicle[0] - MARGIN * wide), max(0, vehicle[1] - MARGIN * high)
    x1, y1 = min(width, vehicle[2] + MARGIN * wide), min(height, vehicle[3] + MARGIN * high)
    across, down = (x1 - x0) / (2 - OVERLAP), (y1 - y0) / (2 - OVERLAP)
    return [(x, y, x + across, y + down) for y in (y0, y1 - down) for x in (x0, x1 - across)]


def cut_around(box: np.ndarray, size, times: float, least: float) -> tuple[float, ...]:
    share = min(1.0, max(least, times * max((box[2] - box[0]) / size[0], (box[3] - box[1]) / size[1])))
    wide, high = share * size[0], share * size[1]
    x = float(np.clip((box[0] + box[2] - wide) / 2, 0, size[0] - wide))
    y = float(np.clip((box[1] + box[3] - high) / 2, 0, size[1] - high))
    return x, y, x + wide, y + high


def main() -> None:
    folder, looks, *photos = sys.argv[1:]
    if looks not in ("once", "again") or not photos:
        raise SystemExit("usage: pipeline.py MODELS once|again PHOTO...")
    mine = threading.local()
    opened: list[Pipeline] = []

    def inspect(path: str) -> int:
        if not hasattr(mine, "pipeline"):
            mine.pipeline = Pipeline(Path(folder), looks == "again")
            opened.append(mine.pipeline)
        return mine.pipeline.inspect(path)

    wall, processor = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(THREADS) as threads:
        found = sum(threads.map(inspect, photos))
    print(json.dumps({
        "wallMs": 1000 * (time.perf_counter() - wall),
        "cpuMs": 1000 * (time.process_time() - processor),
        "runs": {"parts": sum(one.parts.runs for one in opened), "damage": sum(one.damage.runs for one in opened)},
        "found": found,
    }))


if __name__ == "__main__":
    main()
