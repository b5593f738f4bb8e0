"""`python3 -m unittest discover tests`: a folded graph has the same outputs as before, with standard operators only."""
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train import onnx_fold

SHAPE = [1, 3, 8, 8]


def network() -> onnx.ModelProto:
    """A HardSwish, and a reshape with a target computed from a shape."""
    initial = [numpy_helper.from_array(np.array(value, np.int64), name) for name, value in (("zero", [0]), ("rest", [-1]))]
    nodes = [
        helper.make_node("HardSwish", ["images"], ["active"]),
        helper.make_node("Shape", ["active"], ["shape"]),
        helper.make_node("Gather", ["shape", "zero"], ["count"]),
        helper.make_node("Concat", ["count", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["active", "target"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes, "test", [helper.make_tensor_value_info("images", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 192])], initial)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class Fold(unittest.TestCase):
    def test_folds_what_is_constant_and_changes_no_output(self):
        example = np.random.default_rng(1).normal(0, 3, SHAPE).astype(np.float32)
        with tempfile.TemporaryDirectory() as folder:
            plain, folded = Path(folder) / "plain.onnx", Path(folder) / "folded.onnx"
            onnx.save(network(), str(plain))
            self.assertLess(onnx_fold.fold(plain, folded, example), 1e-6)
            model = onnx.load(str(folded))
        self.assertNotIn("Shape", [node.op_type for node in model.graph.node])
        self.assertEqual([(entry.domain, entry.version) for entry in model.opset_import], [("", 17)])


if __name__ == "__main__":
    unittest.main()
