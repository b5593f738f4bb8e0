"""Splits the photos into training and held-out ones, stratified by view, with near-duplicates on the same side."""

import json

import cv2
import numpy as np

from ..context import PACKAGE_HOME
from .dataset import Photo
from .view import part_areas, view_of

_THUMBNAIL = 24
# Minimum correlation of two thumbnails of the same scene.
_SAME_SCENE = 0.92


def held_out_names(config: dict) -> set[str]:
    """Returns the held-out file names from the config's split file, written by `prepare`."""
    return set(json.loads((PACKAGE_HOME / config["split_file"]).read_text())["held_out"])


def held_out(photos: list[Photo], share: float, seed: int) -> list[str]:
    """Returns the file names of the held-out photos: about `share` of every view."""
    groups = scene_groups(photos)
    views = {photo.name: view_of(part_areas(photo.target)) for photo in photos}
    by_view: dict[str, list[list[str]]] = {}
    for group in groups:
        by_view.setdefault(views[group[0]], []).append(group)
    rng = np.random.default_rng(seed)
    chosen: list[str] = []
    for view in sorted(by_view):
        members = by_view[view]
        wanted = share * sum(len(group) for group in members)
        taken = 0
        for position in rng.permutation(len(members)):
            if taken + len(members[position]) / 2 > wanted:
                continue
            chosen += members[position]
            taken += len(members[position])
    return sorted(chosen)


def scene_groups(photos: list[Photo]) -> list[list[str]]:
    """Returns file names grouped by scene; a mirrored copy belongs to its original's scene."""
    thumbnails = np.stack([_thumbnail(photo.pixels) for photo in photos])
    flipped = np.stack([_thumbnail(photo.pixels[:, ::-1]) for photo in photos])
    alike = np.maximum(thumbnails @ thumbnails.T, thumbnails @ flipped.T) > _SAME_SCENE
    group_of = list(range(len(photos)))
    for first, second in zip(*np.nonzero(alike), strict=True):
        low, high = sorted((group_of[first], group_of[second]))
        group_of = [low if group == high else group for group in group_of]
    return [
        [photo.name for photo, group in zip(photos, group_of, strict=True) if group == wanted]
        for wanted in sorted(set(group_of))
    ]


def _thumbnail(pixels: np.ndarray) -> np.ndarray:
    small = cv2.resize(pixels, (_THUMBNAIL, _THUMBNAIL), interpolation=cv2.INTER_AREA).astype(np.float32)
    flat = (small - small.mean()).reshape(-1)
    return flat / (np.linalg.norm(flat) + 1e-6)
