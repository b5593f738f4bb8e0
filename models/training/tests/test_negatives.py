"""Close-ups of clean cars show the part they are named after, come from training photos, and repeat by seed."""
import json
from pathlib import Path
import tempfile
import unittest

import cv2
import numpy as np

from vehi_train.damage import negatives
from vehi_train.damage.labels import LABELS
from vehi_train.damage.negatives import Cut, close_ups, cut_around, hardest, write
from vehi_train.parts.dataset import Photo
from vehi_train.parts.labels import INDEX, PARTS

WIDTH, HEIGHT = 240, 160
PANE_BLUE = 200


def car(name="a.webp", door=40, mirrored=200):
    """A grey picture with a blue windshield and a panel with a bright reflection over a tenth of it."""
    pixels = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    target = np.zeros((HEIGHT, WIDTH), np.uint8)
    target[20:70, 60:180] = INDEX["windshield"]
    pixels[20:70, 60:180] = (0, 0, PANE_BLUE)
    target[80:150, 30:130] = INDEX["front_door_left"]
    pixels[80:150, 30:130] = door
    pixels[80:87, 30:130] = mirrored
    return Photo(name, pixels, target, np.zeros(len(PARTS), bool))


class CloseUps(unittest.TestCase):
    def test_cut_shows_the_part_at_two_to_four_times(self):
        photo = car()
        pane = photo.target == INDEX["windshield"]
        where = np.zeros_like(photo.pixels)
        where[..., 0], where[..., 1] = np.arange(WIDTH)[None], np.arange(HEIGHT)[:, None]
        where[..., 2] = pane * 255
        for seed in range(30):
            cut = cut_around(where, pane, np.random.default_rng(seed))
            if cut is None:
                continue
            self.assertEqual(cut.shape, (negatives.SIDE_PX, negatives.SIDE_PX, 3))
            shown = np.ptp(cut[..., 0].astype(int)) + 1
            self.assertTrue(WIDTH / 4 - 2 <= shown <= WIDTH / 2 + 2, shown)
            self.assertGreaterEqual((cut[..., 2] > 127).mean(), negatives.LEAST_SHARE - 0.03)

    def test_kinds_are_cut_where_they_are(self):
        for kind, photo, there in [
            ("pane", car(), True),
            ("lamp", car(), False),
            ("dark_panel", car(), True),
            ("dark_panel", car(door=150), False),
            ("dark_panel", car(mirrored=45), False),
        ]:
            with self.subTest(kind=kind):
                cuts = close_ups(kind, [photo], 5, np.random.default_rng(1))
                self.assertEqual(len(cuts), 5 if there else 0)
                self.assertTrue(all(cut.kind == kind and cut.photo == photo.name for cut in cuts))

    def test_every_photo_has_its_turn_and_a_seed_repeats(self):
        photos = [car("a.webp"), car("b.webp"), car("c.webp")]
        first, again = (close_ups("pane", photos, 9, np.random.default_rng(4)) for _ in range(2))
        self.assertEqual({cut.photo for cut in first}, {"a.webp", "b.webp", "c.webp"})
        for one, other in zip(first, again):
            np.testing.assert_array_equal(one.picture, other.picture)

    def test_those_that_fool_the_detector_most_stay(self):
        cuts = [Cut(np.zeros((1, 1, 3), np.uint8), "pane", name) for name in "abcd"]
        self.assertEqual([cut.photo for cut in hardest(cuts, np.array([0.1, 0.7, 0.2, 0.7]), 3)], ["b", "d", "c"])


class Writing(unittest.TestCase):
    def test_listing_names_the_pictures_and_no_damage(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            write(close_ups("pane", [car()], 3, np.random.default_rng(1)), out)
            listing = json.loads((out / "damage" / "train.json").read_text())
            self.assertEqual(listing["annotations"], [])
            self.assertEqual([one["labelled"] for one in listing["images"]], [list(LABELS)] * 3)
            self.assertEqual({one["cut_from"] for one in listing["images"]}, {"a.webp"})
            for one in listing["images"]:
                self.assertIsNotNone(cv2.imread(str(out / "damage" / "train" / one["file_name"])))


if __name__ == "__main__":
    unittest.main()
