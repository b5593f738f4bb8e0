"""Static int8 quantization of an ONNX graph in QDQ form: activations uint8, weights int8 per output channel.

Quantizes the operators between the first convolution and the heads: convolutions and the element-wise and data movement
operators between them, which keeps the runtime in integers. The first convolution, the heads and later operators,
squeeze-and-excite gates and tensors whose channels differ too much for one scale remain float32. Ranges are measured by
running the float graph with added reductions.
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

# HardSwish is zero below this, so a range can end here without loss.
_HARD_SWISH_LOW = -3.0
# Tensors above this `quiet_channels` value, in decibels, need no separate test.
_SUSPECT = 20.0
# Minimum signal-to-error ratio in decibels at every head if a single tensor is quantized, and the number of test
# images. 12 of 300 tensors of the damage detector fail: quantized with the others, they reduced AP50 from 0.32 to 0.02.
_LEAST_RATIO = 25.0
_PROBES = 2


@dataclass(frozen=True)
class Range:
    """Measured range of a tensor: lowest and highest value per image [n], mean square per channel [C]."""

    lows: np.ndarray
    highs: np.ndarray
    power: np.ndarray


@dataclass(frozen=True)
class Quantised:
    """Number of integer convolutions, total number, and the tensors kept in float32 because of excessive loss."""

    convolutions: int
    of: int
    left: list[str]


def ranges_of(model: onnx.ModelProto, shapes: dict, names: list[str], images: np.ndarray, scratch: Path) -> dict:
    """Measures the Range of each tensor over the images."""
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
    """Returns scale and zero point of a uint8 range that includes zero."""
    low, high = min(0.0, low), max(0.0, high)
    scale = max(high - low, 1e-6) / 255
    return np.float32(scale), np.uint8(np.clip(round(-low / scale), 0, 255))


def quiet_channels(measured: Range, scale: float) -> float:
    """Returns the signal-to-rounding-noise ratio of `scale` in decibels, at the tenth percentile of channels."""
    live = measured.power[measured.power > 0]
    return float(10 * np.log10(np.percentile(live, 10) / (scale**2 / 12))) if len(live) else 0.0


def quantise(source: Path, images: np.ndarray, target: Path, settings: dict) -> Quantised:
    """Writes the quantized model.

    `settings`: `percentile` of the images whose extremes must fit a range; `keep_float`, names of weights left
    unchanged. A tensor that exceeds _LEAST_RATIO at the heads when quantized alone remains float32.
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
    """Measures how much of the heads' signal is preserved if only some tensors are quantized."""

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
        """Returns the signal-to-error ratio in decibels at the most affected head."""
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
