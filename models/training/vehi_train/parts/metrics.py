"""Segmentation metrics: IoU per part, side accuracy, outline; unlabelled areas do not count."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from .labels import BACKGROUND, IGNORE, PARTS, VEHICLE, sided_pairs

# Minimum fraction of a sided part predicted as that part, of either side, to count as found.
_FOUND_SHARE = 0.25
# Components smaller than this fraction of the picture do not count for side accuracy.
_COMPONENT_SHARE = 0.0005


@dataclass
class PartsScore:
    """Counts over photos; `report` computes the metrics."""

    shared: np.ndarray = field(default_factory=lambda: np.zeros(len(PARTS)))
    union: np.ndarray = field(default_factory=lambda: np.zeros(len(PARTS)))
    sides: dict[str, list[int]] = field(default_factory=dict)
    outline: np.ndarray = field(default_factory=lambda: np.zeros(3))
    named: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def add(self, predicted: np.ndarray, target: np.ndarray, unlabelled: np.ndarray) -> None:
        """Adds one photo: label maps of the same size, and its unlabelled parts."""
        excused = (target == BACKGROUND) & unlabelled[predicted]
        judged = (target < len(PARTS)) & ~excused
        pairs = target[judged].astype(np.int64) * len(PARTS) + predicted[judged]
        table = np.bincount(pairs, minlength=len(PARTS) ** 2).reshape(len(PARTS), len(PARTS))
        self.shared += np.diag(table)
        self.union += table.sum(0) + table.sum(1) - np.diag(table)
        of_parts = table[np.arange(len(PARTS)) != BACKGROUND]
        self.named += [np.diag(table).sum() - table[BACKGROUND, BACKGROUND], of_parts.sum()]
        vehicle = ((target > BACKGROUND) & (target < len(PARTS))) | (target == VEHICLE)
        clear = (target != IGNORE) & ~excused
        said = predicted > BACKGROUND
        self.outline += [
            (vehicle & said & clear).sum(),
            ((vehicle | said) & clear).sum(),
            (vehicle & clear).sum(),
        ]
        self._add_sides(predicted, target)

    def _add_sides(self, predicted: np.ndarray, target: np.ndarray) -> None:
        for left, right in sided_pairs():
            kind = PARTS[left][: -len("_left")]
            tally = self.sides.setdefault(kind, [0, 0])
            for own, other in ((left, right), (right, left)):
                count, components, stats, _ = cv2.connectedComponentsWithStats((target == own).astype(np.uint8))
                for component in range(1, count):
                    area = stats[component, cv2.CC_STAT_AREA]
                    if area < _COMPONENT_SHARE * target.size:
                        continue
                    inside = predicted[components == component]
                    own_pixels, other_pixels = int((inside == own).sum()), int((inside == other).sum())
                    if own_pixels + other_pixels < _FOUND_SHARE * area:
                        continue
                    tally[0] += own_pixels >= other_pixels
                    tally[1] += 1

    def report(self) -> dict:
        """Returns mean IoU and IoU per part (parts without labelled pixels omitted), the fraction of part pixels with
        the correct name, side accuracy, and outline."""
        iou = {
            name: round(float(self.shared[index] / self.union[index]), 4)
            for index, name in enumerate(PARTS)
            if index != BACKGROUND and self.union[index] > 0
        }
        right = sum(hit for hit, _ in self.sides.values())
        asked = sum(total for _, total in self.sides.values())
        return {
            "mean_iou": round(float(np.mean(list(iou.values()))), 4),
            "iou": iou,
            "pixel_accuracy": round(float(self.named[0] / max(self.named[1], 1)), 4),
            "side_accuracy": round(right / max(asked, 1), 4),
            "side_components": asked,
            "side_accuracy_by_part": {
                kind: round(hit / total, 4) for kind, (hit, total) in self.sides.items() if total
            },
            "outline_iou": round(float(self.outline[0] / max(self.outline[1], 1)), 4),
            "outline_recall": round(float(self.outline[0] / max(self.outline[2], 1)), 4),
        }
