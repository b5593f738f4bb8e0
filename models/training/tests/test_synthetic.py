"""Synthetic damage stays on its panel and inside its box, and is reproducible by seed."""
import unittest

import numpy as np

from vehi_train.damage.synthetic.damage import DRAW, SEEN, box_of
from vehi_train.damage.synthetic.textures import blot, clouds, fissure

SIDE = 128


def scene():
    """A grey wall with a lighter panel in the middle."""
    picture = np.full((SIDE, SIDE, 3), 90, np.float32)
    panel = np.zeros((SIDE, SIDE), np.uint8)
    panel[30:100, 20:110] = 1
    picture[panel > 0] = 170
    return picture, panel


class Drawn(unittest.TestCase):
    def drawn(self, label, seed):
        picture, panel = scene()
        return picture, panel, *DRAW[label](picture.copy(), panel, (60.0, 60.0), 40.0, np.random.default_rng(seed))

    def test_nothing_but_the_panel_changes(self):
        for label in DRAW:
            for seed in range(5):
                with self.subTest(label=label, seed=seed):
                    picture, panel, made, _ = self.drawn(label, seed)
                    np.testing.assert_array_equal(made[panel == 0], picture[panel == 0])

    def test_the_box_holds_what_is_seen(self):
        for label in DRAW:
            for seed in range(5):
                with self.subTest(label=label, seed=seed):
                    _, panel, _, cover = self.drawn(label, seed)
                    x, y, width, height = box_of(cover, panel)
                    seen = (cover >= SEEN) & (panel > 0)
                    self.assertEqual(seen[y : y + height, x : x + width].sum(), seen.sum())
                    self.assertTrue(0 <= x and x + width <= SIDE and 0 <= y and y + height <= SIDE)

    def test_something_is_seen_and_is_repeatable(self):
        for label in DRAW:
            with self.subTest(label=label):
                picture, panel, made, _ = self.drawn(label, 3)
                self.assertGreater(np.abs(made - picture)[panel > 0].max(), 30)
                np.testing.assert_array_equal(made, self.drawn(label, 3)[2])

    def test_no_box_off_the_panel(self):
        _, panel = scene()
        self.assertIsNone(box_of(np.zeros((SIDE, SIDE)), panel))


class Textures(unittest.TestCase):
    def test_ranges(self):
        rng = np.random.default_rng(1)
        for texture in (clouds(SIDE, rng), blot(SIDE, (64, 64), (20, 10), 1.5, rng), fissure(SIDE, (64, 64), 40, 2, rng)):
            self.assertGreaterEqual(texture.min(), 0)
            self.assertLessEqual(texture.max(), 1)
            self.assertGreater(texture.max(), 0.5)
