"""Runs a detector over samples with non-maximum suppression."""
import cv2
import numpy as np
import torch

from .dataset import Sample, normalise
from .labels import LABELS

NMS_IOU = 0.5  # measured from 0.45 to 0.7: best by half a point of mean AP50
LOWEST_SCORE = 0.02
MOST_PER_CLASS, MOST_PER_PHOTO = 200, 100
MEMBERS = "members"  # metadata key of a file's networks: JSON list of (rows, weight)
Members = list[tuple[int, float]] | tuple[()]


def iou_matrix(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns the IoU of boxes [n,4] with boxes [m,4] -> [n,m]."""
    overlap = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
    overlap = overlap.clip(0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(1), (b[:, 2:] - b[:, :2]).prod(1)
    return overlap / (area_a[:, None] + area_b[None] - overlap + 1e-9)


def suppress(boxes: np.ndarray, scores: np.ndarray) -> list[int]:
    """Applies greedy non-maximum suppression to one class; returns the kept indices by score, descending."""
    order = np.argsort(-scores, kind="stable")[:MOST_PER_CLASS]
    overlaps = iou_matrix(boxes[order], boxes[order]) > NMS_IOU
    gone = np.zeros(len(order), bool)
    kept = []
    for k in range(len(order)):
        if not gone[k]:
            kept.append(int(order[k]))
            gone |= overlaps[k]
    return kept


def vote(boxes: np.ndarray, scores: np.ndarray, kept: list[int]) -> np.ndarray:
    """Applies box voting: each kept box becomes the score-weighted mean of the overlapping boxes of its class -> [n,4].

    Gains one point of mean AP50 (0.372 -> 0.383), mostly on lamps and paint; the engine does the same.
    """
    order = np.argsort(-scores, kind="stable")[:MOST_PER_CLASS]
    weights = (iou_matrix(boxes[kept], boxes[order]) >= NMS_IOU) * scores[None, order]
    return weights @ boxes[order] / weights.sum(1, keepdims=True)


def agreed_scores(boxes: np.ndarray, scores: np.ndarray, kept: list[int], member: np.ndarray, weights: list[float]) -> np.ndarray:
    """Computes the ensemble scores of the kept boxes -> [n]; the engine does the same.

    A box supports the best kept box that it overlaps; a kept box scores the sum over networks of weight times best
    support.
    """
    order = np.argsort(-scores, kind="stable")[:MOST_PER_CLASS]
    overlaps = iou_matrix(boxes[kept], boxes[order]) >= NMS_IOU
    backed = np.where(overlaps.any(0), overlaps.argmax(0), -1)
    total = np.zeros(len(kept))
    for index, weight in enumerate(weights):
        best = np.zeros(len(kept))
        own = (backed >= 0) & (member[order] == index)
        np.maximum.at(best, backed[own], scores[order][own])
        total += weight * best
    return total


def findings(boxes: np.ndarray, scores: np.ndarray, size: int, members: Members = ()) -> np.ndarray:
    """Converts one photo's raw outputs to [n,6]: box as fractions of the photo, score, class; by score, descending.

    `members`: rows and weight of each network of an ensemble, whose rows are concatenated.
    """
    found = []
    boxes = boxes.clip(0, size)
    member = np.repeat(np.arange(len(members)), [rows for rows, _ in members]) if members else np.zeros(len(boxes), int)
    for label in range(len(LABELS)):
        above = scores[:, label] > LOWEST_SCORE
        if not above.any():
            continue
        own_boxes, own_scores = boxes[above].astype(np.float64), scores[above, label].astype(np.float64)
        kept = suppress(own_boxes, own_scores)
        agreed = agreed_scores(own_boxes, own_scores, kept, member[above], [weight for _, weight in members]) if members else own_scores[kept]
        for score, box in zip(agreed, vote(own_boxes, own_scores, kept)):
            found.append((*(box / size), score, label))
    table = np.array(found, np.float64).reshape(-1, 6)
    return table[np.argsort(-table[:, 4], kind="stable")][:MOST_PER_PHOTO]


@torch.no_grad()
def detect(detector, samples: list[Sample], size: int, batch_size: int = 16, bfloat16: bool = True) -> list[np.ndarray]:
    """Returns the findings of every sample, photos stretched to `size` squared."""
    results = []
    for start in range(0, len(samples), batch_size):
        pictures = [s.picture for s in samples[start : start + batch_size]]
        images = np.stack([normalise(cv2.resize(p, (size, size), interpolation=cv2.INTER_AREA)) for p in pictures])
        x = torch.from_numpy(images).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            boxes, scores = detector(x)
        results += [findings(b, s, size) for b, s in zip(boxes.float().numpy(), scores.float().numpy())]
    return results
