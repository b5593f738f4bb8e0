"""Draws one damage of a class onto a panel, preserving the panel's lighting. Pictures are BGR float32, 0 to 255."""
import cv2
import numpy as np

from .textures import blot, clouds, fissure

# Iron oxide from fresh to old, BGR; picked by eye.
RUST = np.array([[44, 78, 128], [34, 58, 98], [26, 38, 62], [62, 96, 128]], np.float32)
PRIMER_AND_METAL = np.array([[150, 150, 148], [175, 178, 180], [120, 118, 116], [205, 205, 200]], np.float32)
SEEN = 0.3  # minimum change of a pixel that belongs to the damage


def light_of(picture: np.ndarray, panel: np.ndarray) -> np.ndarray:
    """Computes the illumination relative to the panel's median: the picture's shading without its grain."""
    grey = cv2.GaussianBlur(picture.mean(-1), (0, 0), 3)
    return (grey / max(float(np.median(grey[panel > 0])), 1.0)).clip(0.45, 1.25)


def rust(picture, panel, place, size, rng):
    """Draws merging spots, brown, rough and dark in the middle, with a rim of lifted paint and a faint stain."""
    side = picture.shape[0]
    cover = np.zeros((side, side), np.float32)
    along = _edge_direction(panel, place)
    for _ in range(int(rng.integers(2, 8))):
        centre = np.array(place) + along * rng.normal(0, 0.45 * size) + rng.normal(0, 0.1 * size, 2)
        radius = size * rng.uniform(0.08, 0.3)
        cover = np.maximum(cover, blot(side, centre, (radius, radius * rng.uniform(0.3, 1)), rng.uniform(1.8, 3.4), rng))
    fine = clouds(side, rng, coarsest=32, persistence=0.9)
    depth = clouds(side, rng, coarsest=12, persistence=0.75)
    first, second = RUST[rng.choice(len(RUST), 2, replace=False)]
    colour = (first + (second - first) * depth[..., None]) * rng.uniform(0.7, 1.2) * (0.45 + 1.1 * fine[..., None])
    rim = (cv2.dilate(cover, np.ones((5, 5))) - cover).clip(0, 1) * (panel > 0) * rng.uniform(0, 0.5)
    lifted = picture + (np.roll(picture, (-2, -2), (0, 1)) * 0.6 + 70 - picture) * rim[..., None]
    stain = cv2.GaussianBlur(cover, (0, 0), max(1.0, 0.06 * size)) * rng.uniform(0.05, 0.3)
    return _laid_over(_laid_over(lifted, RUST[0], stain, panel, picture), colour, cover * rng.uniform(0.8, 1), panel, picture), cover


def paint_damage(picture, panel, place, size, rng):
    """Draws peeled paint or clear coat: a flake with a torn edge, down to primer, metal or dull colour, with a shadow
    along its edge."""
    side = picture.shape[0]
    cover = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = np.array(place) + rng.normal(0, 0.25 * size, 2)
        radius = size * rng.uniform(0.2, 0.5)
        cover = np.maximum(cover, blot(side, centre, (radius, radius * rng.uniform(0.25, 0.9)), rng.uniform(0.8, 2.2), rng))
    own = np.median(picture[panel > 0], axis=0)
    if rng.random() < 0.5:
        under = own + (255 - own) * rng.uniform(0.25, 0.65)
        under = under.mean() + (under - under.mean()) * rng.uniform(0.2, 0.8)
    else:
        under = PRIMER_AND_METAL[rng.integers(len(PRIMER_AND_METAL))]
    colour = under * (0.88 + 0.24 * clouds(side, rng, 24, 0.8)[..., None])
    edge = (cover - cv2.erode(cover, np.ones((3, 3)))).clip(0, 1)
    shadow = np.roll(edge, int(rng.choice([-1, 1])), axis=0) * rng.uniform(0.1, 0.4)
    laid = _laid_over(picture, colour, cover * rng.uniform(0.7, 1), panel, picture)
    return laid * (1 - (shadow * (panel > 0))[..., None]), cover


def crack(picture, panel, place, size, rng):
    """Draws a dark branching line with a bright lip; half of the cracks have a gap where a piece has come off."""
    side = picture.shape[0]
    begin = np.array(place) + rng.uniform(-0.4, 0.4, 2) * size
    line = fissure(side, tuple(begin), size * rng.uniform(0.8, 1.3), rng.uniform(1.0, max(2.0, size * 0.05)), rng)
    if rng.random() < 0.5:
        gap = blot(side, tuple(begin), (size * rng.uniform(0.15, 0.4), size * rng.uniform(0.03, 0.12)), rng.uniform(0.8, 2), rng)
        line = np.maximum(line, gap)
    line = cv2.GaussianBlur(line, (0, 0), 0.7)
    lip = np.roll(line, (2, int(rng.choice([-2, 2]))), (0, 1)) * (1 - line) * (panel > 0)
    bright = picture + (255 - picture) * (lip * rng.uniform(0.05, 0.35))[..., None]
    return bright * (1 - line * (panel > 0) * rng.uniform(0.6, 0.92))[..., None], line


DRAW = {"rust": rust, "paint_damage": paint_damage, "crack": crack}


def box_of(cover: np.ndarray, panel: np.ndarray) -> tuple[int, int, int, int] | None:
    """Returns x, y, width, height of a damage's visible pixels; None if there are none."""
    rows, columns = np.nonzero((cover >= SEEN) & (panel > 0))
    if not len(rows):
        return None
    return int(columns.min()), int(rows.min()), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def _edge_direction(panel: np.ndarray, place) -> np.ndarray:
    """Returns the unit vector along the panel's nearest edge, because rust follows seams and wheel arches."""
    depth = cv2.distanceTransform((panel > 0).astype(np.uint8), cv2.DIST_L2, 5)
    smooth = cv2.GaussianBlur(depth, (0, 0), 5)
    x, y = int(place[0]), int(place[1])
    slope = np.array([cv2.Sobel(smooth, cv2.CV_32F, 1, 0)[y, x], cv2.Sobel(smooth, cv2.CV_32F, 0, 1)[y, x]], np.float64)
    length = float(np.hypot(*slope))
    return np.array([-slope[1], slope[0]]) / length if length > 0.1 else np.array([1.0, 0.0])


def _laid_over(base, colour, cover, panel, picture):
    share = (cover * (panel > 0))[..., None]
    return base * (1 - share) + colour * light_of(picture, panel)[..., None] * share
