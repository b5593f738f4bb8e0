"""Close-ups around boxes, cropped by the product's rule (src/vision/judge/close-up.ts)."""
import cv2
import numpy as np

SIDE = 224          # side of a close-up in px
CONTEXT = 2.0       # side of a close-up relative to the longer side of its box
LEAST_SIDE = 0.12   # minimum side relative to the photo's longer side
BEYOND = (114, 114, 114)


def close_up(picture: np.ndarray, box) -> tuple[np.ndarray, list[float]]:
    """Returns the square around `box` (left, top, right, bottom in pixels of `picture`, uint8 BGR), SIDE px wide, and
    the box as fractions of it. It is shifted into the picture if it fits, else padded with grey."""
    height, width = picture.shape[:2]
    longest = max(height, width)
    side = min(longest, max(CONTEXT * max(box[2] - box[0], box[3] - box[1]), LEAST_SIDE * longest))
    x = _start((box[0] + box[2]) / 2, side, width)
    y = _start((box[1] + box[3]) / 2, side, height)
    within = [(box[0] - x) / side, (box[1] - y) / side, (box[2] - x) / side, (box[3] - y) / side]
    if side <= 1.3 * SIDE:
        scale = SIDE / side
        matrix = np.float32([[scale, 0, -x * scale], [0, scale, -y * scale]])
        return cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=BEYOND), within
    left, top, right, bottom = (round(v) for v in (x, y, x + side, y + side))
    inside = picture[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]
    beyond = (max(0, -top), max(0, bottom - height), max(0, -left), max(0, right - width))
    square = cv2.copyMakeBorder(inside, *beyond, cv2.BORDER_CONSTANT, value=BEYOND)
    return cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA), within


def _start(centre: float, side: float, length: int) -> float:
    return (length - side) / 2 if side > length else min(max(centre - side / 2, 0), length - side)
