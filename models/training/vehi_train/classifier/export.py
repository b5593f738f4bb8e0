"""Exports the averaged classifier to ONNX with int8 convolutions, and adds it to the manifest without metrics."""
import json
import tempfile
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.preprocess import quant_pre_process

from .. import manifest
from ..context import Context
from ..damage.labels import LABELS
from .cuts import SIDE
from .model import Classifier, Exported, normalised
from .prepare import files

FILE_NAME = "classifier-int8.onnx"
CALIBRATION_CUTS = 96
LEAST_VALUES = 4096  # minimum size of a matrix whose weights are stored in 16 bits


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--checkpoint", type=Path, help="default: the run's last checkpoint")
    parser.add_argument("--fp32", type=Path, help="keep the unquantised model in this file as well")


def run(context: Context) -> None:
    torch.set_num_threads(1)
    path = context.models / FILE_NAME
    classifier = load_averaged(context.args.checkpoint or context.run_dir / "last.pt")
    with tempfile.TemporaryDirectory() as folder:
        plain = context.args.fp32 or Path(folder) / "classifier.onnx"
        write_onnx(classifier, plain)
        quantise(plain, path, Cuts(context))
    entry = {
        "id": "classifier",
        "task": "classify",
        "name": f"vehi-classifier-s{SIDE}",
        "version": context.config["export"]["version"],
        "weights": manifest.weights(context.models, "int8", FILE_NAME),
        "input": manifest.square_input("images", SIDE),
        "box_input": "boxes",
        "outputs": {"damage": "damage", "kinds": "kinds"},
        "labels": list(LABELS),
        "licence": "Apache-2.0",
        "training_data": context.config["training_data"],
    }
    manifest.write_entry(context.models, entry)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB; then `evaluate --write`, and `npm run models:fit -- LABELS --write` in the repository")


def load_averaged(checkpoint: Path) -> Classifier:
    state = torch.load(checkpoint, weights_only=False)
    classifier = Classifier()
    classifier.load_state_dict({**state["net"], **state["ema"]})
    return classifier.eval()


def write_onnx(classifier: Classifier, path: Path) -> None:
    example = (torch.zeros(1, 3, SIDE, SIDE), torch.tensor([[0.25, 0.25, 0.75, 0.75]]))
    torch.onnx.export(Exported(classifier).eval(), example, str(path), opset_version=17, dynamo=False,
                      input_names=["images", "boxes"], output_names=["damage", "kinds"])


class Cuts(CalibrationDataReader):
    """Training crops for calibrating the integer ranges; the same ones every time."""

    def __init__(self, context: Context):
        pixels, facts = files(context)
        self.cuts, self.facts = np.load(pixels, mmap_mode="r"), json.loads(facts.read_text())
        learned = [k for k, one in enumerate(self.facts) if one["split"] != "val"]
        self.chosen = iter(np.random.default_rng(3).choice(learned, CALIBRATION_CUTS, replace=False))

    def get_next(self) -> dict[str, np.ndarray] | None:
        k = next(self.chosen, None)
        if k is None:
            return None
        return {"images": normalised(self.cuts[k : k + 1]).contiguous().numpy(), "boxes": np.float32([self.facts[k]["box"]])}


def quantise(plain: Path, path: Path, cuts: Cuts) -> None:
    """Quantizes all convolutions but the first. Weights have seven bits, because processors without VNNI sum pairs of
    products in 16 bits."""
    with tempfile.TemporaryDirectory() as folder:
        folded, whole = Path(folder) / "folded.onnx", Path(folder) / "int8.onnx"
        quant_pre_process(plain, folded, skip_symbolic_shape=True)
        first = next(node.name for node in onnx.load(str(folded)).graph.node if node.op_type == "Conv")
        quantize_static(folded, whole, cuts, quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
                        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                        op_types_to_quantize=["Conv"], nodes_to_exclude=[first])
        model = onnx.load(str(whole))
    store_in_halves(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def store_in_halves(graph: onnx.GraphProto) -> None:
    """Stores large matrices as 16-bit floats, widened when the file is opened: half the bytes at the same speed."""
    widened = []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.ndim != 2 or values.size < LEAST_VALUES:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        widened.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT, name=f"{name}_widen"))
    nodes = [*widened, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
