"""`python3 -m unittest discover tests`: what the plate finder's training rests on."""
import sys
import unittest
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.plates.draw import Place, paste_plate
from vehi_train.plates.train import counting, plate_loss

FONTS = ["DejaVuSans-Bold.ttf"]


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


class Loss(unittest.TestCase):
    def test_right_answer_costs_less(self):
        shares = torch.zeros(1, 8, 8)
        shares[0, 2:4, 2:6] = 1
        right, wrong = (shares * 2 - 1) * 6, (1 - shares * 2) * 6
        everywhere = torch.ones_like(shares)
        self.assertLess(plate_loss(right, shares, everywhere), plate_loss(wrong, shares, everywhere))

    def test_unlabelled_find_counts_neither_way(self):
        shares, logits = torch.zeros(1, 16, 16), torch.full((1, 16, 16), -6.0)
        shares[0, 2:4, 2:6] = 1
        logits[0, 10:12, 10:14] = 6
        counts = counting(logits, shares, 0.35)
        self.assertEqual(counts[0, 11, 12], 0)
        self.assertEqual(counts[0, 3, 3], 1)
        self.assertEqual(counts[0, 0, 15], 1)
        self.assertTrue((counting(logits, shares, 1.0) == 1).all())


if __name__ == "__main__":
    unittest.main()
