"""A photo shows the panels of one side of a vehicle, or of neither side much: settles the side by vote.

Cut to a panel, a rear door on the right looks like a front door on the left; the whole photo knows better. Cleans the
labels of self-training; on the finished model it changes next to nothing.
"""

import numpy as np

from .labels import PARTS, SIDE_PANELS

_LEFT = [index for index in SIDE_PANELS if PARTS[index].endswith("_left")]
_RIGHT = [index for index in SIDE_PANELS if PARTS[index].endswith("_right")]
# Share of all side-panel probability from which one side has won.
_WON = 0.65


def settle_sides(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities [parts, h, w] with the losing side's panels taken out, where one side has won."""
    left, right = probabilities[_LEFT].sum(), probabilities[_RIGHT].sum()
    if max(left, right) <= _WON * (left + right):
        return probabilities
    settled = probabilities.copy()
    settled[_RIGHT if left > right else _LEFT] = 0
    return settled / np.maximum(settled.sum(0), 1e-6)
