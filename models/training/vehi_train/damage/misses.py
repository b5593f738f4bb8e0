"""Error analysis of a detector: recall by box size and by source, confused classes, and the cost of each kind of
error."""
from collections import Counter

import numpy as np

from .average_precision import average_precision, match
from .calibrate import Curve
from .dataset import Sample
from .detect import iou_matrix
from .labels import LABELS

# Side of a box (root of its area) as a fraction of the photo's side, below the limit.
SIZES = ((0.1, "under 0.1"), (0.25, "0.1 to 0.25"), (2.0, "0.25 and more"))


def said(found: np.ndarray, label: int, curves: list[Curve], thresholds: dict[str, float]) -> np.ndarray:
    """Returns the findings [n,6] of a class at or above its threshold."""
    own = found[found[:, 5] == label]
    return own[curves[label](own[:, 4]) >= thresholds[LABELS[label]]]


def recall_by(samples: list[Sample], detections: list[np.ndarray], curves, thresholds) -> dict[str, dict[str, float]]:
    """Returns recall by size and by source, each with the number of boxes."""
    hits, boxes = Counter(), Counter()
    for sample, found in zip(samples, detections):
        for label in range(len(LABELS)):
            truth = sample.boxes[sample.boxes[:, 4] == label][:, :4].astype(np.float64)
            if not len(truth):
                continue
            own = said(found, label, curves, thresholds)
            # matched per box: which boxes have a finding
            taken = _found_boxes(own, truth)
            for box, hit in zip(truth, taken):
                side = np.sqrt((box[2] - box[0]) * (box[3] - box[1]))
                for group in (next(name for limit, name in SIZES if side < limit), sample.source):
                    boxes[group] += 1
                    hits[group] += int(hit)
    return {group: {"recall": hits[group] / boxes[group], "boxes": boxes[group]} for group in boxes}


def _found_boxes(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Returns the boxes of `truth` matched by the true positives."""
    right = match(found, truth, 0.5)
    free = np.ones(len(truth), bool)
    if len(found) and len(truth):
        overlaps = iou_matrix(found[:, :4], truth)
        for k in np.flatnonzero(right):
            free[int(np.where(free, overlaps[k], -1).argmax())] = False
    return ~free


def mixed_up(samples: list[Sample], detections: list[np.ndarray], curves, thresholds) -> list[tuple[str, str, int]]:
    """Returns (labelled, predicted, count) of findings that only match a box of another class labelled by their
    source."""
    pairs = Counter()
    for sample, found in zip(samples, detections):
        if not len(sample.boxes):
            continue
        truth = sample.boxes.astype(np.float64)
        for label in range(len(LABELS)):
            if not sample.labelled[label]:
                continue
            for finding in said(found, label, curves, thresholds):
                overlaps = iou_matrix(finding[None, :4], truth[:, :4])[0]
                best = int(overlaps.argmax())
                if overlaps[best] >= 0.5 and not (overlaps[truth[:, 4] == label] >= 0.5).any():
                    pairs[LABELS[int(truth[best, 4])], LABELS[label]] += 1
    return [(labelled, name, count) for (labelled, name), count in pairs.most_common(5)]


def without_faults(samples: list[Sample], detections: list[np.ndarray]) -> dict[str, float]:
    """Computes the mean AP50 with one kind of error removed each, after Bolya et al. 2020 ("TIDE"): boxes that overlap
    one of their class by 0.3 to 0.5 are placed correctly; false positives on background (overlap under 0.1) are
    dropped; every class is correct."""
    corrected: dict[str, list[np.ndarray]] = {"badly placed": [], "nothing there": [], "wrong name": []}
    for sample, found in zip(samples, detections):
        truth = sample.boxes.astype(np.float64)
        placed, named = found.copy(), found.copy()
        overlaps = iou_matrix(found[:, :4], truth[:, :4]) if len(truth) else np.zeros((len(found), 1))
        for k, label in enumerate(found[:, 5]) if len(truth) else ():
            own = np.where(truth[:, 4] == label, overlaps[k], 0.0)
            if 0.3 <= own.max() < 0.5:
                placed[k, :4] = truth[own.argmax(), :4]
            if own.max() < 0.5 <= overlaps[k].max():
                named[k, 5] = truth[overlaps[k].argmax(), 4]
        corrected["badly placed"].append(placed)
        corrected["nothing there"].append(found[overlaps.max(1, initial=0.0) >= 0.1])
        corrected["wrong name"].append(named)
    return {fault: average_precision(samples, better)["mean"] for fault, better in corrected.items()}
