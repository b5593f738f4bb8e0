"""Training pictures: views of labelled photos, some with synthetic plates."""

from collections.abc import Iterator

import cv2
import numpy as np

from ..background import in_background
from ..damage import augment
from ..damage.dataset import normalise
from ..picodet import grid
from .draw import Place, paste_plate, write_words
from .labels import PLATE, UNDECIDED, Photo


class Views:
    """Samples photos and augments them to training pictures of a given size."""

    def __init__(self, photos: list[Photo], settings: dict):
        self.photos = photos
        self.settings = settings
        plated = np.array([(photo.boxes[:, 4] == PLATE).any() for photo in photos])
        share = settings["share_with_plate"]
        self.weights = np.where(plated, share / max(plated.sum(), 1), (1 - share) / max((~plated).sum(), 1))
        self.weights /= self.weights.sum()

    def batches(self, count: int, batch_size: int, size: int, rng: np.random.Generator, gentle: bool) -> Iterator[tuple]:
        """Yields `count` batches: images [B,3,size,size], plates [n,5] in pixels, and [B,N,1]: 1 for cells that
        count."""

        def batch():
            views = [self.view(size, rng, gentle) for _ in range(batch_size)]
            images = np.stack([normalise(picture) for picture, _ in views])
            plates = [boxes[boxes[:, 4] == PLATE] for _, boxes in views]
            counted = np.stack([counting(boxes[boxes[:, 4] == UNDECIDED], size) for _, boxes in views])
            return images, plates, counted

        return in_background(batch, count)

    def view(self, size: int, rng: np.random.Generator, gentle: bool) -> tuple[np.ndarray, np.ndarray]:
        """Returns a picture (BGR) and its boxes [n,5]. `gentle` (the last phase): no mosaic, no synthetic plates."""
        settings = self.settings
        if not gentle and rng.random() < settings["mosaic"]:
            picture, boxes = self._mosaic(size, rng)
        else:
            photo = self._draw(rng)
            picture, boxes = augment.place(photo.picture, photo.boxes, size, settings["scale"], rng)
        if not gentle and rng.random() < settings["words"]:
            picture = _on_rgb(picture, lambda pixels: write_words(pixels, settings["fonts"], rng))
        if not gentle and rng.random() < settings["drawn"]:
            picture, boxes = self._with_drawn(picture, boxes, rng)
        return augment.photograph(picture, rng), boxes.astype(np.float32)

    def _draw(self, rng: np.random.Generator) -> Photo:
        return self.photos[int(rng.choice(len(self.photos), p=self.weights))]

    def _mosaic(self, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Combines four photos, simulating distant plates."""
        half = size // 2
        canvas, moved = np.empty((size, size, 3), np.uint8), []
        for x, y in ((0, 0), (half, 0), (0, half), (half, half)):
            photo = self._draw(rng)
            canvas[y : y + half, x : x + half], boxes = augment.place(photo.picture, photo.boxes, half, (0.9, 1.5), rng)
            moved.append(boxes + np.array([x, y, x, y, 0], np.float32))
        return canvas, np.concatenate(moved)

    def _with_drawn(self, picture, boxes, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        size = len(picture)
        width = float(np.exp(rng.uniform(np.log(0.04), np.log(0.6)))) * size
        place = Place(float(rng.uniform(0, size)), float(rng.uniform(0, size)), width)
        mask = np.zeros((size, size), np.uint8)
        drawn = _on_rgb(picture, lambda pixels: paste_plate(pixels, mask, place, self.settings["fonts"], rng))
        ys, xs = np.nonzero(mask)
        if not len(xs) or any(mask[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1].any() for x0, y0, x1, y1, _ in boxes):
            return picture, boxes
        box = np.array([[xs.min(), ys.min(), xs.max() + 1, ys.max() + 1, PLATE]], np.float32)
        return drawn, np.concatenate([boxes, box])


def counting(undecided: np.ndarray, size: int) -> np.ndarray:
    """Returns [N,1]: 0 for cells with their centre in an ignored box [n,5], 1 elsewhere."""
    points = grid(size, size)[0].numpy()[:, None]
    inside = (points > undecided[None, :, :2]).all(-1) & (points < undecided[None, :, 2:4]).all(-1)
    return (~inside.any(1, keepdims=True)).astype(np.float32)


def _on_rgb(picture: np.ndarray, work) -> np.ndarray:
    pixels = np.ascontiguousarray(picture[..., ::-1])
    work(pixels)
    return np.ascontiguousarray(pixels[..., ::-1])
