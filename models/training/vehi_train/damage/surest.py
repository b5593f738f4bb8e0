"""Draws the false positives on validation by score, descending, so that a reviewer can decide between detector and
label errors: red findings, green labelled boxes of the same class, blue boxes of other classes."""
from pathlib import Path

import cv2
import numpy as np

from ..context import Context
from .average_precision import match
from .dataset import Sample, load
from .evaluate import detect_once
from .export import FILE_NAME
from .labels import LABELS

TILE, COLUMNS = 360, 8  # px; tiles per row
RED, GREEN, BLUE = (0, 0, 255), (0, 200, 0), (255, 180, 0)


def add_arguments(parser) -> None:
    parser.add_argument("--model", type=Path, help="ONNX file; default: the shipped float32 model")
    parser.add_argument("--count", type=int, default=40, help="findings drawn")
    parser.add_argument("--out", type=Path, required=True, help="the picture, .jpg or .png")


def wrong_findings(samples: list[Sample], detections: list[np.ndarray]) -> list[tuple[int, np.ndarray]]:
    """Returns (sample, finding [6]) of all findings that match no box of a class labelled by their source, by score,
    descending."""
    wrong = []
    for index, (sample, found) in enumerate(zip(samples, detections)):
        for label in np.flatnonzero(sample.labelled):
            own = found[found[:, 5] == label]
            truth = sample.boxes[sample.boxes[:, 4] == label][:, :4].astype(np.float64)
            wrong += [(index, finding) for finding in own[~match(own, truth, 0.5)]]
    return sorted(wrong, key=lambda one: -one[1][4])


def tile(sample: Sample, finding: np.ndarray) -> np.ndarray:
    """Draws the finding and all labelled boxes, with class, score and source, on the photo -> uint8 [TILE,TILE,3]."""
    picture = cv2.resize(np.ascontiguousarray(sample.picture), (TILE, TILE), interpolation=cv2.INTER_AREA)
    for *box, label in sample.boxes:
        _draw(picture, box, GREEN if label == finding[5] else BLUE)
    _draw(picture, finding[:4], RED)
    for words, height in ((f"{LABELS[int(finding[5])]} {finding[4]:.2f}", 20), (sample.source, TILE - 8)):
        cv2.putText(picture, words, (4, height), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (255, 255, 255), 4)
        cv2.putText(picture, words, (4, height), cv2.FONT_HERSHEY_SIMPLEX, 0.55, RED, 1)
    return picture


def _draw(picture: np.ndarray, box, colour) -> None:
    x0, y0, x1, y1 = (int(round(float(value) * TILE)) for value in box)
    cv2.rectangle(picture, (x0, y0), (x1, y1), colour, 2)


def sheet(tiles: list[np.ndarray]) -> np.ndarray:
    """Arranges tiles in rows; fills the last row with white."""
    blank = np.full((TILE, TILE, 3), 255, np.uint8)
    padded = tiles + [blank] * (-len(tiles) % COLUMNS)
    return np.concatenate([np.concatenate(padded[k : k + COLUMNS], 1) for k in range(0, len(padded), COLUMNS)])


def run(context: Context) -> None:
    samples = load(context, "val")
    detections, _ = detect_once(context, context.args.model or context.models / FILE_NAME, "val")
    chosen = wrong_findings(samples, detections)[: context.args.count]
    cv2.imwrite(str(context.args.out), sheet([tile(samples[index], finding) for index, finding in chosen]))
    print(f"{len(chosen)} findings, scores {chosen[0][1][4]:.2f} to {chosen[-1][1][4]:.2f}: {context.args.out}")
