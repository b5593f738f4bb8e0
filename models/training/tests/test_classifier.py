import unittest

import numpy as np
import torch

from vehi_train.classifier.augment import vary, weathered
from vehi_train.classifier.candidates import examples_of
from vehi_train.classifier.cuts import SIDE, close_up
from vehi_train.classifier.evaluate import area_under_roc
from vehi_train.classifier.prepare import labels_of
from vehi_train.classifier.model import Classifier, cells_inside

SETTINGS = {"least_score": 0.03, "most_of_photo": 4, "most_wrong": 3, "most_missed": 3}


class CloseUp(unittest.TestCase):
    """Expects the same figures as test/unit/vision/judge/close-up.test.ts."""

    def test_rule(self):
        picture = np.zeros((500, 1000, 3), np.uint8)
        for box, (x, y, side) in (
            ((400, 200, 500, 260), (350, 130, 200)),
            ((500, 250, 510, 260), (445, 195, 120)),
            ((0, 440, 60, 500), (0, 380, 120)),
            ((300, 100, 650, 400), (125, -100, 700)),
            ((100, 0, 900, 500), (0, -250, 1000)),
        ):
            cut, within = close_up(picture, box)
            self.assertEqual(cut.shape, (SIDE, SIDE, 3))
            wanted = [(box[0] - x) / side, (box[1] - y) / side, (box[2] - x) / side, (box[3] - y) / side]
            np.testing.assert_allclose(within, wanted)

    def test_shows_the_box(self):
        for side in (40, 300):
            picture = np.zeros((600, 800, 3), np.uint8)
            picture[100 : 100 + side, 200 : 200 + side] = 255
            cut, (x0, y0, x1, y1) = close_up(picture, (200, 100, 200 + side, 100 + side))
            white = np.argwhere(cut[..., 0] > 128)
            np.testing.assert_allclose(white.min(0), [y0 * SIDE, x0 * SIDE], atol=1.5)
            np.testing.assert_allclose(white.max(0) + 1, [y1 * SIDE, x1 * SIDE], atol=1.5)


class Labels(unittest.TestCase):
    LINES = {
        "sure.webp": {"file": "sure.webp", "boxes": [["dent", 10, 20, 30, 40], ["rust?", 50, 50, 60, 60]], "clean": False},
        "left-out.webp": {"file": "left-out.webp", "skip": "a drawing"},
    }

    def test_are_those_drawn_by_eye(self):
        record = {"file": "/data/sure.webp", "boxes": [], "labelled": [True] * 6 + [False, True]}
        self.assertEqual(labels_of(record, self.LINES), ([[0.1, 0.2, 0.3, 0.4, 1]], [[0.5, 0.5, 0.6, 0.6, 6]]))

    def test_of_pictures_nobody_looked_at_count_if_complete(self):
        record = {"file": "/data/clean.webp", "boxes": [], "labelled": [True] * 8}
        self.assertEqual(labels_of(record, self.LINES), ([], []))
        self.assertIsNone(labels_of({**record, "labelled": [True] * 7 + [False]}, self.LINES))
        self.assertIsNone(labels_of({**record, "file": "/data/left-out.webp"}, self.LINES))


class Examples(unittest.TestCase):
    def test_right_wrong_and_missed(self):
        found = np.array([
            [0.1, 0.1, 0.3, 0.3, 0.9, 1],    # touches the first label
            [0.11, 0.1, 0.3, 0.3, 0.8, 0],   # same location
            [0.6, 0.6, 0.7, 0.7, 0.5, 7],    # false positive
            [0.0, 0.0, 1.0, 1.0, 0.4, 7],    # ignored: far too large
            [0.8, 0.1, 0.9, 0.2, 0.01, 0],   # very unlikely
        ])
        labels = [[0.12, 0.12, 0.28, 0.28, 0], [0.4, 0.8, 0.5, 0.9, 3]]
        examples = examples_of(found, labels, [], SETTINGS)
        self.assertEqual([(one["damage"], one["kind"], one["missed"]) for one in examples],
                         [(1, 0, False), (0, 7, False), (1, 3, True)])

    def test_what_is_doubtful_counts_neither_way(self):
        found = np.array([[0.1, 0.1, 0.3, 0.3, 0.9, 1], [0.6, 0.6, 0.7, 0.7, 0.5, 7]])
        doubtful = [[0.1, 0.1, 0.3, 0.3, 0]]
        self.assertEqual([one["damage"] for one in examples_of(found, [], doubtful, SETTINGS)], [0])
        self.assertEqual([one["damage"] for one in examples_of(found, [[0.2, 0.2, 0.35, 0.35, 0]], doubtful, SETTINGS)], [1, 0])

    def test_no_more_than_the_settings_say(self):
        found = np.array([[k / 20, 0, k / 20 + 0.02, 0.02, 0.5, 0] for k in range(20)])
        self.assertEqual(len(examples_of(found, [], [], SETTINGS)), 4)
        self.assertEqual(len(examples_of(found, [[0.9, 0.9, 0.95, 0.95, 0]], [], SETTINGS)), 4)


class Network(unittest.TestCase):
    def test_cells_hold_the_centre_of_the_smallest_box(self):
        centres = (torch.arange(14) + 0.5) / 14
        self.assertEqual(cells_inside(torch.tensor([[0.0, 0.0, 1.0, 1.0]]), centres).sum(), 196)
        self.assertEqual(cells_inside(torch.tensor([[0.5, 0.5, 0.501, 0.501]]), centres).sum(), 1)

    def test_answers_and_learns_the_last_stage_only(self):
        torch.manual_seed(1)
        model = Classifier().eval()
        logits = model(torch.zeros(2, 3, SIDE, SIDE), torch.tensor([[0.2, 0.2, 0.8, 0.8]] * 2))
        self.assertEqual(tuple(logits.shape), (2, 9))
        logits.sum().backward()
        self.assertIsNone(model.trunk.c0.weight.grad)
        self.assertIsNotNone(model.trunk.s[2][0].c1.weight.grad)

    def test_area_under_roc(self):
        self.assertEqual(area_under_roc(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0, 0, 1, 1])), 1)
        self.assertEqual(area_under_roc(np.array([0.1, 0.9, 0.3, 0.4]), np.array([1, 0, 0, 1])), 0.25)

    def test_what_is_mirrored_adds_light_and_mud_covers_in_part(self):
        """About half of the crops stay unchanged; the others stay similar to the original."""
        cut, other = np.full((SIDE, SIDE, 3), 100, np.uint8), np.full((SIDE, SIDE, 3), 250, np.uint8)
        seen = [weathered(cut, other, np.random.default_rng(seed)) for seed in range(60)]
        unchanged = sum(bool((one == cut).all()) for one in seen)
        self.assertTrue(20 <= unchanged <= 45, unchanged)
        lit = [one for one in seen if (one >= cut).all() and (one > cut).any()]
        self.assertGreater(len(lit), 10)
        self.assertTrue(all(abs(float(one.mean()) - 100) < 80 for one in seen))

    def test_views_keep_the_box_on_what_it_is_about(self):
        cut = np.zeros((SIDE, SIDE, 3), np.uint8)
        cut[60:120, 80:160] = 255
        rng = np.random.default_rng(4)
        for _ in range(20):
            view, (x0, y0, x1, y1) = vary(cut, [80 / SIDE, 60 / SIDE, 160 / SIDE, 120 / SIDE], rng)
            inside = view[int(y0 * SIDE) : int(np.ceil(y1 * SIDE)), int(x0 * SIDE) : int(np.ceil(x1 * SIDE))]
            self.assertGreater(inside.mean(), view.mean() + 40)


if __name__ == "__main__":
    unittest.main()
