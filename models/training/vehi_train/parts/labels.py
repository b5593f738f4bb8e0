"""Part names of the segmenter, ordered as its output channels.

Left and right are the vehicle's, as seen by its driver.
"""

import numpy as np

BACKGROUND = 0
PARTS = (
    "background",
    "front_bumper",
    "rear_bumper",
    "hood",
    "roof",
    "trunk_lid",
    "front_fender_left",
    "front_fender_right",
    "front_door_left",
    "front_door_right",
    "rear_door_left",
    "rear_door_right",
    "quarter_panel_left",
    "quarter_panel_right",
    "windshield",
    "rear_window",
    "headlight_left",
    "headlight_right",
    "taillight_left",
    "taillight_right",
    "mirror_left",
    "mirror_right",
    "wheel",
    "rocker_left",
    "rocker_right",
)
INDEX = {name: index for index, name in enumerate(PARTS)}

# Target values other than parts.
IGNORE = 255  # unknown pixel
VEHICLE = 254  # inside the vehicle's outline, part unknown

# Names of the data set that differ from ours.
_SOURCE = {
    "back_bumper": "rear_bumper",
    "back_glass": "rear_window",
    "back_left_door": "rear_door_left",
    "back_right_door": "rear_door_right",
    "back_left_light": "taillight_left",
    "back_right_light": "taillight_right",
    "front_glass": "windshield",
    "front_left_door": "front_door_left",
    "front_right_door": "front_door_right",
    "front_left_light": "headlight_left",
    "front_right_light": "headlight_right",
    "left_mirror": "mirror_left",
    "right_mirror": "mirror_right",
    "tailgate": "trunk_lid",
    "trunk": "trunk_lid",
}

SIDE_PANELS = tuple(
    INDEX[f"{part}_{side}"]
    for part in ("front_fender", "front_door", "rear_door", "quarter_panel", "rocker")
    for side in ("left", "right")
)


def part_index(source_name: str) -> int:
    """Returns the output channel of a data set class."""
    return INDEX[_SOURCE.get(source_name, source_name)]


def mirrored() -> np.ndarray:
    """Returns the lookup table of 256 target values for a horizontal flip: swaps left and right."""
    table = np.arange(256, dtype=np.uint8)
    for index, name in enumerate(PARTS):
        if name.endswith("_left"):
            other = INDEX[name[: -len("left")] + "right"]
            table[index], table[other] = other, index
    return table


def sided_pairs() -> list[tuple[int, int]]:
    """Returns the (left, right) output channels of every sided part."""
    return [
        (index, INDEX[name[: -len("left")] + "right"])
        for index, name in enumerate(PARTS)
        if name.endswith("_left")
    ]
