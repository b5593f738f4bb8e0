"""`python3 -m unittest discover tests`: optimizer, learning rate and checkpoints of the segmenter."""
import sys
import tempfile
import unittest
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.ema import Ema
from vehi_train.parts.learning import optimizer_of, resume, save, set_rate

CONFIG = {"encoder_factor": 0.5, "weight_decay": 0.01, "learning_rate": 0.001, "warm_up_steps": 10}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(3, 3)
        self.head = torch.nn.Linear(3, 1)


class Learning(unittest.TestCase):
    def test_rate_warms_up_and_falls_and_the_encoder_takes_its_part(self):
        optimizer = optimizer_of(Net(), CONFIG)
        rates = []
        for step in (0, 10, 55, 100):
            set_rate(optimizer, CONFIG, step, 100)
            rates.append({group["factor"]: group["lr"] for group in optimizer.param_groups})
        self.assertAlmostEqual(rates[0][1.0], 0.0001)
        self.assertTrue(rates[1][1.0] > rates[2][1.0] > rates[3][1.0])
        self.assertAlmostEqual(rates[3][1.0], 0.001 * 0.02)
        self.assertAlmostEqual(rates[2][0.5], rates[2][1.0] / 2)

    def test_only_matrices_decay(self):
        for group in optimizer_of(Net(), CONFIG).param_groups:
            self.assertEqual({p.dim() > 1 for p in group["params"]}, {group["weight_decay"] > 0})

    def test_a_run_goes_on_where_it_was_saved(self):
        with tempfile.TemporaryDirectory() as folder:
            path, net = Path(folder) / "last.pt", Net()
            ema, optimizer = Ema(net, 0.9), optimizer_of(net, CONFIG)
            net.head(net.encoder(torch.ones(2, 3))).sum().backward()
            optimizer.step()
            ema.update(net, 1)
            save(path, net, ema, optimizer, step=7, epoch=2)
            other = Net()
            other_ema, other_optimizer = Ema(other, 0.9), optimizer_of(other, CONFIG)
            self.assertEqual(resume(path, other, other_ema, other_optimizer), (7, 2))
            self.assertTrue(torch.equal(other.head.weight, net.head.weight))
            self.assertTrue(torch.equal(other_ema.model.head.weight, ema.model.head.weight))
            self.assertFalse(torch.equal(other_ema.model.head.weight, other.head.weight))
            self.assertEqual(len(other_optimizer.state_dict()["state"]), 4)


if __name__ == "__main__":
    unittest.main()
