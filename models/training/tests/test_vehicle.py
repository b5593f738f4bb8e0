import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from vehi_train.classifier.vehicle import FEATURES, fit, write


class Vehicle(unittest.TestCase):
    def test_fit(self):
        """The features tell what the vehicle check's score does not, whose log has the weight 1."""
        rng = np.random.default_rng(2)
        signal, scores = rng.normal(size=400), rng.uniform(size=400)
        x = signal[:, None] + rng.normal(size=(400, 200))
        truth = 3 * signal + np.log(scores + 0.01) > -1
        weights, bias = fit(x, scores, truth)
        said = x @ weights + bias + np.log(scores + 0.01) > 0
        self.assertGreater((said == truth).mean(), 0.9)
        self.assertGreater(weights.sum(), 1)

    def test_write(self):
        """The output is added once, however often it is written."""
        features = helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, [1, 3])
        node = helper.make_node("Identity", ["images"], [FEATURES])
        graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3])], [features])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))
            for bias in (5, 1):
                write(path, np.array([1.0, 0.0, 2.0]), bias)
            [said] = onnxruntime.InferenceSession(str(path)).run(["vehicle"], {"images": np.float32([[1, 2, 3]])})
        self.assertAlmostEqual(float(said[0, 0]), 8)


if __name__ == "__main__":
    unittest.main()
