"""Average precision as defined by COCO (101 recall points, greedy matching by score); pictures do not count for classes
that their source does not label."""
import numpy as np

from .dataset import Sample
from .detect import iou_matrix
from .labels import LABELS

RECALL_POINTS = np.linspace(0, 1, 101)
COCO_IOUS = np.linspace(0.5, 0.95, 10)


def match(found: np.ndarray, truth: np.ndarray, least_iou: float) -> np.ndarray:
    """Returns the true positives among the findings [n,>=4] (by score, descending): each takes the free box of `truth`
    [m,4] with the highest overlap."""
    right = np.zeros(len(found), bool)
    if not len(found) or not len(truth):
        return right
    overlaps = iou_matrix(found[:, :4], truth)
    free = np.ones(len(truth), bool)
    for k in range(len(found)):
        candidate = np.where(free, overlaps[k], -1)
        best = int(candidate.argmax())
        if candidate[best] >= least_iou:
            free[best] = False
            right[k] = True
    return right


def judged(samples: list[Sample], detections: list[np.ndarray], label: int, least_iou: float = 0.5):
    """Returns all findings of a class in pictures whose source labels it: scores [n], right [n], number of boxes."""
    scores, right, boxes = [np.zeros(0)], [np.zeros(0, bool)], 0
    for sample, found in zip(samples, detections):
        if not sample.labelled[label]:
            continue
        truth = sample.boxes[sample.boxes[:, 4] == label][:, :4].astype(np.float64)
        own = found[found[:, 5] == label]
        boxes += len(truth)
        scores.append(own[:, 4])
        right.append(match(own, truth, least_iou))
    return np.concatenate(scores), np.concatenate(right), boxes


def precision_recall(scores: np.ndarray, right: np.ndarray, boxes: int):
    """Returns precision and recall after each finding, by score, descending."""
    order = np.argsort(-scores, kind="mergesort")
    hits = np.cumsum(right[order])
    return hits / np.arange(1, len(hits) + 1), hits / max(boxes, 1)


def area_under(scores: np.ndarray, right: np.ndarray, boxes: int) -> float:
    if not boxes:
        return float("nan")
    if not len(scores):
        return 0.0
    precision, recall = precision_recall(scores, right, boxes)
    envelope = np.append(np.maximum.accumulate(precision[::-1])[::-1], 0.0)
    return float(envelope[np.searchsorted(recall, RECALL_POINTS, side="left")].mean())


def average_precision(samples: list[Sample], detections: list[np.ndarray], ious=(0.5,)) -> dict[str, float]:
    """Returns AP per class, averaged over `ious`, and its mean over the classes that occur."""
    result = {}
    for label, name in enumerate(LABELS):
        per_iou = [area_under(*judged(samples, detections, label, least)) for least in ious]
        result[name] = float(np.mean(per_iou))
    result["mean"] = float(np.nanmean(list(result.values())))
    return result
