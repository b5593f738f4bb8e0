"""`python3 -m unittest discover tests`: statistics of a mean of two models."""
import sys
import unittest
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.damage.soup import measure_statistics


class Statistics(unittest.TestCase):
    def test_are_those_of_all_batches_and_nothing_before(self):
        norm = torch.nn.BatchNorm2d(1)
        norm.running_mean.fill_(99.0)
        batches = [(np.full((2, 1, 2, 2), value, np.float32), None, None) for value in (1.0, 3.0)]
        measure_statistics(norm, batches)
        self.assertAlmostEqual(float(norm.running_mean), 2.0, places=5)
        self.assertFalse(norm.training)


if __name__ == "__main__":
    unittest.main()
