"""Augmentation of training pictures: crops down to one panel, mirroring, night, blur, JPEG, other backgrounds."""

from dataclasses import dataclass

import cv2
import numpy as np

from .dataset import Photo
from .labels import IGNORE, mirrored

_MIRRORED = mirrored()


@dataclass(frozen=True)
class Sample:
    """One training picture at input size with its target at output size."""

    pixels: np.ndarray  # S x S x 3, RGB, uint8
    target: np.ndarray  # S/stride x S/stride, uint8
    unlabelled: np.ndarray  # bool per part


def augment(
    photo: Photo, backdrop: Photo, size: int, stride: int, rng: np.random.Generator, far_share: float = 0.0
) -> Sample:
    """Returns a random view of `photo`. `backdrop` sometimes replaces the background, and always does for far views."""
    pixels, target = photo.pixels, photo.target
    far = far_share > 0 and rng.random() < far_share
    if not far and rng.random() < 0.15:
        pixels, target = _on_backdrop(pixels, target, backdrop, rng)
    flip = rng.random() < 0.5
    matrix = far_window(target, size, flip, rng) if far else _window(target, size, flip, rng)
    border = tuple(int(value) for value in rng.integers(0, 256, 3))
    pixels = cv2.warpAffine(pixels, matrix[:2], (size, size), flags=cv2.INTER_AREA if far else cv2.INTER_LINEAR, borderValue=border)
    if far:
        pixels = before_scene(pixels, cv2.warpAffine((target > 0).astype(np.float32), matrix[:2], (size, size)), backdrop, rng)
    small = np.diag([1 / stride, 1 / stride, 1.0])
    small[:2, 2] = 0.5 / stride - 0.5  # keeps pixel centres aligned
    target = cv2.warpAffine(
        target,
        (small @ matrix)[:2],
        (size // stride, size // stride),
        flags=cv2.INTER_NEAREST,
        borderValue=0,
    )
    unlabelled = photo.unlabelled
    if flip:
        target = _MIRRORED[target]
        unlabelled = unlabelled[_MIRRORED[: len(unlabelled)]]
    pixels = light(pixels, rng)
    if rng.random() < 0.12:
        pixels, target = _occlude(pixels, target, stride, rng)
    return Sample(camera(pixels, rng), target, unlabelled)


def _window(target: np.ndarray, size: int, flip: bool, rng: np.random.Generator) -> np.ndarray:
    """Returns the 3 x 3 matrix from photo to input pixels: the whole photo or a crop on the vehicle."""
    height, width = target.shape
    ys, xs = np.nonzero((target > 0) & (target != IGNORE))
    if rng.random() < 0.45 or len(xs) == 0:
        span = np.exp(rng.uniform(np.log(0.75), np.log(1.3))) * np.array([width, height], float)
        centre = np.array([width, height]) * (0.5 + rng.uniform(-0.12, 0.12, 2))
    else:
        vehicle = np.array([np.ptp(xs), np.ptp(ys)], float) + 1
        share = np.exp(rng.uniform(np.log(0.25), np.log(1.0)))
        # Between the vehicle's aspect ratio and a square, as in typical close-ups.
        span = share * vehicle.max() * (vehicle / vehicle.max()) ** rng.uniform(0.0, 1.0)
        pick = rng.integers(len(xs))
        centre = np.array([xs[pick], ys[pick]], float)
        half = np.minimum(span, [width, height]) / 2
        centre = np.clip(centre, half, np.array([width, height]) - half)
    stretch = np.exp(rng.uniform(-0.22, 0.22))
    span = span * np.array([stretch, 1 / stretch])
    angle = rng.normal(0, 5) * np.pi / 180
    scale = size / span
    shear = rng.normal(0, 0.04)
    spin = np.array([[np.cos(angle), -np.sin(angle) + shear], [np.sin(angle), np.cos(angle)]])
    linear = np.diag(scale) @ spin
    if flip:
        linear = np.diag([-1.0, 1.0]) @ linear
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = size / 2 - linear @ centre
    return matrix


def far_window(target: np.ndarray, size: int, flip: bool, rng: np.random.Generator) -> np.ndarray:
    """Returns the 3 x 3 matrix from photo to input pixels that scales the vehicle to a quarter to three quarters of the
    input."""
    ys, xs = np.nonzero((target > 0) & (target != IGNORE))
    if len(xs) == 0:
        return _window(target, size, flip, rng)
    vehicle = np.array([np.ptp(xs), np.ptp(ys)], float) + 1
    share = np.exp(rng.uniform(np.log(0.25), np.log(0.75)))
    # Photos are squeezed to a square: a portrait makes its vehicle narrower, a landscape flatter.
    squeeze = np.exp(rng.uniform(np.log(0.6), np.log(1.5)))
    scale = size * share / vehicle.max() * np.array([squeeze**0.5, squeeze**-0.5])
    half = scale * vehicle / 2
    centre = np.array([rng.uniform(h, size - h) if h < size / 2 else size / 2 for h in half])
    matrix = np.eye(3)
    matrix[:2, :2] = np.diag(scale * [-1.0 if flip else 1.0, 1.0])
    matrix[:2, 2] = centre - matrix[:2, :2] @ np.array([xs.min() + xs.max(), ys.min() + ys.max()]) / 2
    return matrix


def before_scene(pixels: np.ndarray, outline: np.ndarray, backdrop: Photo, rng: np.random.Generator) -> np.ndarray:
    """Cuts the vehicle out by its outline and places it on another photo's background, or on one colour if that
    background is small."""
    size = len(pixels)
    scene = _widest_strip(backdrop)
    if scene is None:
        scene = np.full((1, 1, 3), rng.integers(0, 256, 3), np.uint8)
    scene = cv2.resize(scene[:, :: 1 if rng.random() < 0.5 else -1].copy(), (size, size), interpolation=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(outline, (3, 3), 0)[..., None]
    return (pixels * soft + scene * (1 - soft)).astype(np.uint8)


def _widest_strip(photo: Photo) -> np.ndarray | None:
    """Returns the largest strip of the photo without its vehicle; None if there is hardly any."""
    height, width = photo.target.shape
    ys, xs = np.nonzero(photo.target > 0)
    if len(xs) == 0:
        return None
    strips = [
        (slice(0, height), slice(0, int(xs.min()))),
        (slice(0, height), slice(int(xs.max()) + 1, width)),
        (slice(0, int(ys.min())), slice(0, width)),
        (slice(int(ys.max()) + 1, height), slice(0, width)),
    ]
    scene = photo.pixels[max(strips, key=lambda part: (part[0].stop - part[0].start) * (part[1].stop - part[1].start))]
    return scene if min(scene.shape[:2]) >= 40 else None


def _on_backdrop(
    pixels: np.ndarray, target: np.ndarray, backdrop: Photo, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Places the vehicle on the background of another photo (its largest strip without a vehicle)."""
    height, width = target.shape
    scene = _widest_strip(backdrop)
    if scene is None:
        return pixels, target
    scene = cv2.resize(scene, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        scene = scene[:, ::-1]
    mask = cv2.GaussianBlur((target > 0).astype(np.float32), (5, 5), 0)[..., None]
    return (pixels * mask + scene * (1 - mask)).astype(np.uint8), target


def light(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Varies paint colour, exposure, white balance, night, shadows and glare."""
    hsv = cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV)
    steps = np.arange(256, dtype=np.float32)
    if rng.random() < 0.4:
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + rng.integers(0, 180)) % 180
    hsv[..., 1] = cv2.LUT(hsv[..., 1], (steps * rng.uniform(0.2, 1.5)).clip(0, 255).astype(np.uint8))
    pixels = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    night = rng.random() < 0.12
    gamma = np.exp(rng.uniform(0.4, 1.0) if night else rng.uniform(-0.45, 0.45))
    contrast, shift = rng.uniform(0.7, 1.25), rng.uniform(-20, 20)
    gains = rng.uniform(0.88, 1.12, 3)
    curve = 255 * (steps / 255) ** gamma
    table = ((curve[:, None] - 128) * contrast + 128 + (0 if night else shift)) * gains
    pixels = cv2.LUT(pixels, table.clip(0, 255).astype(np.uint8)[:, None])
    if rng.random() < 0.25:
        pixels = _shade(pixels, rng)
    if rng.random() < 0.03:
        pixels = cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return pixels


def _shade(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Adds a soft shadow or a glare spot."""
    size = 48
    mask = np.zeros((size, size), np.float32)
    if rng.random() < 0.6:
        corners = rng.integers(-size // 2, size * 3 // 2, (4, 2)).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(corners), 1.0)
        strength = -rng.uniform(0.2, 0.6)
    else:
        centre = tuple(int(value) for value in rng.integers(0, size, 2))
        axes = tuple(int(value) for value in rng.integers(3, size // 3, 2))
        cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        strength = rng.uniform(0.3, 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 4)))
    mask = cv2.resize(mask, pixels.shape[1::-1])[..., None] * strength
    lit = pixels * (1 + mask) if strength < 0 else pixels + (255.0 - pixels) * mask
    return lit.clip(0, 255).astype(np.uint8)


def _occlude(
    pixels: np.ndarray, target: np.ndarray, stride: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Covers the vehicle with a block of one colour; the pixels behind it are ignored."""
    size = pixels.shape[0]
    width, height = (int(value) for value in rng.integers(size // 12, size // 3, 2))
    x, y = int(rng.integers(0, size - width)), int(rng.integers(0, size - height))
    pixels, target = pixels.copy(), target.copy()
    pixels[y : y + height, x : x + width] = rng.integers(0, 256, 3)
    target[y // stride : (y + height) // stride + 1, x // stride : (x + width) // stride + 1] = IGNORE
    return pixels, target


def camera(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Adds blur, lost resolution, noise, JPEG."""
    size = pixels.shape[0]
    if rng.random() < 0.15:
        pixels = cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.5, 2.2)))
    elif rng.random() < 0.1:
        length = int(rng.integers(3, 11))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        reach = (length - 1) / 2
        start = (round(reach - reach * np.cos(angle)), round(reach - reach * np.sin(angle)))
        end = (round(reach + reach * np.cos(angle)), round(reach + reach * np.sin(angle)))
        cv2.line(kernel, start, end, 1.0)
        pixels = cv2.filter2D(pixels, -1, kernel / kernel.sum())
    elif rng.random() < 0.15:
        small = int(size * rng.uniform(0.3, 0.7))
        pixels = cv2.resize(cv2.resize(pixels, (small, small), interpolation=cv2.INTER_AREA), (size, size))
    if rng.random() < 0.2:
        noise = np.empty(pixels.shape, np.int16)
        cv2.setRNGSeed(int(rng.integers(2**31 - 1)))
        cv2.randn(noise, 0, float(rng.uniform(3, 16)))
        pixels = (pixels + noise).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        quality = int(rng.integers(25, 85))
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return pixels
