"""Runs a detector over samples and keeps what non-maximum suppression leaves."""
import cv2
import numpy as np
import torch

from .dataset import Sample, normalise
from .labels import LABELS

NMS_IOU = 0.5  # 0.45 to 0.7 measured: best here by half a point of mean AP50
LOWEST_SCORE = 0.02
MOST_PER_CLASS, MOST_PER_PHOTO = 200, 100


def iou_matrix(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """IoU of boxes [n,4] with boxes [m,4] -> [n,m]."""
    overlap = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
    overlap = overlap.clip(0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(1), (b[:, 2:] - b[:, :2]).prod(1)
    return overlap / (area_a[:, None] + area_b[None] - overlap + 1e-9)


def suppress(boxes: np.ndarray, scores: np.ndarray) -> list[int]:
    """Greedy non-maximum suppression of one class: indices kept, best first."""
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
    """Box voting: each kept box becomes the mean, by score, of the boxes of its class that overlap it -> [n,4].

    Worth one point of mean AP50 (0.372 -> 0.383), most of it on lamps and paint; the engine does the same.
    """
    order = np.argsort(-scores, kind="stable")[:MOST_PER_CLASS]
    weights = (iou_matrix(boxes[kept], boxes[order]) >= NMS_IOU) * scores[None, order]
    return weights @ boxes[order] / weights.sum(1, keepdims=True)


def findings(boxes: np.ndarray, scores: np.ndarray, size: int) -> np.ndarray:
    """One photo's raw outputs -> [n,6]: box in parts of the photo, score, class; best first."""
    found = []
    boxes = boxes.clip(0, size)
    for label in range(len(LABELS)):
        above = scores[:, label] > LOWEST_SCORE
        if not above.any():
            continue
        own_boxes, own_scores = boxes[above].astype(np.float64), scores[above, label].astype(np.float64)
        kept = suppress(own_boxes, own_scores)
        for k, box in zip(kept, vote(own_boxes, own_scores, kept)):
            found.append((*(box / size), own_scores[k], label))
    table = np.array(found, np.float64).reshape(-1, 6)
    return table[np.argsort(-table[:, 4], kind="stable")][:MOST_PER_PHOTO]


@torch.no_grad()
def detect(detector, samples: list[Sample], size: int, batch_size: int = 16, bfloat16: bool = True) -> list[np.ndarray]:
    """Findings of every sample, photos plainly resized to `size` squared."""
    results = []
    for start in range(0, len(samples), batch_size):
        pictures = [s.picture for s in samples[start : start + batch_size]]
        images = np.stack([normalise(cv2.resize(p, (size, size), interpolation=cv2.INTER_AREA)) for p in pictures])
        x = torch.from_numpy(images).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            boxes, scores = detector(x)
        results += [findings(b, s, size) for b, s in zip(boxes.float().numpy(), scores.float().numpy())]
    return results
