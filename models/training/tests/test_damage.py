"""`python3 -m unittest discover tests`: what the detector's training and measuring rest on."""
import argparse
import json
import sys
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.context import Context
from vehi_train.damage import average_precision as ap
from vehi_train.damage import augment, calibrate, loss, misses, prepare, surest
from vehi_train.damage import model as models
from vehi_train.damage.dataset import Sample, load
from vehi_train.damage.detect import findings, suppress, vote
from vehi_train.damage.labels import LABELS
from vehi_train.damage.peer import Peer
from vehi_train.depthwise import depthwise_conv2d
from vehi_train.onnx_graph import OPERATORS
from vehi_train.picodet import BINS, decode, grid


def sample(boxes, labelled=None) -> Sample:
    mask = np.array([name in (labelled or LABELS) for name in LABELS], np.float32)
    return Sample(np.zeros((8, 8, 3), np.uint8), np.array(boxes, np.float32).reshape(-1, 5), mask, "test")


class SurestWrongFindings(unittest.TestCase):
    def test_by_hand(self):
        """A match and a class nobody labelled are not wrong; a box laid elsewhere and another name are, the surer first."""
        truth = sample([[0.1, 0.1, 0.3, 0.3, 1]], ["scratch", "dent"])
        found = np.array([[0.1, 0.1, 0.3, 0.3, 0.9, 1], [0, 0, 1, 1, 0.8, 6], [0.6, 0.6, 0.9, 0.9, 0.4, 1], [0, 0, 0.2, 0.2, 0.5, 0]])
        wrong = surest.wrong_findings([truth], [found])
        self.assertEqual([finding[4] for _, finding in wrong], [0.5, 0.4])

    def test_sheet_holds_every_tile(self):
        tiles = [surest.tile(sample([[0.1, 0.1, 0.3, 0.3, 1]]), np.array([0, 0, 1, 1, 0.8, 6])) for _ in range(9)]
        self.assertEqual(surest.sheet(tiles).shape, (2 * surest.TILE, 8 * surest.TILE, 3))


class Voting(unittest.TestCase):
    def test_by_hand(self):
        """Overlaps of at least a half count, by score; a box further off does not."""
        boxes = np.array([[0, 0, 10, 10], [3, 0, 13, 10], [6, 0, 16, 10]], np.float64)
        voted = vote(boxes, np.array([0.6, 0.2, 0.6]), [0])
        np.testing.assert_allclose(voted, [[0.75, 0, 10.75, 10]])


class Agreement(unittest.TestCase):
    """The rows of test/unit/vision/decode-boxes.test.ts, so that the engine and this agree."""

    def scores(self, boxes, scores):
        found = findings(np.array(boxes, np.float32), np.array([[score] + [0] * 7 for score in scores], np.float32), 200, [(2, 0.25), (1, 0.75)])
        return found[:, 4].round(6).tolist()

    def test_both_see_it(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [60, 100, 90, 150], [2, 0, 52, 50]], [0.8, 0.4, 0.6]), [0.65, 0.1])

    def test_one_alone_sees_it(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [60, 100, 90, 150], [0, 150, 50, 200]], [0.8, 0.4, 0.6]), [0.45, 0.2, 0.1])

    def test_a_network_counts_once(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [1, 0, 51, 50], [0, 150, 50, 200]], [0.8, 0.7, 0.6]), [0.45, 0.2])


class Turns(unittest.TestCase):
    def test_a_quarter_turn_keeps_boxes_on_what_they_hold(self):
        picture = np.zeros((40, 40, 3), np.uint8)
        picture[4:10, 20:36] = 255
        for seed in range(8):
            turned, [[x0, y0, x1, y1, label]] = augment.quarter(picture, np.array([[20, 4, 36, 10, 2]], np.float32), np.random.default_rng(seed))
            self.assertEqual(label, 2)
            self.assertTrue((turned[int(y0) : int(y1), int(x0) : int(x1)] == 255).all())
            self.assertEqual((turned > 0).sum(), 3 * (x1 - x0) * (y1 - y0))

    def test_a_turned_box_lies_around_the_turned_ellipse(self):
        matrix = np.array([[0.8, -0.6, 30], [0.6, 0.8, 5]], np.float32)
        [[x0, y0, x1, y1, _]] = augment.moved(np.array([[20, 30, 60, 50, 0]], np.float32), matrix, 200)
        angle = np.linspace(0, 2 * np.pi, 721)
        ellipse = np.stack([40 + 20 * np.cos(angle), 40 + 10 * np.sin(angle)], 1) @ matrix[:, :2].T + matrix[:, 2]
        np.testing.assert_allclose([x0, y0, x1, y1], [*ellipse.min(0), *ellipse.max(0)], atol=0.01)


class Mixed(unittest.TestCase):
    def test_both_boxes_hold_and_only_what_both_label_is_background(self):
        first = (np.full((4, 4, 3), 200, np.uint8), np.array([[0, 0, 2, 2, 0]], np.float32), np.array([[1, 1, 0]], np.float32))
        second = (np.full((4, 4, 3), 100, np.uint8), np.array([[1, 1, 3, 3, 2]], np.float32), np.array([[1, 0, 1]], np.float32))
        picture, boxes, labelled = augment.mixed(first, second, np.random.default_rng(3))
        self.assertEqual(boxes[:, 4].tolist(), [0, 2])
        self.assertEqual(labelled.tolist(), [[1, 0, 0]])
        self.assertTrue(100 < picture.mean() < 200)


class Shipped(unittest.TestCase):
    def test_weights_that_networks_share_lie_under_the_first(self):
        def weight(name, value):
            return onnx.numpy_helper.from_array(np.array([value], np.float32), name)

        graph = onnx.helper.make_graph([], "several", [], [], [
            weight("members.0.model.stem", 1), weight("members.0.model.head", 2), weight("members.1.model.head", 3)])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "several.onnx"
            onnx.save(onnx.helper.make_model(graph), str(path))
            states = [{name: float(value) for name, value in models.shipped_state(path, member).items()} for member in (0, 1)]
        self.assertEqual(states, [{"stem": 1, "head": 2}, {"stem": 1, "head": 3}])


class AveragePrecision(unittest.TestCase):
    def test_by_hand(self):
        """Right, wrong, right with three boxes: precision envelope 1 up to recall 1/3, then 2/3 up to 2/3."""
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
        self.assertEqual((confidence[:5] >= few).sum(), 4)  # 4 of 4 prove more than 4 of 5
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
    def test_each_kind_is_mended_alone(self):
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


class Peers(unittest.TestCase):
    def test_models_meet_by_their_shares_of_the_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = Path(folder) / "last.pt"
            model = torch.nn.Linear(1, 1, bias=False)
            peer = Peer(checkpoint, steps_done=0)

            def written(steps: int, weight: float) -> float:
                torch.save({"steps": steps, "model": {"weight": torch.full((1, 1), weight)}}, checkpoint)
                torch.nn.init.constant_(model.weight, 0.0)
                return peer.draw_together([("model", model)], own_steps)

            own_steps = 100
            self.assertEqual(peer.draw_together([("model", model)], own_steps), 0.0)  # nothing written yet
            self.assertEqual(written(50, 1.0), 0.0)  # where it started from is not known
            self.assertEqual(peer.draw_together([("model", model)], 250), 0.0)  # nothing new
            own_steps = 400
            self.assertAlmostEqual(written(150, 1.0), 0.25)  # 100 steps next to 300 of our own
            self.assertAlmostEqual(model.weight.item(), 0.25)
            self.assertEqual(peer.draw_together([("model", model)], 500), 0.0)  # nothing new


class ExtraSets(unittest.TestCase):
    """A data folder with one picture per split, and a folder next to it with one more to train on."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        for base, split, source in (("data", "train", "real"), ("data", "val", "real"), ("rendered", "train", "rendered")):
            self.write_set(self.root / base, split, source)
        for name in ("kept", "trained"):
            (self.root / "data/parts/train").mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(self.root / f"data/parts/train/{name}.webp"), np.zeros((8, 8, 3), np.uint8))

    def write_set(self, base: Path, split: str, source: str) -> None:
        (base / "damage" / split).mkdir(parents=True)
        cv2.imwrite(str(base / "damage" / split / "1.png"), np.full((10, 20, 3), 90, np.uint8))
        image = {"id": 1, "file_name": "1.png", "width": 20, "height": 10, "labelled": ["rust"], "source": source}
        categories = [{"id": 5, "name": "rust"}]  # ids of its own: names count
        boxes = [{"image_id": 1, "category_id": 5, "bbox": [5, 0, 10, 5]}]
        (base / "damage" / f"{split}.json").write_text(
            json.dumps({"images": [image], "annotations": boxes, "categories": categories}))

    def context(self, *extra: str, only=None) -> Context:
        config = {"data": {"cache_size": 16, "clean_held_out": 1, "extra": list(extra)}}
        args = argparse.Namespace(only=only, run="r")
        return Context(config, self.root / "data", self.root, self.root / "runs", self.root, args)

    def test_are_trained_on_and_nothing_else(self):
        context = self.context(str(self.root / "rendered"))
        prepare.run(context)
        self.assertEqual([s.source for s in load(context, "train")], ["real", "clean", "rendered"])
        self.assertEqual([s.source for s in load(context, "val")], ["real"])
        last = load(context, "train")[-1]
        self.assertTrue(np.allclose(last.boxes, [[0.25, 0, 0.75, 0.5, LABELS.index("rust")]]))
        self.assertEqual(last.labelled.tolist(), [float(name == "rust") for name in LABELS])
        self.assertEqual([s.source for s in load(self.context(), "train")], ["real", "clean"])

    def test_are_prepared_beside_what_is_there(self):
        prepare.run(self.context())
        before = (self.root / "runs/cache/damage-train-16.npy").stat().st_mtime_ns
        prepare.run(self.context("../rendered", only=["extra-rendered"]))
        self.assertEqual((self.root / "runs/cache/damage-train-16.npy").stat().st_mtime_ns, before)
        self.assertEqual(len(load(self.context("../rendered"), "train")), 3)

    def test_need_names_of_their_own(self):
        with self.assertRaises(SystemExit):
            prepare.run(self.context("a/rendered", "b/rendered"))
        with self.assertRaises(SystemExit):
            prepare.run(self.context(only=["extra-rendered"]))


class Loss(unittest.TestCase):
    def setUp(self):
        self.points, self.strides = grid(64, 64)
        torch.manual_seed(0)

    def gradient_of_logits(self, truths, labelled):
        logits = (torch.randn(1, len(self.points), len(LABELS)) - 5).requires_grad_()
        sides = torch.randn(1, len(self.points), 4 * BINS, requires_grad=True)
        parts = loss.losses(logits, sides, truths, labelled, self.points, self.strides)
        sum(parts).backward()
        return logits.grad[0]

    def test_an_unlabelled_class_is_never_background(self):
        labelled = np.ones((1, len(LABELS)), np.float32)
        labelled[0, 6] = 0
        gradient = self.gradient_of_logits([np.zeros((0, 5), np.float32)], labelled)
        self.assertEqual(float(gradient[:, 6].abs().max()), 0.0)
        self.assertGreater(float(gradient[:, 0].min()), 0.0)

    def test_a_box_raises_its_class(self):
        box = np.array([[8, 8, 48, 40, 2]], np.float32)
        gradient = self.gradient_of_logits([box], np.ones((1, len(LABELS)), np.float32))
        self.assertLess(float(gradient[:, 2].min()), 0.0)

    def test_decode_inverts_the_distance(self):
        bins = torch.full((1, 4, BINS), -50.0)
        bins[0, torch.arange(4), torch.tensor([1, 2, 3, 4])] = 50.0
        box = decode(bins.reshape(1, -1), torch.tensor([[100.0, 100.0]]), torch.tensor([8.0]))
        self.assertTrue(torch.allclose(box, torch.tensor([[92.0, 84.0, 124.0, 132.0]]), atol=1e-3))


def _shuffle(picture: torch.Tensor) -> torch.Tensor:
    """A channel shuffle of two groups of three, by the graph's three operators."""
    halves = OPERATORS["Reshape"]([picture, torch.tensor([1, 2, 3, 5, 7])], {})
    mixed = OPERATORS["Transpose"]([halves], {"perm": [0, 2, 1, 3, 4]})
    return OPERATORS["Reshape"]([mixed, torch.tensor([1, 6, 5, 7])], {})


class BuildingBlocks(unittest.TestCase):
    def test_depthwise_gradients_equal_torch(self):
        torch.manual_seed(1)
        x = torch.randn(2, 4, 9, 9, requires_grad=True)
        weight, bias = torch.randn(4, 1, 5, 5, requires_grad=True), torch.randn(4, requires_grad=True)
        for stride in (1, 2):
            own = torch.autograd.grad(depthwise_conv2d(x, weight, bias, stride, 2).pow(2).sum(), (x, weight, bias))
            plain = torch.nn.functional.conv2d(x, weight, bias, stride, 2, 1, 4).pow(2).sum()
            for mine, theirs in zip(own, torch.autograd.grad(plain, (x, weight, bias))):
                self.assertTrue(torch.allclose(mine, theirs, atol=1e-3))

    def test_channel_shuffle_keeps_the_layout(self):
        plain = torch.randn(2, 6, 5, 7)
        shuffled = _shuffle(plain)
        self.assertTrue(torch.equal(shuffled[:, :4], plain[:, [0, 3, 1, 4]]))
        self.assertTrue(shuffled.is_contiguous())
        innermost = _shuffle(plain.to(memory_format=torch.channels_last))
        self.assertTrue(torch.equal(innermost, shuffled))
        self.assertTrue(innermost.is_contiguous(memory_format=torch.channels_last))

    def test_suppression_keeps_the_best_of_a_heap(self):
        boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 9], [20, 20, 30, 30]], float)
        self.assertEqual(suppress(boxes, np.array([0.5, 0.9, 0.3])), [1, 2])

    def test_boxes_follow_the_picture(self):
        picture = np.zeros((100, 100, 3), np.uint8)
        picture[40:60, 20:50] = 255
        for seed in range(20):
            rng = np.random.default_rng(seed)
            placed, boxes = augment.place(picture, np.array([[20, 40, 50, 60, 1]], np.float32), 80, (0.7, 0.9), rng)
            y, x = np.nonzero(placed[..., 0] > 200)
            self.assertLess(np.abs(boxes[0, :4] - [x.min(), y.min(), x.max() + 1, y.max() + 1]).max(), 2.5)


if __name__ == "__main__":
    unittest.main()
