"""`python3 -m unittest discover tests`: the detector's training input: boxes, rotation, mixing, extra sets."""
import argparse
import json
import sys
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.context import Context
from vehi_train.damage import augment, prepare
from vehi_train.damage.dataset import load
from vehi_train.damage.labels import LABELS


class Turns(unittest.TestCase):
    def test_a_quarter_turn_keeps_boxes_on_what_they_hold(self):
        picture = np.zeros((40, 40, 3), np.uint8)
        picture[4:10, 20:36] = 255
        for seed in range(8):
            turned, [[x0, y0, x1, y1, label]] = augment.quarter(picture, np.array([[20, 4, 36, 10, 2]], np.float32), np.random.default_rng(seed))
            self.assertEqual(label, 2)
            self.assertTrue((turned[int(y0) : int(y1), int(x0) : int(x1)] == 255).all())
            self.assertEqual((turned > 0).sum(), 3 * (x1 - x0) * (y1 - y0))

    def test_a_turned_box_lies_around_the_turned_ellipse(self):
        matrix = np.array([[0.8, -0.6, 30], [0.6, 0.8, 5]], np.float32)
        [[x0, y0, x1, y1, _]] = augment.moved(np.array([[20, 30, 60, 50, 0]], np.float32), matrix, 200)
        angle = np.linspace(0, 2 * np.pi, 721)
        ellipse = np.stack([40 + 20 * np.cos(angle), 40 + 10 * np.sin(angle)], 1) @ matrix[:, :2].T + matrix[:, 2]
        np.testing.assert_allclose([x0, y0, x1, y1], [*ellipse.min(0), *ellipse.max(0)], atol=0.01)

    def test_boxes_follow_the_picture(self):
        picture = np.zeros((100, 100, 3), np.uint8)
        picture[40:60, 20:50] = 255
        for seed in range(20):
            rng = np.random.default_rng(seed)
            placed, boxes = augment.place(picture, np.array([[20, 40, 50, 60, 1]], np.float32), 80, (0.7, 0.9), rng)
            y, x = np.nonzero(placed[..., 0] > 200)
            self.assertLess(np.abs(boxes[0, :4] - [x.min(), y.min(), x.max() + 1, y.max() + 1]).max(), 2.5)


class Mixed(unittest.TestCase):
    def test_both_boxes_hold_and_only_what_both_label_is_background(self):
        first = (np.full((4, 4, 3), 200, np.uint8), np.array([[0, 0, 2, 2, 0]], np.float32), np.array([[1, 1, 0]], np.float32))
        second = (np.full((4, 4, 3), 100, np.uint8), np.array([[1, 1, 3, 3, 2]], np.float32), np.array([[1, 0, 1]], np.float32))
        picture, boxes, labelled = augment.mixed(first, second, np.random.default_rng(3))
        self.assertEqual(boxes[:, 4].tolist(), [0, 2])
        self.assertEqual(labelled.tolist(), [[1, 0, 0]])
        self.assertTrue(100 < picture.mean() < 200)


class ExtraSets(unittest.TestCase):
    """A data folder with one picture per split, and an adjacent folder with another training picture."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for base, split, source in (("data", "train", "real"), ("data", "val", "real"), ("rendered", "train", "rendered")):
            self.write_set(self.root / base, split, source)
        for name in ("kept", "trained"):
            (self.root / "data/parts/train").mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(self.root / f"data/parts/train/{name}.webp"), np.zeros((8, 8, 3), np.uint8))

    def write_set(self, base: Path, split: str, source: str) -> None:
        (base / "damage" / split).mkdir(parents=True)
        cv2.imwrite(str(base / "damage" / split / "1.png"), np.full((10, 20, 3), 90, np.uint8))
        image = {"id": 1, "file_name": "1.png", "width": 20, "height": 10, "labelled": ["rust"], "source": source}
        categories = [{"id": 5, "name": "rust"}]  # different ids: names are matched
        boxes = [{"image_id": 1, "category_id": 5, "bbox": [5, 0, 10, 5]}]
        (base / "damage" / f"{split}.json").write_text(
            json.dumps({"images": [image], "annotations": boxes, "categories": categories}))

    def context(self, *extra: str, only=None) -> Context:
        config = {"data": {"cache_size": 16, "clean_held_out": 1, "extra": list(extra)}}
        args = argparse.Namespace(only=only, run="r")
        return Context(config, self.root / "data", self.root, self.root / "runs", self.root, args)

    def test_are_trained_on_and_nothing_else(self):
        context = self.context(str(self.root / "rendered"))
        prepare.run(context)
        self.assertEqual([s.source for s in load(context, "train")], ["real", "clean", "rendered"])
        self.assertEqual([s.source for s in load(context, "val")], ["real"])
        last = load(context, "train")[-1]
        self.assertTrue(np.allclose(last.boxes, [[0.25, 0, 0.75, 0.5, LABELS.index("rust")]]))
        self.assertEqual(last.labelled.tolist(), [float(name == "rust") for name in LABELS])
        self.assertEqual([s.source for s in load(self.context(), "train")], ["real", "clean"])

    def test_are_prepared_next_to_what_is_there(self):
        prepare.run(self.context())
        before = (self.root / "runs/cache/damage-train-16.npy").stat().st_mtime_ns
        prepare.run(self.context("../rendered", only=["extra-rendered"]))
        self.assertEqual((self.root / "runs/cache/damage-train-16.npy").stat().st_mtime_ns, before)
        self.assertEqual(len(load(self.context("../rendered"), "train")), 3)

    def test_need_names_of_their_own(self):
        with self.assertRaises(SystemExit):
            prepare.run(self.context("a/rendered", "b/rendered"))
        with self.assertRaises(SystemExit):
            prepare.run(self.context(only=["extra-rendered"]))


if __name__ == "__main__":
    unittest.main()
