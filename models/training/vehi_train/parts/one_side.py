"""Resolves the side of a vehicle by vote, because a photo shows the panels of at most one side well.

In a crop, a rear door on the right looks like a front door on the left; the whole photo disambiguates them. Cleans the
labels of self-training; has almost no effect on the final model.
"""

import numpy as np

from .labels import PARTS, SIDE_PANELS

_LEFT = [index for index in SIDE_PANELS if PARTS[index].endswith("_left")]
_RIGHT = [index for index in SIDE_PANELS if PARTS[index].endswith("_right")]
# Minimum share of all side-panel probability for a side to win.
_WON = 0.65


def settle_sides(probabilities: np.ndarray) -> np.ndarray:
    """Removes the losing side's panels from the probabilities [parts, h, w] if one side has won."""
    left, right = probabilities[_LEFT].sum(), probabilities[_RIGHT].sum()
    if max(left, right) <= _WON * (left + right):
        return probabilities
    settled = probabilities.copy()
    settled[_RIGHT if left > right else _LEFT] = 0
    return settled / np.maximum(settled.sum(0), 1e-6)
