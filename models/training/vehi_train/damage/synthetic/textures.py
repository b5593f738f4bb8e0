"""Shapes and grain as float32 arrays [side, side]."""
import cv2
import numpy as np


def clouds(side: int, rng, coarsest: int = 4, persistence: float = 0.55) -> np.ndarray:
    """Generates fractal noise, 0 to 1: random grids of doubling resolution, each `persistence` times as strong as the
    previous one."""
    total, strength, cells = np.zeros((side, side), np.float32), 1.0, coarsest
    while cells < side:
        grid = rng.random((cells, cells), np.float32)
        total += strength * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
        strength, cells = strength * persistence, cells * 2
    total -= total.min()
    return total / total.max()


def blot(side: int, centre: tuple[float, float], radii: tuple[float, float], ragged: float, rng) -> np.ndarray:
    """Generates a patch with a torn outline, 1 inside, 0 outside, soft over a pixel or two. Lengths in pixels."""
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u = ((x - centre[0]) * np.cos(angle) + (y - centre[1]) * np.sin(angle)) / radii[0]
    v = ((y - centre[1]) * np.cos(angle) - (x - centre[0]) * np.sin(angle)) / radii[1]
    height = 1 - (u * u + v * v) + ragged * (clouds(side, rng, coarsest=8) - 0.5)
    slope = 1.5 / min(radii)
    return (height / slope).clip(0, 1) * (height > 0)


def fissure(side: int, start: tuple[float, float], length: float, width: float, rng) -> np.ndarray:
    """Generates a branching crack from `start`: 1 on it, 0 elsewhere. Lengths in pixels."""
    canvas = np.zeros((side, side), np.float32)
    arms = [(np.array(start, np.float64), rng.uniform(0, 2 * np.pi), length, width)]
    while arms:
        point, heading, left, thick = arms.pop()
        while left > 0:
            step = rng.uniform(0.03, 0.09) * length
            heading += rng.normal(0, 0.35)
            ahead = point + step * np.array([np.cos(heading), np.sin(heading)])
            ends = [tuple(int(round(16 * value)) for value in place) for place in (point, ahead)]
            cv2.line(canvas, ends[0], ends[1], 1.0, max(1, round(thick)), cv2.LINE_AA, shift=4)
            point, left = ahead, left - step
            thick *= 0.97
            if len(arms) < 4 and rng.random() < 0.12:
                arms.append((point.copy(), heading + rng.choice([-1, 1]) * rng.uniform(0.5, 1.1), left * 0.5, thick * 0.7))
    return canvas
