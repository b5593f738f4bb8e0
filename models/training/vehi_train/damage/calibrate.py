"""Maps raw scores to probabilities, and purposes to thresholds, per class.

A class's curve is isotonic: findings sorted by score are grouped to equal numbers of true positives, decreasing groups
are pooled, and each group yields one point. This avoids a jagged curve from a few dozen boxes.
"""
from dataclasses import dataclass

import numpy as np

from .average_precision import precision_recall

LEAST_GROUPS, MOST_GROUPS = 3, 8
RIGHT_PER_GROUP = 6
Z_90 = 1.2816  # one-sided quantile of the normal distribution


@dataclass(frozen=True)
class Curve:
    """Piecewise linear from raw score to the probability of a true positive; both ascending."""

    x: list[float]
    y: list[float]

    def __call__(self, scores):
        return np.interp(scores, self.x, self.y)

    def as_json(self) -> dict[str, list[float]]:
        return {"x": [round(v, 4) for v in self.x], "y": [round(v, 4) for v in self.y]}


def fit(scores: np.ndarray, right: np.ndarray) -> Curve:
    """Fits the curve of a class to its findings on validation pictures."""
    order = np.argsort(scores, kind="stable")
    scores, right = scores[order], right[order].astype(float)
    total = int(right.sum())
    if total < LEAST_GROUPS:
        rate = (total + 0.5) / (len(right) + 1)
        return Curve([0.0, 1.0], [min(rate, 0.5) / 2, max(rate, 0.5)])
    groups = int(np.clip(total // RIGHT_PER_GROUP, LEAST_GROUPS, MOST_GROUPS))
    # bounds by the running number of true positives, so each group gets its share of them
    bounds = np.searchsorted(np.cumsum(right), np.linspace(0, total, groups + 1)[1:-1] + 1e-9, side="left")
    blocks = []  # [sum of scores, sum of right, count]
    for part_scores, part_right in zip(np.split(scores, bounds), np.split(right, bounds)):
        if not len(part_scores):
            continue
        blocks.append([part_scores.sum(), part_right.sum(), len(part_scores)])
        while len(blocks) > 1 and _rate(blocks[-2]) >= _rate(blocks[-1]):
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last)]
    x = [total_score / count for total_score, _, count in blocks]
    y = [_rate(block) for block in blocks]
    top = min(0.99, y[-1] + 0.02)
    return Curve([0.0, *x, 1.0], [0.0, *y, max(top, y[-1])])


def _rate(block: list[float]) -> float:
    """Returns the fraction of true positives, shrunk slightly towards one half."""
    return (block[1] + 0.5) / (block[2] + 1)


def expected_calibration_error(confidence: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Computes the mean absolute difference between confidence and precision over equal confidence bins, weighted by
    count."""
    if not len(confidence):
        return float("nan")
    index = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [abs(confidence[index == b].mean() - right[index == b].mean()) * (index == b).sum()
            for b in range(bins) if (index == b).any()]
    return float(sum(gaps) / len(confidence))


def lower_bound(right: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Computes Wilson's one-sided 90 % lower bound of the precision for `right` among `found` [k]."""
    share = right / found
    spread = Z_90 * np.sqrt(share * (1 - share) / found + Z_90**2 / (4 * found**2))
    return (share + Z_90**2 / (2 * found) - spread) / (1 + Z_90**2 / found)


def threshold(confidence: np.ndarray, right: np.ndarray, boxes: int, least_precision: float, slack: float) -> float:
    """Returns the lowest confidence threshold with a precision of at least `least_precision`.

    Because few findings are weak evidence, the lower bound of the precision must also be at least `least_precision -
    slack`. If a class never reaches it, the threshold is set where that bound is highest.
    """
    if not len(confidence):
        return 0.99
    order = np.argsort(-confidence, kind="stable")
    precision, _ = precision_recall(confidence, right, boxes)
    ranked = confidence[order]
    sure = lower_bound(np.cumsum(right[order]), np.arange(1, len(ranked) + 1))
    real = np.append(ranked[:-1] > ranked[1:], True)  # only thresholds between different confidences are valid
    good = np.flatnonzero(real & (precision >= least_precision) & (sure >= least_precision - slack))
    cut = good[-1] if len(good) else np.flatnonzero(real)[sure[real].argmax()]
    below = ranked[cut + 1] if cut + 1 < len(ranked) else 0.0
    return float((ranked[cut] + below) / 2)
