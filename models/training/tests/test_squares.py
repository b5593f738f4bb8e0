import unittest

import numpy as np
import torch

from vehi_train.squares.export import OnFeatures
from vehi_train.squares.model import Head, cut_in_squares
from vehi_train.squares.prepare import mark
from vehi_train.squares.trunk import CELLS, Projection


class Mark(unittest.TestCase):
    def test_small_boxes_weigh_more_and_doubtful_ones_nothing(self):
        damage, weight = mark({"boxes": [["dent", 50, 50, 53, 53], ["scratch?", 0, 0, 25, 25], ["scratch", 0, 0, 12.5, 12.5]]}, 0.5)
        self.assertEqual(damage.sum(), 1 + 16)
        self.assertEqual(weight[14, 14], 8)
        self.assertEqual(weight[5, 5], 0)
        self.assertEqual(weight[0, 0], 2)
        self.assertEqual(weight[20, 20], 1)


class Squares(unittest.TestCase):
    def test_are_cut_row_by_row(self):
        photo = torch.arange(16).reshape(1, 4, 4)
        self.assertEqual(cut_in_squares(photo, 2)[1].tolist(), [[2, 3], [6, 7]])
        self.assertEqual(cut_in_squares(photo[..., None], 2).shape, (4, 2, 2, 1))

    def test_the_exported_head_sees_what_the_trained_one_learned_on(self):
        rng = np.random.default_rng(1)
        made = lambda n, count: (rng.normal(size=n).astype(np.float32), rng.normal(size=(n, count)).astype(np.float32))
        projection, head = Projection(made(512, 5), made(1024, 7)), Head(12, 8).eval()
        low, high = rng.normal(size=(512, 4 * CELLS**2)).astype(np.float32), rng.normal(size=(1024, CELLS**2)).astype(np.float32)
        learned = torch.sigmoid(head(torch.from_numpy(projection(low, high)).permute(2, 0, 1)[None]))
        exported = OnFeatures(head, projection)(
            torch.from_numpy(low).reshape(1, 512, 2 * CELLS, 2 * CELLS), torch.from_numpy(high).reshape(1, 1024, CELLS, CELLS))
        np.testing.assert_allclose(exported.detach(), learned.detach(), atol=1e-4)


if __name__ == "__main__":
    unittest.main()
