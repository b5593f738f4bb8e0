"""`python3 -m unittest discover tests`: the detector's loss, layers and box post-processing."""
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.damage import loss
from vehi_train.damage import model as models
from vehi_train.damage.detect import findings, suppress, vote
from vehi_train.damage.labels import LABELS
from vehi_train.damage.peer import Peer
from vehi_train.depthwise import depthwise_conv2d
from vehi_train.onnx_graph import OPERATORS
from vehi_train.picodet import BINS, decode, grid


class Suppression(unittest.TestCase):
    def test_by_hand(self):
        """Boxes with an IoU of at least 0.5 count, weighted by score; a more distant box does not."""
        boxes = np.array([[0, 0, 10, 10], [3, 0, 13, 10], [6, 0, 16, 10]], np.float64)
        voted = vote(boxes, np.array([0.6, 0.2, 0.6]), [0])
        np.testing.assert_allclose(voted, [[0.75, 0, 10.75, 10]])

    def test_suppression_keeps_the_best_of_a_heap(self):
        boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 9], [20, 20, 30, 30]], float)
        self.assertEqual(suppress(boxes, np.array([0.5, 0.9, 0.3])), [1, 2])


class Agreement(unittest.TestCase):
    """Expects the same rows as test/unit/vision/boxes/decode-boxes.test.ts, so the engine matches."""

    def scores(self, boxes, scores):
        found = findings(np.array(boxes, np.float32), np.array([[score] + [0] * 7 for score in scores], np.float32), 200, [(2, 0.25), (1, 0.75)])
        return found[:, 4].round(6).tolist()

    def test_both_see_it(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [60, 100, 90, 150], [2, 0, 52, 50]], [0.8, 0.4, 0.6]), [0.65, 0.1])

    def test_one_alone_sees_it(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [60, 100, 90, 150], [0, 150, 50, 200]], [0.8, 0.4, 0.6]), [0.45, 0.2, 0.1])

    def test_a_network_counts_once(self):
        self.assertEqual(self.scores([[0, 0, 50, 50], [1, 0, 51, 50], [0, 150, 50, 200]], [0.8, 0.7, 0.6]), [0.45, 0.2])


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
            self.assertEqual(written(50, 1.0), 0.0)  # the start is unknown
            self.assertEqual(peer.draw_together([("model", model)], 250), 0.0)  # nothing new
            own_steps = 400
            self.assertAlmostEqual(written(150, 1.0), 0.25)  # 100 steps against 300 own ones
            self.assertAlmostEqual(model.weight.item(), 0.25)
            self.assertEqual(peer.draw_together([("model", model)], 500), 0.0)  # nothing new


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


if __name__ == "__main__":
    unittest.main()
