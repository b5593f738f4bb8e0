"""`python3 -m unittest discover tests`: training and evaluation of the segmenter."""
import sys
import unittest
from pathlib import Path

import cv2
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.parts.by_eye import outlines_of, paint
from vehi_train.parts.augment import augment, before_scene, far_window
from vehi_train.parts.dataset import Photo
from vehi_train.parts.labels import BACKGROUND, IGNORE, INDEX, PARTS, VEHICLE, mirrored, part_index
from vehi_train.parts.loss import segmentation_loss
from vehi_train.parts.metrics import PartsScore
from vehi_train.parts.mirror import MirrorMean
from vehi_train.parts.one_side import settle_sides
from vehi_train.parts.view import view_of

LEFT, RIGHT = INDEX["front_door_left"], INDEX["front_door_right"]
NOTHING_UNLABELLED = np.zeros(len(PARTS), bool)


def areas(**shares: float) -> np.ndarray:
    table = np.zeros(256)
    for name, share in shares.items():
        table[INDEX[name]] = share
    return table


def sure_of(part: int, height: int = 4, width: int = 4) -> torch.Tensor:
    logits = torch.zeros(1, len(PARTS), height, width)
    logits[:, part] = 12.0
    return logits


class Labels(unittest.TestCase):
    def test_a_mirror_image_swaps_the_vehicles_sides(self):
        table = mirrored()
        self.assertEqual(table[LEFT], RIGHT)
        self.assertEqual(table[INDEX["hood"]], INDEX["hood"])
        self.assertEqual((table[IGNORE], table[VEHICLE]), (IGNORE, VEHICLE))
        np.testing.assert_array_equal(table[table], np.arange(256))

    def test_names_of_the_data_set(self):
        for source, ours in (("back_left_door", "rear_door_left"), ("tailgate", "trunk_lid"), ("roof", "roof")):
            self.assertEqual(part_index(source), INDEX[ours])


class ByEye(unittest.TestCase):
    def test_outlines_make_the_target_again(self):
        target = np.full((416, 416), BACKGROUND, np.uint8)
        cv2.rectangle(target, (40, 60), (380, 400), LEFT, -1)
        cv2.circle(target, (200, 200), 70, RIGHT, -1)
        cv2.circle(target, (200, 200), 30, IGNORE, -1)
        self.assertGreater((paint(outlines_of(target), 416) == target).mean(), 0.995)

    def test_what_no_outline_covers_is_not_judged(self):
        target = paint([["hood", [[0, 0], [50, 0], [50, 100], [0, 100]]], ["ignore", [[0, 0], [10, 0], [10, 100], [0, 100]]]], 100)
        self.assertEqual((target[50, 5], target[50, 30], target[50, 80]), (IGNORE, INDEX["hood"], IGNORE))

    def test_share_of_pixels_with_the_right_name(self):
        target = np.array([[LEFT, LEFT, BACKGROUND, IGNORE]], np.uint8)
        score = PartsScore()
        score.add(np.array([[LEFT, RIGHT, BACKGROUND, LEFT]]), target, NOTHING_UNLABELLED)
        self.assertEqual(score.report()["pixel_accuracy"], 0.5)


class Loss(unittest.TestCase):
    def setUp(self):
        self.weights = torch.ones(len(PARTS))
        self.background = torch.zeros(1, 4, 4, dtype=torch.uint8)
        self.everything_labelled = torch.zeros(1, len(PARTS), dtype=torch.bool)

    def test_an_unlabelled_part_may_stand_on_background(self):
        unlabelled = self.everything_labelled.clone()
        unlabelled[0, INDEX["hood"]] = True
        logits = sure_of(INDEX["hood"])
        excused = sum(segmentation_loss(logits, self.background, unlabelled, self.weights))
        punished = sum(segmentation_loss(logits, self.background, self.everything_labelled, self.weights))
        self.assertLess(excused.item(), 0.1)
        self.assertGreater(punished.item(), 5)

    def test_a_vehicle_pixel_may_be_any_part_but_not_background(self):
        target = torch.full((1, 4, 4), VEHICLE, dtype=torch.uint8)
        for part, low in ((LEFT, True), (INDEX["roof"], True), (BACKGROUND, False)):
            target[0, 0, 0] = part
            entropy, _ = segmentation_loss(sure_of(part), target, self.everything_labelled, self.weights)
            self.assertEqual(entropy.item() < 0.1, low, PARTS[part])

    def test_ignored_pixels_teach_nothing(self):
        target = torch.full((1, 4, 4), IGNORE, dtype=torch.uint8)
        target[0, 0, 0] = LEFT
        logits = torch.randn(1, len(PARTS), 4, 4, requires_grad=True)
        sum(segmentation_loss(logits, target, self.everything_labelled, self.weights)).backward()
        self.assertEqual(logits.grad[0, :, 1:].abs().max().item(), 0)
        self.assertGreater(logits.grad[0, :, 0, 0].abs().max().item(), 0)


class Score(unittest.TestCase):
    def test_by_hand(self):
        """Left door of 8 pixels: 6 found, 2 predicted as right, 2 of background predicted as left; IoU 6 / 10."""
        target = np.zeros((6, 4), np.uint8)
        target[:2] = LEFT
        said = target.copy()
        said[0, :2] = RIGHT
        said[2, :2] = LEFT
        score = PartsScore()
        score.add(said, target, NOTHING_UNLABELLED)
        report = score.report()
        self.assertAlmostEqual(report["iou"]["front_door_left"], 0.6)
        self.assertEqual(report["iou"]["front_door_right"], 0)
        self.assertEqual((report["side_accuracy"], report["side_components"]), (1, 1))
        self.assertAlmostEqual(report["outline_iou"], 0.8)

    def test_what_the_labels_leave_open_is_not_judged(self):
        target = np.zeros((6, 4), np.uint8)
        target[0], target[1], target[2] = LEFT, VEHICLE, IGNORE
        said = np.full((6, 4), INDEX["hood"])
        said[0], said[5] = LEFT, BACKGROUND
        unlabelled = NOTHING_UNLABELLED.copy()
        unlabelled[INDEX["hood"]] = True
        score = PartsScore()
        score.add(said, target, unlabelled)
        self.assertEqual(score.report()["iou"], {"front_door_left": 1.0})


class Sides(unittest.TestCase):
    def test_the_losing_side_goes(self):
        p = np.zeros((len(PARTS), 2, 2))
        p[LEFT], p[INDEX["rear_door_right"]] = 0.4, 0.6
        p[LEFT, 0], p[INDEX["rear_door_right"], 0] = 0.99, 0.01
        settled = settle_sides(p)
        self.assertTrue((settled.argmax(0) == LEFT).all())
        np.testing.assert_allclose(settled.sum(0), 1)

    def test_an_even_vote_settles_nothing(self):
        p = np.zeros((len(PARTS), 2, 2))
        p[LEFT], p[RIGHT] = 0.55, 0.45
        np.testing.assert_array_equal(settle_sides(p), p)

    def test_the_mirror_mean_knows_no_habit(self):
        torch.manual_seed(0)
        model = MirrorMean(torch.nn.Conv2d(3, len(PARTS), 3, padding=1))
        image = torch.randn(1, 3, 8, 8)
        swapped = model(image.flip(3)).flip(3)[:, model.swap]
        torch.testing.assert_close(model(image), swapped)


class View(unittest.TestCase):
    def test_rows(self):
        rows = (
            ({"hood": 0.2, "front_bumper": 0.2}, "front"),
            ({"hood": 0.2, "front_bumper": 0.2, "front_door_left": 0.05}, "front"),
            ({"hood": 0.2, "front_door_left": 0.2}, "front_left"),
            ({"trunk_lid": 0.2, "quarter_panel_right": 0.2}, "rear_right"),
            ({"front_door_right": 0.2, "headlight_right": 0.01}, "right_side"),
            ({"wheel": 0.2}, "unknown"),
        )
        for shares, view in rows:
            self.assertEqual(view_of(areas(**shares)), view, shares)


class Augment(unittest.TestCase):
    def test_targets_follow_the_picture(self):
        """A picture whose right half is a bright panel: pixels labelled as the panel stay bright."""
        pixels = np.zeros((128, 128, 3), np.uint8)
        target = np.zeros((128, 128), np.uint8)
        pixels[:, 64:], target[:, 64:] = 255, LEFT
        photo = Photo("test", pixels, target, NOTHING_UNLABELLED)
        seen = set()
        for seed in range(12):
            sample = augment(photo, photo, 64, 4, np.random.default_rng(seed))
            door = np.isin(sample.target, (LEFT, RIGHT))
            seen |= set(np.unique(sample.target[door]).tolist())
            if door.any() and (sample.target == BACKGROUND).sum() > 20:
                cells = sample.pixels.reshape(16, 4, 16, 4, 3).mean((1, 3, 4))
                self.assertGreater(cells[door].mean(), cells.mean())
        self.assertEqual(seen, {LEFT, RIGHT})

    def test_a_far_vehicle_is_whole_small_and_where_its_target_is(self):
        pixels, target = np.zeros((100, 160, 3), np.uint8), np.zeros((100, 160), np.uint8)
        pixels[30:80, 20:140], target[30:80, 20:140] = 255, LEFT
        photo = Photo("test", pixels, target, NOTHING_UNLABELLED)
        for seed in range(20):
            with self.subTest(seed=seed):
                matrix = far_window(target, 256, False, np.random.default_rng(seed))[:2]
                seen = cv2.warpAffine(target, matrix, (256, 256), flags=cv2.INTER_NEAREST)
                ys, xs = np.nonzero(seen)
                self.assertTrue(0.15 < np.ptp(xs) / 256 < 1.0)
                self.assertAlmostEqual(np.ptp(xs) / 120, np.linalg.norm(matrix[:, 0]), delta=0.05)
                shown = before_scene(cv2.warpAffine(pixels, matrix, (256, 256)), (seen > 0).astype(np.float32), photo, np.random.default_rng(seed))
                self.assertGreater(shown[seen > 0].mean(), 230)


if __name__ == "__main__":
    unittest.main()
