"""Augmentation of one picture (uint8 BGR) and its boxes [n,5] (x0 y0 x1 y1 class, in pixels)."""
import cv2
import numpy as np

GREY = (114, 114, 114)
LEAST_VISIBLE = 0.25  # minimum visible fraction of a box that is kept
LEAST_SIDE_PX = 3


def place(picture, boxes, size: int, scale: tuple[float, float], rng, background=None, turn_degrees: float = 0.0):
    """Scales, stretches, shifts, rotates by up to `turn_degrees` and randomly mirrors `picture` into a square of `size`
    pixels.

    `scale` is the range of picture side / square side. A smaller picture is padded with `background` or grey.
    """
    factor = np.exp(rng.uniform(*np.log(scale))) * size / picture.shape[0]
    aspect = np.exp(rng.uniform(-0.2, 0.2))
    sx, sy = factor * aspect, factor / aspect
    width, height = picture.shape[1] * sx, picture.shape[0] * sy
    tx = rng.uniform(min(0, size - width), max(0, size - width))
    ty = rng.uniform(min(0, size - height), max(0, size - height))
    matrix = np.array([[sx, 0, tx], [0, sy, ty]], np.float32)
    if rng.random() < 0.5:
        matrix[0] = [-sx, 0, tx + width]
    if turn_degrees:
        matrix = _turned(matrix, (tx + width / 2, ty + height / 2), rng.uniform(-turn_degrees, turn_degrees))
    if background is None:
        placed = cv2.warpAffine(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=GREY)
    else:
        placed = cv2.resize(background, (size, size), interpolation=cv2.INTER_AREA)
        cv2.warpAffine(picture, matrix, (size, size), placed, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    return placed, moved(boxes, matrix, size)


def mixed(one, other, rng):
    """Blends two views (picture, boxes, labelled mask), after Zhang et al. 2018 ("mixup").

    The result has the boxes of both. A class only counts as labelled if both label it, because unlabelled damage of
    either remains visible.
    """
    share = rng.beta(8.0, 8.0)
    picture = cv2.addWeighted(one[0], share, other[0], 1 - share, 0)
    return picture, np.concatenate([one[1], other[1]]), np.minimum(one[2], other[2])


def quarter(picture, boxes, rng):
    """Rotates `picture` (square) and its boxes by 90, 180 or 270 degrees, because panel close-ups have no fixed
    orientation."""
    side = picture.shape[0]
    for _ in range(int(rng.integers(1, 4))):
        picture = np.rot90(picture)
        boxes = np.stack([boxes[:, 1], side - boxes[:, 2], boxes[:, 3], side - boxes[:, 0], boxes[:, 4]], 1)
    return np.ascontiguousarray(picture), boxes


def _turned(matrix, centre: tuple[float, float], degrees: float):
    """Returns `matrix` [2,3] followed by a rotation about `centre`."""
    turn = cv2.getRotationMatrix2D(centre, degrees, 1.0)
    return (turn @ np.vstack([matrix, [0, 0, 1]])).astype(np.float32)


def moved(boxes, matrix, size: int):
    """Returns the boxes of the transformed ellipses inscribed in the old boxes; the box around a rotated box would be
    too loose."""
    if not len(boxes):
        return boxes
    centre = np.stack([boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]], 1) / 2 @ matrix[:, :2].T + matrix[:, 2]
    half = np.stack([boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]], 1) / 2
    half = np.sqrt((half**2) @ (matrix[:, :2] ** 2).T)
    x = np.stack([centre[:, 0] - half[:, 0], centre[:, 0] + half[:, 0]], 1)
    y = np.stack([centre[:, 1] - half[:, 1], centre[:, 1] + half[:, 1]], 1)
    whole = (x[:, 1] - x[:, 0]) * (y[:, 1] - y[:, 0])
    x, y = x.clip(0, size), y.clip(0, size)
    width, height = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]
    kept = (width > LEAST_SIDE_PX) & (height > LEAST_SIDE_PX) & (width * height > LEAST_VISIBLE * whole)
    return np.stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1], boxes[:, 4]], 1)[kept]


def photograph(picture, rng):
    """Simulates camera and light: colour, exposure, night, glare, blur, noise, JPEG."""
    picture = _colour(picture, rng)
    if rng.random() < 0.05:
        picture = _glare(picture, rng)
    if rng.random() < 0.15:
        picture = _blur(picture, rng)
    if rng.random() < 0.08:
        noise = rng.normal(0, rng.uniform(3, 12), (*picture.shape[:2], 1)).astype(np.float32)
        picture = (picture + noise).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 80))]
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)
    return picture


def _colour(picture, rng):
    levels = np.arange(256, dtype=np.float32)
    hue_shift = rng.uniform(-4, 4) + (rng.uniform(-90, 90) if rng.random() < 0.3 else 0)
    night = rng.random() < 0.05
    gain = rng.uniform(0.25, 0.5) if night else rng.uniform(0.6, 1.35)
    gamma = np.exp(rng.uniform(-0.25, 0.25))
    hue = ((levels + hue_shift) % 180).astype(np.uint8)
    saturation = (levels * rng.uniform(0.5, 1.4)).clip(0, 255).astype(np.uint8)
    value = (255 * (levels / 255) ** gamma * gain).clip(0, 255).astype(np.uint8)
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    table = np.stack([hue, saturation, value], -1)[None]
    return cv2.cvtColor(cv2.LUT(hsv, table), cv2.COLOR_HSV2BGR)


def _glare(picture, rng):
    height, width = picture.shape[:2]
    layer = np.zeros((height, width), np.float32)
    centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    axes = (int(rng.uniform(0.03, 0.2) * width), int(rng.uniform(0.02, 0.1) * height))
    cv2.ellipse(layer, centre, axes, rng.uniform(0, 180), 0, 360, float(rng.uniform(80, 220)), -1)
    layer = cv2.blur(layer, (2 * (width // 24) + 1,) * 2)
    return (picture + layer[..., None]).clip(0, 255).astype(np.uint8)


def _blur(picture, rng):
    if rng.random() < 0.5:
        return cv2.GaussianBlur(picture, (3, 3) if rng.random() < 0.6 else (5, 5), 0)
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())
