import unittest

import numpy as np

from vehi_train.classifier.missing import AROUND, fit, split, touch


class Missing(unittest.TestCase):
    def test_split(self):
        """A photo's boxes, and photos that repeat each other through a third, stay in one fold."""
        x = np.random.default_rng(1).normal(size=(40, AROUND + 50))
        x[2, AROUND:] = x[1, AROUND:]
        folds = np.array(split(x, ["a", "a", "b", *(str(k) for k in range(37))])).argmax(0)
        self.assertEqual(len(set(folds[:3])), 1)
        self.assertEqual(len(set(folds)), 10)

    def test_fit(self):
        x = np.random.default_rng(2).normal(size=(300, 20))
        x[:, 0] *= 100
        score = fit(x, x[:, 0] + 50 > 0)
        self.assertGreater(np.corrcoef(score(x), x[:, 0])[0, 1], 0.9)
        self.assertGreater(score(x).mean(), 0)

    def test_touch(self):
        for a, b, expected in (([0, 0, 10, 10], [9, 9, 10, 10], False), ([0, 0, 10, 10], [4, 0, 10, 10], True),
                               ([0, 0, 100, 100], [95, 0, 10, 10], True), ([0, 0, 100, 100], [96, 0, 10, 10], False)):
            self.assertEqual(touch(a, b), expected)


if __name__ == "__main__":
    unittest.main()
