"""Augmentation of a crop: reflections, mud, rotation, scaling, lighting, blur and compression."""
import cv2
import numpy as np

from .cuts import SIDE


MIRRORING, DIRTY = 0.4, 0.12  # probabilities per crop
MUD = (90, 120, 150)  # blue, green, red


def weathered(cut: np.ndarray, other: np.ndarray, rng) -> np.ndarray:
    """Returns `cut` (uint8 BGR), often with a reflection of `other`, another crop, sometimes with mud."""
    if rng.random() < MIRRORING:
        cut = _mirroring(cut, other, rng)
    return _dirtied(cut, rng) if rng.random() < DIRTY else cut


def vary(cut: np.ndarray, box, rng) -> tuple[np.ndarray, np.ndarray]:
    """Returns an augmented copy of `cut` (uint8 BGR) and its box (left, top, right, bottom as fractions), transformed
    and jittered."""
    cut, box = _moved(cut, np.array(box) * SIDE, rng)
    width, height = box[2] - box[0], box[3] - box[1]
    box = np.clip(box + rng.uniform(-0.1, 0.1, 4) * [width, height, width, height], 0, 1)
    if rng.random() < 0.5:
        cut, box = cut[:, ::-1], np.array([1 - box[2], box[1], 1 - box[0], box[3]])
    return np.ascontiguousarray(_photographed(_lit(cut, rng), rng)), box


def _mirroring(cut: np.ndarray, other: np.ndarray, rng) -> np.ndarray:
    """Returns `cut` with a faint reflection of `other`, as in polished paint and glass: stretched, soft, in one band,
    added as light."""
    if rng.random() < 0.5:
        other = other[::-1]
    tall, wide = (max(SIDE, round(SIDE * rng.uniform(1.0, 2.5))) for _ in range(2))
    other = cv2.resize(other, (wide, tall), interpolation=cv2.INTER_LINEAR)
    y, x = int(rng.integers(tall - SIDE + 1)), int(rng.integers(wide - SIDE + 1))
    other = cv2.GaussianBlur(np.ascontiguousarray(other[y : y + SIDE, x : x + SIDE]), (0, 0), rng.uniform(0.3, 3.5))
    across = rng.uniform(-1, 1, 2)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / SIDE - rng.uniform(0.2, 0.8, 2)[:, None, None]
    far = np.abs(rows * across[0] + columns * across[1]) / rng.uniform(0.1, 0.6)
    strength = rng.uniform(0.1, 0.5) * np.clip(1.5 - far, 0, 1)[..., None]
    light = other.astype(np.float32) * strength
    return (255 - (255 - cut.astype(np.float32)) * (255 - light) / 255).astype(np.uint8)


def _dirtied(cut: np.ndarray, rng) -> np.ndarray:
    """Returns `cut` with mud splashes and dust."""
    cells = int(rng.integers(4, 60))
    cloud = cv2.resize(rng.random((cells, cells)).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(rng.random((SIDE // 2, SIDE // 2)).astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    cover = np.clip((cloud * 0.7 + fine * 0.3 - rng.uniform(0.5, 0.75)) * rng.uniform(3, 10), 0, 1)[..., None] * rng.uniform(0.2, 0.7)
    colour = np.array(MUD, np.float32) * rng.uniform(0.5, 1.5) * rng.uniform(0.85, 1.15, 3)
    return np.clip(cut * (1 - cover) + colour * cover, 0, 255).astype(np.uint8)


def _moved(cut: np.ndarray, box: np.ndarray, rng) -> tuple[np.ndarray, np.ndarray]:
    degrees = rng.uniform(-8, 8) if rng.random() < 0.3 else 0
    quarter = 90 * int(rng.integers(4)) if rng.random() < 0.08 else 0
    matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), degrees + quarter, rng.uniform(0.8, 1.25))
    matrix[:, 2] += rng.uniform(-0.06, 0.06, 2) * SIDE
    moved = cv2.warpAffine(cut, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    x0, y0, x1, y1 = box
    corners = np.array([[x0, y0, 1], [x1, y0, 1], [x0, y1, 1], [x1, y1, 1]]) @ matrix.T
    return moved, np.array([*corners.min(0), *corners.max(0)]) / SIDE


def _lit(cut: np.ndarray, rng) -> np.ndarray:
    cut = cut.astype(np.float32)
    if rng.random() < 0.8:
        cut = (cut - 128) * rng.uniform(0.7, 1.35) + 128 + rng.uniform(-35, 35)
        cut *= rng.uniform(0.9, 1.1, 3)
    if rng.random() < 0.15:
        cut = np.repeat(cut.mean(2, keepdims=True), 3, 2)
    return np.clip(cut, 0, 255).astype(np.uint8)


def _photographed(cut: np.ndarray, rng) -> np.ndarray:
    if rng.random() < 0.25:
        side = int(SIDE * rng.uniform(0.35, 0.8))
        small = cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA)
        cut = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        cut = cv2.imdecode(cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1], 1)
    if rng.random() < 0.15:
        cut = np.clip(cut + rng.normal(0, rng.uniform(3, 10), cut.shape), 0, 255).astype(np.uint8)
    return cut
