"""`python3 -m unittest discover tests`: a segmenter can be restored from its exported file and trained further."""
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, helper

HOME = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HOME))

from vehi_train import onnx_fold
from vehi_train.logits_onnx import write_logits
from vehi_train.onnx_graph import constants_of
from vehi_train.onnx_stem import widen_stem
from vehi_train.parts.checkpoint import load_segmenter
from vehi_train.parts.labels import PARTS
from vehi_train.parts.mirror import MirrorMean, TwoSizes
from vehi_train.parts.model import Segmenter
from vehi_train.parts.shipped import put_norms_back

GRAPH = HOME.parent / "vehicle-fp32.onnx"  # PicoDet-S as trained on COCO
SIZE = 64


def segmenter() -> Segmenter:
    """A segmenter with training progress: its norms have non-default statistics."""
    torch.manual_seed(3)
    model = Segmenter(GRAPH, len(PARTS))
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.running_mean, -0.3, 0.3)
            torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
            torch.nn.init.uniform_(module.bias, -0.3, 0.3)
    return model.eval()


class Shipped(unittest.TestCase):
    @torch.no_grad()
    def test_weights_come_back_from_the_exported_file(self):
        model, image = segmenter(), torch.randn(1, 3, SIZE, SIZE)
        expected = model(image)
        batches = [torch.randn(2, 3, SIZE, SIZE) for _ in range(2)]
        with tempfile.TemporaryDirectory() as folder:
            plain, folded, wide = (Path(folder) / f"{name}.onnx" for name in ("plain", "folded", "wide"))
            write_logits(TwoSizes(MirrorMean(model), SIZE // 2).eval(), model.fold_norms, image, plain)
            onnx_fold.fold(plain, folded, image.numpy())
            shutil.copy(folded, wide)
            widen_stem(wide)
            stems = [constants_of(onnx.load(str(path)).graph)["model.model.encoder.weights.p0"] for path in (folded, wide)]
            self.assertEqual([len(stem) for stem in stems], [24, 32])
            for path in (plain, folded, wide):
                with self.subTest(path.name):
                    back = load_segmenter(GRAPH, path)
                    torch.testing.assert_close(back(image), expected, atol=1e-4, rtol=1e-3)
                    put_norms_back(back, batches)
                    self.assertTrue(len(back.encoder.batch_norms))
                    torch.testing.assert_close(back.eval()(image), expected, atol=1e-4, rtol=1e-3)

    def test_a_file_without_the_weights_is_refused_by_name(self):
        value = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1])
        empty = helper.make_graph([helper.make_node("Relu", ["images"], ["logits"])], "empty", [value],
                                  [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1])])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "other.onnx"
            onnx.save(helper.make_model(empty), str(path))
            with self.assertRaisesRegex(SystemExit, "other.onnx: no weights for"):
                load_segmenter(GRAPH, path)


if __name__ == "__main__":
    unittest.main()
