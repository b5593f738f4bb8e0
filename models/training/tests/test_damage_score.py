"""`python3 -m unittest discover tests`: scoring, calibration and error analysis of findings."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.damage import average_precision as ap
from vehi_train.damage import calibrate, misses, surest
from vehi_train.damage.dataset import Sample
from vehi_train.damage.labels import LABELS


def sample(boxes, labelled=None) -> Sample:
    mask = np.array([name in (labelled or LABELS) for name in LABELS], np.float32)
    return Sample(np.zeros((8, 8, 3), np.uint8), np.array(boxes, np.float32).reshape(-1, 5), mask, "test")


class SurestWrongFindings(unittest.TestCase):
    def test_by_hand(self):
        """A match and an unlabelled class are not wrong; a misplaced box and a wrong class are, by score,
        descending."""
        truth = sample([[0.1, 0.1, 0.3, 0.3, 1]], ["scratch", "dent"])
        found = np.array([[0.1, 0.1, 0.3, 0.3, 0.9, 1], [0, 0, 1, 1, 0.8, 6], [0.6, 0.6, 0.9, 0.9, 0.4, 1], [0, 0, 0.2, 0.2, 0.5, 0]])
        wrong = surest.wrong_findings([truth], [found])
        self.assertEqual([finding[4] for _, finding in wrong], [0.5, 0.4])

    def test_sheet_holds_every_tile(self):
        tiles = [surest.tile(sample([[0.1, 0.1, 0.3, 0.3, 1]]), np.array([0, 0, 1, 1, 0.8, 6])) for _ in range(9)]
        self.assertEqual(surest.sheet(tiles).shape, (2 * surest.TILE, 8 * surest.TILE, 3))


class AveragePrecision(unittest.TestCase):
    def test_by_hand(self):
        """True, false, true positive for three boxes: precision envelope 1 up to recall 1/3, then 2/3 up to 2/3."""
        samples = [sample([[0, 0, 0.2, 0.2, 0], [0.5, 0.5, 0.9, 0.9, 0], [0, 0.5, 0.2, 0.9, 0]])]
        found = [np.array([[0, 0, 0.2, 0.2, 0.9, 0], [0.5, 0, 0.6, 0.1, 0.8, 0], [0.5, 0.5, 0.9, 0.9, 0.7, 0]])]
        expected = (34 * 1 + 33 * 2 / 3) / 101
        self.assertAlmostEqual(ap.average_precision(samples, found)["scratch"], expected, places=6)

    def test_a_box_is_found_once(self):
        truth = np.array([[0, 0, 1.0, 1.0]])
        twice = np.array([[0, 0, 1, 1, 0.9, 0], [0, 0, 1, 0.95, 0.8, 0]])
        self.assertEqual(ap.match(twice, truth, 0.5).tolist(), [True, False])

    def test_unlabelled_classes_do_not_count(self):
        samples = [sample([[0, 0, 1, 1, 0]]), sample([], labelled=["dent"])]
        alarm = np.array([[0, 0, 1, 1, 0.9, 0]])
        self.assertEqual(ap.average_precision(samples, [alarm, alarm])["scratch"], 1.0)


class Calibration(unittest.TestCase):
    def test_curve_rises_and_stays_a_probability(self):
        rng = np.random.default_rng(3)
        scores = rng.random(400)
        curve = calibrate.fit(scores, rng.random(400) < scores**2)
        self.assertTrue((np.diff(curve.y) >= 0).all() and (np.diff(curve.x) > 0).all())
        self.assertTrue(0 <= curve.y[0] and curve.y[-1] <= 1)

    def test_calibrated_scores_say_what_is_right(self):
        rng = np.random.default_rng(4)
        scores = rng.random(20000)
        right = rng.random(20000) < scores**2
        said = calibrate.fit(scores[::2], right[::2])(scores[1::2])
        self.assertLess(calibrate.expected_calibration_error(said, right[1::2].astype(float)), 0.03)

    def test_threshold_keeps_the_promised_precision(self):
        confidence = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
        right = np.array([True, True, True, False, False, False])
        value = calibrate.threshold(confidence, right, 3, least_precision=0.75, slack=0.4)
        self.assertEqual((confidence >= value).sum(), 4)

    def test_few_findings_need_a_better_share_than_many(self):
        confidence = np.linspace(0.9, 0.5, 10)
        right = np.arange(10) % 5 != 4  # 8 of 10
        few = calibrate.threshold(confidence[:5], right[:5], 5, least_precision=0.7, slack=0.1)
        many = calibrate.threshold(confidence, right, 10, least_precision=0.7, slack=0.1)
        self.assertEqual((confidence[:5] >= few).sum(), 4)  # 4 of 4 is stronger evidence than 4 of 5
        self.assertEqual((confidence >= many).sum(), 10)

    def test_the_lower_bound_rises_with_the_number_found(self):
        bounds = calibrate.lower_bound(np.array([4, 40, 400]), np.array([5, 50, 500]))
        self.assertTrue((np.diff(bounds) > 0).all() and (bounds < 0.8).all())


class Misses(unittest.TestCase):
    def test_recall_by_size_and_source_and_names_mixed_up(self):
        pictures = [sample([[0.0, 0.0, 0.05, 0.05, 0], [0.5, 0.5, 0.9, 0.9, 1]])]
        found = [np.array([[0.5, 0.5, 0.9, 0.9, 0.8, 1], [0.51, 0.5, 0.9, 0.9, 0.7, 2], [0.0, 0.0, 0.05, 0.05, 0.1, 0]])]
        curves = [calibrate.Curve([0.0, 1.0], [0.0, 1.0])] * len(LABELS)
        thresholds = dict.fromkeys(LABELS, 0.5)
        by = misses.recall_by(pictures, found, curves, thresholds)
        self.assertEqual(by["under 0.1"], {"recall": 0.0, "boxes": 1})
        self.assertEqual(by["0.25 and more"], {"recall": 1.0, "boxes": 1})
        self.assertEqual(by[pictures[0].source], {"recall": 0.5, "boxes": 2})
        self.assertEqual(misses.mixed_up(pictures, found, curves, thresholds), [(LABELS[1], LABELS[2], 1)])


class Faults(unittest.TestCase):
    def test_each_kind_is_corrected_alone(self):
        truth = sample([[0.0, 0.0, 0.4, 0.4, 0], [0.6, 0.6, 0.9, 0.9, 1]])
        found = np.array([[0.0, 0.0, 0.4, 0.18, 0.9, 0], [0.6, 0.6, 0.9, 0.9, 0.8, 0], [0.0, 0.6, 0.3, 0.9, 0.95, 1]])
        said = misses.without_faults([truth], [found])
        plain = ap.average_precision([truth], [found])["mean"]
        self.assertEqual(plain, 0.0)
        self.assertGreater(said["badly placed"], plain)
        self.assertGreater(said["wrong name"], plain)
        self.assertEqual(said["nothing there"], plain)

    def test_what_is_said_on_bare_ground_costs(self):
        truth = sample([[0.0, 0.0, 0.4, 0.4, 0]])
        found = np.array([[0.6, 0.6, 0.9, 0.9, 0.9, 0], [0.0, 0.0, 0.4, 0.4, 0.8, 0]])
        self.assertAlmostEqual(ap.average_precision([truth], [found])["mean"], 0.5)
        self.assertAlmostEqual(misses.without_faults([truth], [found])["nothing there"], 1.0)


if __name__ == "__main__":
    unittest.main()
