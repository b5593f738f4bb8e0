import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from vehi_train.parts.look import LAYER, area_under_roc, fit, write

CELLS = 8


class Look(unittest.TestCase):
    def test_fit(self):
        """What varies within a vehicle counts little, however much it varies."""
        rng = np.random.default_rng(3)
        vehicle = np.repeat(np.arange(60), 3)
        own, light = rng.normal(size=(60, 8))[vehicle], 3 * rng.normal(size=(180, 2))
        seen = np.concatenate([own, light], 1) @ rng.normal(size=(10, 10))
        means, projection = fit(seen, vehicle)
        self.assertGreater(area_under_roc((seen - means) @ projection, vehicle), 0.9)
        self.assertLess(area_under_roc(seen - means, vehicle), 0.75)

    def test_write(self):
        """Numbers of length 1 from the channels on the vehicle, added once however often they are written."""
        layer = helper.make_tensor_value_info(LAYER, TensorProto.FLOAT, [1, 2, CELLS // 4, CELLS // 4])
        logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 3, CELLS, CELLS])
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
                  for name, shape in (("images", [1, 2, CELLS // 4, CELLS // 4]), ("map", [1, 3, CELLS, CELLS]))]
        nodes = [helper.make_node("Identity", ["images"], [LAYER]), helper.make_node("Identity", ["map"], ["logits"])]
        graph = helper.make_graph(nodes, "g", inputs, [logits, layer])
        images = np.float32([[[[1, 9], [3, 9]], [[5, 9], [5, 9]]]])
        vehicle_left = np.zeros((1, 3, CELLS, CELLS), np.float32)
        vehicle_left[:, 1, :, : CELLS // 2] = vehicle_left[:, 0, :, CELLS // 2 :] = 50
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.onnx"
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))
            for factor in (7, 1):
                write(path, np.zeros(4), factor * np.eye(4)[:, [0, 2]])
            [look] = onnxruntime.InferenceSession(str(path)).run(["look"], {"images": images, "map": vehicle_left})
        # Mean 2 and spread 1 of the first channel on the left half, where the vehicle is.
        np.testing.assert_allclose(look[0], np.array([2, 1]) / np.sqrt(5), atol=2e-3)


if __name__ == "__main__":
    unittest.main()
