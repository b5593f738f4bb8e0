"""`python3 -m unittest discover tests`: training of the plate detector."""
import json
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import cv2
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.background import in_background
from vehi_train.damage.loss import losses
from vehi_train.picodet import BINS, grid
from vehi_train.plates.dataset import Views, counting
from vehi_train.plates.draw import Place, paste_plate
from vehi_train.plates.labels import PLATE, SIDE_PX, UNDECIDED, Photo, load_photos
from vehi_train.plates.train import LABELS_DIR

FONTS = ["DejaVuSans-Bold.ttf"]
SETTINGS = {"share_with_plate": 0.5, "mosaic": 0.3, "scale": [0.8, 1.5], "words": 0.3, "drawn": 0.5, "fonts": FONTS}


class Drawing(unittest.TestCase):
    def test_plate_is_drawn_where_its_mask_says(self):
        rng = np.random.default_rng(3)
        for _ in range(20):
            pixels, mask = np.full((160, 160, 3), 90, np.uint8), np.zeros((160, 160), np.uint8)
            paste_plate(pixels, mask, Place(80, 80, 60), FONTS, rng)
            changed = (pixels != 90).any(2)
            self.assertGreater(mask.sum(), 0)
            self.assertGreater(changed[mask > 0].mean(), 0.9)
            self.assertLess(changed[mask == 0].mean(), 0.03)


class Labels(unittest.TestCase):
    def test_boxes_follow_the_squeeze_and_validation_vehicles_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                cv2.imwrite(f"{folder}/{name}.png", np.zeros((100, 200, 3), np.uint8))
            image = {"width": 200, "height": 100}
            coco = {
                "images": [
                    {"id": 1, "file_name": "a.png", **image},
                    {"id": 2, "file_name": "b.png", **image, "also_in_validation": True},
                ],
                "annotations": [
                    {"image_id": 1, "bbox": [20, 10, 40, 20], "iscrowd": 0},
                    {"image_id": 1, "bbox": [0, 0, 200, 100], "iscrowd": 1},
                ],
            }
            path = Path(folder, "labels.json")
            path.write_text(json.dumps(coco))
            (photo,) = load_photos(path, Path(folder))
        side = SIDE_PX
        self.assertEqual(photo.picture.shape, (side, side, 3))
        np.testing.assert_allclose(photo.boxes[0], [0.1 * side, 0.1 * side, 0.3 * side, 0.3 * side, PLATE], rtol=1e-5)
        np.testing.assert_allclose(photo.boxes[1], [0, 0, side, side, UNDECIDED])

    def test_shipped_labels_are_sound(self):
        names = {}
        for split in ("train", "val"):
            coco = json.loads((LABELS_DIR / f"plates-{split}.json").read_text())
            images = {image["id"]: image for image in coco["images"]}
            names[split] = [image["file_name"] for image in coco["images"]]
            self.assertEqual(names[split], sorted(set(names[split])))
            for annotation in coco["annotations"]:
                x, y, width, height = annotation["bbox"]
                image = images[annotation["image_id"]]
                self.assertTrue(x >= 0 and y >= 0 and width > 0 and height > 0, annotation)
                self.assertTrue(x + width <= image["width"] and y + height <= image["height"], annotation)
        self.assertFalse(set(names["train"]) & set(names["val"]))


class Training(unittest.TestCase):
    def photos(self):
        grey = np.full((SIDE_PX, SIDE_PX, 3), 128, np.uint8)
        plated = grey.copy()
        plated[200:260, 100:300] = 255
        return [Photo(plated, np.array([[100, 200, 300, 260, PLATE]], np.float32)), Photo(grey, np.zeros((0, 5), np.float32))]

    def test_batches_have_boxes_inside_and_repeat_with_the_seed(self):
        first, again = (
            list(Views(self.photos(), SETTINGS).batches(3, 4, 160, np.random.default_rng(5), False)) for _ in range(2)
        )
        self.assertEqual(len(first), 3)
        boxes = np.concatenate([plates for _, batch, _ in first for plates in batch])
        self.assertGreater(len(boxes), 2)
        self.assertTrue((boxes[:, :4] >= 0).all() and (boxes[:, :4] <= 160).all())
        self.assertTrue((boxes[:, 2:4] > boxes[:, :2]).all())
        for (images, _, counted), (same, _, _) in zip(first, again):
            self.assertEqual((images.shape, counted.shape[0], counted.shape[2]), ((4, 3, 160, 160), 4, 1))
            np.testing.assert_array_equal(images, same)

    def test_what_is_undecided_costs_nothing_as_background(self):
        size = 64
        points, strides = grid(size, size)
        counted = counting(np.array([[0, 0, 32, 64, UNDECIDED]], np.float32), size)[None]
        self.assertEqual(set(counted[0, points[:, 0] < 32, 0]), {0.0})
        self.assertEqual(set(counted[0, points[:, 0] > 32, 0]), {1.0})
        nothing = [np.zeros((0, 5), np.float32)]

        def cost(where):
            logits = torch.full((1, len(points), 1), -8.0)
            logits[0, where] = 4.0
            return float(losses(logits, torch.zeros(1, len(points), 4 * BINS), nothing, counted, points, strides)[0])

        self.assertLess(cost(points[:, 0] < 32), 0.01 * cost(points[:, 0] > 32))


class Background(unittest.TestCase):
    def test_an_error_reaches_the_loop(self):
        def fail():
            raise ValueError("no picture")

        with self.assertRaisesRegex(ValueError, "no picture"):
            list(in_background(fail, 3))


class Config(unittest.TestCase):
    def test_has_what_the_detectors_trainer_reads(self):
        folder = Path(__file__).resolve().parent.parent / "configs"
        damage, plates = (tomllib.loads((folder / f"{name}.toml").read_text())["train"] for name in ("damage", "plates"))
        self.assertEqual(set(damage) - set(plates), {"evaluate_every"})  # plates are evaluated in the product, not during training


if __name__ == "__main__":
    unittest.main()
