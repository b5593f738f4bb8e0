"""Infers a photo's view from the areas of its parts.

The engine implements the same rule; the figures on the model card verify that both agree.
"""

import numpy as np

from .labels import INDEX

# A side or end with less than this fraction of the other's area is barely visible.
_GRAZED = 0.2

_FRONT = ("front_bumper", "hood", "headlight_left", "headlight_right")
_REAR = ("rear_bumper", "trunk_lid", "taillight_left", "taillight_right", "rear_window")
_PANELS = ("front_fender", "front_door", "rear_door", "quarter_panel", "rocker")


def part_areas(label_map: np.ndarray) -> np.ndarray:
    """Counts pixels per output channel (and per special target value, from 254)."""
    return np.bincount(label_map.reshape(-1), minlength=256)


def view_of(area: np.ndarray) -> str:
    """Returns the contract's exterior view for the part areas (any unit, indexed by output channel)."""
    front = sum(area[INDEX[name]] for name in _FRONT)
    rear = sum(area[INDEX[name]] for name in _REAR)
    left = sum(area[INDEX[f"{name}_left"]] for name in _PANELS)
    right = sum(area[INDEX[f"{name}_right"]] for name in _PANELS)
    end, end_area = ("front", front) if front >= rear else ("rear", rear)
    side, side_area = ("left", left) if left >= right else ("right", right)
    if end_area == 0 and side_area == 0:
        return "unknown"
    if end_area < _GRAZED * side_area:
        return f"{side}_side"
    if side_area < _GRAZED * end_area:
        return end
    return f"{end}_{side}"
