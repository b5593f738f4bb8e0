"""Static int8 quantisation of an ONNX graph in QDQ form: activations uint8, weights int8 per output channel.

What lies between the first convolution and the heads is quantised: convolutions and the element-wise and moving
operators between them, so that a runtime stays in integers. The picture's own convolution, heads and what follows them,
squeeze-and-excite gates and every tensor whose channels differ too much for one scale stay in float32. Ranges are
measured by running the float graph with reductions added to it.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

from . import onnx_node
from .onnx_simplify import simplified
from .qdq_graph import Graph
from .qdq_writer import Writer

# Below this HardSwish gives zero, so a range that ends here loses nothing.
_HARD_SWISH_LOW = -3.0
# Decibels of `quiet_channels` above which a tensor needs no test of its own.
_SUSPECT = 20.0
# Decibels between signal and error at every head that one tensor alone may cost, and the images this is measured on.
# Of 300 tensors of the damage detector 12 cost more: quantised with the others they took AP50 from 0.32 to 0.02.
_LEAST_RATIO = 25.0
_PROBES = 2


@dataclass(frozen=True)
class Range:
    """What a tensor held: lowest and highest value per image [n], mean square per channel [C]."""

    lows: np.ndarray
    highs: np.ndarray
    power: np.ndarray


@dataclass(frozen=True)
class Quantised:
    """How many convolutions run in integers, of how many, and the tensors left in float32 as too much was lost."""

    convolutions: int
    of: int
    left: list[str]


def ranges_of(model: onnx.ModelProto, shapes: dict, names: list[str], images: np.ndarray, scratch: Path) -> dict:
    """Returns the Range of each tensor over the images."""
    probed = onnx.ModelProto()
    probed.CopyFrom(model)
    del probed.graph.output[:]
    for k, name in enumerate(names):
        channels = shapes[name][1] if len(shapes[name]) == 4 else 1
        axes = [0, 2, 3] if len(shapes[name]) == 4 else list(range(len(shapes[name])))
        for kind, length, extra in (("Min", 1, {}), ("Max", 1, {}), ("SumSquare", channels, {"axes": axes})):
            raw, output = f"range_{kind}_{k}_raw", f"range_{kind}_{k}"
            probed.graph.node.append(helper.make_node(f"Reduce{kind}", [name], [raw], keepdims=0, **extra))
            probed.graph.node.append(helper.make_node("Reshape", [raw, "range_shape"], [output]))
            probed.graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, length]))
    probed.graph.initializer.append(numpy_helper.from_array(np.array([1, -1], np.int64), "range_shape"))
    path = scratch / "ranges.onnx"
    onnx.save(probed, str(path))
    outputs, _ = onnx_node.run(path, images)
    path.unlink()
    return {
        name: Range(
            outputs[f"range_Min_{k}"][:, 0],
            outputs[f"range_Max_{k}"][:, 0],
            outputs[f"range_SumSquare_{k}"].mean(0) * outputs[f"range_SumSquare_{k}"].shape[1] / np.prod(shapes[name]),
        )
        for k, name in enumerate(names)
    }


def activation_scale(low: float, high: float) -> tuple[np.float32, np.uint8]:
    """Returns scale and zero point of a uint8 range that holds zero."""
    low, high = min(0.0, low), max(0.0, high)
    scale = max(high - low, 1e-6) / 255
    return np.float32(scale), np.uint8(np.clip(round(-low / scale), 0, 255))


def quiet_channels(measured: Range, scale: float) -> float:
    """Decibels between signal and the rounding noise of `scale`, in the channel that nine tenths of the others
    exceed."""
    live = measured.power[measured.power > 0]
    return float(10 * np.log10(np.percentile(live, 10) / (scale**2 / 12))) if len(live) else 0.0


def quantise(source: Path, images: np.ndarray, target: Path, settings: dict) -> Quantised:
    """Writes the quantised model.

    `settings`: `percentile` of the images whose extremes fit into a range; `keep_float`, names of weights left as they
    are. A tensor that, quantised alone, costs the heads more than _LEAST_RATIO stays float32.
    """
    model = shape_inference.infer_shapes(simplified(onnx.load(str(source))))
    graph = Graph(model.graph)
    names = sorted(graph.candidates())
    ranges = ranges_of(model, graph.shapes, names, images, target.parent)
    scales: dict[str, tuple[np.float32, np.uint8]] = {}
    left: list[str] = []
    probe = _Probe(model, graph, images[:_PROBES], target.parent)
    for group in graph.groups(set(names)):
        low = min(float(np.percentile(ranges[name].lows, 100 - settings["percentile"])) for name in group)
        high = max(float(np.percentile(ranges[name].highs, settings["percentile"])) for name in group)
        if all(graph.only_hard_swish(name) for name in group):
            low = max(low, _HARD_SWISH_LOW)
        own = dict.fromkeys(group, activation_scale(low, high))
        quiet = min(quiet_channels(ranges[name], own[name][0]) for name in group)
        if quiet < _SUSPECT and probe.ratio(own) < _LEAST_RATIO:
            left += group
        else:
            scales.update(own)
    writer = Writer(graph, scales, set(settings["keep_float"]))
    onnx.save(writer.written(model), str(aside := target.with_suffix(".tmp")))
    onnx.checker.check_model(str(aside))
    aside.replace(target)
    convolutions = sum(node.op_type == "Conv" for node in graph.nodes)
    return Quantised(writer.convolutions, convolutions, sorted(left))


class _Probe:
    """How much of the heads' signal survives when some tensors alone are quantised."""

    def __init__(self, model: onnx.ModelProto, graph: Graph, images: np.ndarray, scratch: Path):
        self.graph, self.images, self.path = graph, images, scratch / "probe.onnx"
        self.model = onnx.ModelProto()
        self.model.CopyFrom(model)
        values = {value.name: value for value in model.graph.value_info}
        heads = [n.output[0] for n in graph.nodes if n.op_type == "Conv" and n.output[0] not in graph.before_conv]
        del self.model.graph.output[:]
        self.model.graph.output.extend(values[name] for name in heads)
        self.expected = self._run(self.model)

    def ratio(self, scales: dict) -> float:
        """Decibels between signal and error at the head that suffers most."""
        found = self._run(Writer(self.graph, scales, set()).written(self.model))
        ratios = [
            np.square(expected).sum() / max(float(np.square(expected - found[name]).sum()), 1e-20)
            for name, expected in self.expected.items()
        ]
        return float(10 * np.log10(min(ratios)))

    def _run(self, model: onnx.ModelProto) -> dict[str, np.ndarray]:
        onnx.save(model, str(self.path))
        outputs, _ = onnx_node.run(self.path, self.images)
        self.path.unlink()
        return outputs
