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

# Operators that hand values on unchanged: their input and output share one scale.
_MOVING = ("MaxPool", "Reshape", "Transpose", "Split", "Resize")
_QUANTISED = ("Conv", "HardSwish", "Mul", "Add", "Concat", *_MOVING)
# Below this HardSwish gives zero, so a range that ends here loses nothing.
_HARD_SWISH_LOW = -3.0
_LARGEST_BIAS = 2.0**30
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


class _Graph:
    """Who makes and who reads each tensor, and the tensors' shapes."""

    def __init__(self, graph: onnx.GraphProto):
        self.nodes = list(graph.node)
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.producer = {name: node for node in self.nodes for name in node.output}
        self.readers: dict[str, list[onnx.NodeProto]] = {}
        for node in self.nodes:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.shapes = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in graph.value_info}
        self.after_conv = self._reached(forward=True)
        self.before_conv = self._reached(forward=False)

    def _reached(self, forward: bool) -> set[str]:
        """Tensors made from a convolution's output, or from which a convolution's input is made."""
        found: set[str] = set()
        for node in self.nodes if forward else reversed(self.nodes):
            near, far = (node.input, node.output) if forward else (node.output, node.input)
            if node.op_type == "Conv" or any(name in found for name in near):
                found.update(far)
        return found

    def candidates(self) -> set[str]:
        """Activations to quantise: between two convolutions, made by an operator that runs in integers."""
        wide = {
            name
            for name in self.after_conv & self.before_conv
            if self.producer[name].op_type in _QUANTISED
            and len(shape := self.shapes.get(name, [])) >= 4
            and np.prod(shape[2:]) > shape[2] * (len(shape) == 5)
        }
        gates = {
            name
            for node in self.nodes
            if node.op_type in ("Mul", "Add", "Concat") and node.output[0] in wide
            for name in node.input
            if name in self.after_conv
        }
        return wide | gates

    def groups(self, names: set[str]) -> list[list[str]]:
        """Returns the names, those together that share a scale."""
        group = {name: [name] for name in names}
        for node in self.nodes:
            if node.op_type in _MOVING:
                for output in node.output:
                    if output in names and node.input[0] in names and group[output] is not group[node.input[0]]:
                        joined = group[node.input[0]] + group[output]
                        group.update(dict.fromkeys(joined, joined))
        return list({id(members): members for members in group.values()}.values())

    def only_hard_swish(self, name: str) -> bool:
        return all(node.op_type == "HardSwish" for node in self.readers.get(name, []))


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
    graph = _Graph(model.graph)
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
    writer = _Writer(graph, scales, set(settings["keep_float"]))
    onnx.save(writer.written(model), str(aside := target.with_suffix(".tmp")))
    onnx.checker.check_model(str(aside))
    aside.replace(target)
    convolutions = sum(node.op_type == "Conv" for node in graph.nodes)
    return Quantised(writer.convolutions, convolutions, sorted(left))


class _Probe:
    """How much of the heads' signal survives when some tensors alone are quantised."""

    def __init__(self, model: onnx.ModelProto, graph: _Graph, images: np.ndarray, scratch: Path):
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
        found = self._run(_Writer(self.graph, scales, set()).written(self.model))
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


class _Writer:
    """Puts QuantizeLinear and DequantizeLinear around every tensor that has a scale."""

    def __init__(self, graph: _Graph, scales: dict, keep_float: set[str]):
        self.graph, self.scales, self.keep_float = graph, scales, keep_float
        self.nodes: list[onnx.NodeProto] = []
        self.added: dict[str, np.ndarray] = {}
        self.convolutions = 0

    def written(self, model: onnx.ModelProto) -> onnx.ModelProto:
        """Returns a copy of the model the graph was read from, quantised."""
        for node in self.graph.nodes:
            self._node(node)
            for name in node.output:
                if name in self.scales:
                    self._pair(name, f"{name}_dq", *self.scales[name])
        read = {name for node in self.nodes for name in node.input}
        kept = [tensor for tensor in model.graph.initializer if tensor.name in read]
        added = [numpy_helper.from_array(value, name) for name, value in self.added.items()]
        result = onnx.ModelProto()
        result.CopyFrom(model)
        del result.graph.node[:], result.graph.initializer[:], result.graph.value_info[:]
        result.graph.node.extend(self.nodes)
        result.graph.initializer.extend([*kept, *added])
        return result

    def _node(self, node: onnx.NodeProto) -> None:
        inputs = [f"{name}_dq" if name in self.scales else name for name in node.input]
        if node.op_type == "HardSwish" and node.input[0] in self.scales and node.output[0] in self.scales:
            self._hard_swish(inputs[0], node.output[0])
            return
        if self._in_integers(node):
            inputs[1:] = self._weights(node, self.scales[node.input[0]][0])
            self.convolutions += 1
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        del copy.input[:]
        copy.input.extend(inputs)
        self.nodes.append(copy)

    def _in_integers(self, node: onnx.NodeProto) -> bool:
        return (
            node.op_type == "Conv"
            and node.input[0] in self.scales
            and node.output[0] in self.scales
            and node.input[1] in self.graph.constants
            and node.input[1] not in self.keep_float
        )

    def _hard_swish(self, x: str, y: str) -> None:
        """Computes x * clip(x/6 + 1/2, 0, 1). The clipping is what uint8 does by itself: x is quantised to the range -3
        to 3, and the same integers are read back as 0 to 1. The leaky ReLU of slope 1 changes nothing; it is there
        because runtimes have an integer kernel for it."""
        self.nodes.append(helper.make_node("LeakyRelu", [x], [f"{y}_same"], alpha=1.0))
        self._constants(f"{y}_clip", np.float32(6 / 255), np.uint8(127))
        self._constants(f"{y}_gate", np.float32(1 / 255), np.uint8(0))
        clip, gate = ([f"{y}_{kind}_scale", f"{y}_{kind}_zero"] for kind in ("clip", "gate"))
        self.nodes.append(helper.make_node("QuantizeLinear", [f"{y}_same", *clip], [f"{y}_clip_q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{y}_clip_q", *gate], [f"{y}_gate_dq"]))
        self.nodes.append(helper.make_node("Mul", [x, f"{y}_gate_dq"], [y]))

    def _weights(self, node: onnx.NodeProto, input_scale: np.float32) -> list[str]:
        """Returns weight and bias of a convolution as integers; names of their dequantised tensors."""
        k = self.convolutions
        weight = numpy_helper.to_array(self.graph.constants[node.input[1]])
        has_bias = len(node.input) > 2
        bias = numpy_helper.to_array(self.graph.constants[node.input[2]]) if has_bias else np.zeros(len(weight))
        largest = np.abs(weight).reshape(len(weight), -1).max(1)
        # A channel of tiny weights still needs a scale at which its bias fits into 32 bits.
        scale = np.maximum(largest / 127, np.abs(bias) / (_LARGEST_BIAS * input_scale))
        scale = np.maximum(scale, 1e-12).astype(np.float32)
        bias_scale = (scale * input_scale).astype(np.float32)
        integer = np.round(weight / scale.reshape(-1, *[1] * (weight.ndim - 1)))
        self.added.update({
            f"w{k}": np.clip(integer, -127, 127).astype(np.int8), f"w{k}_scale": scale,
            f"w{k}_zero": np.zeros(len(weight), np.int8),
            f"b{k}": np.round(bias / bias_scale).astype(np.int32), f"b{k}_scale": bias_scale,
            f"b{k}_zero": np.zeros(len(weight), np.int32),
        })
        for kind in "wb":
            parts = [f"{kind}{k}", f"{kind}{k}_scale", f"{kind}{k}_zero"]
            self.nodes.append(helper.make_node("DequantizeLinear", parts, [f"{kind}{k}_dq"], axis=0))
        return [f"w{k}_dq", f"b{k}_dq"]

    def _pair(self, name: str, result: str, scale: np.float32, zero: np.uint8) -> None:
        self._constants(name, scale, zero)
        how = [f"{name}_scale", f"{name}_zero"]
        self.nodes.append(helper.make_node("QuantizeLinear", [name, *how], [f"{name}_q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_q", *how], [result]))

    def _constants(self, name: str, scale: np.float32, zero: np.uint8) -> None:
        self.added[f"{name}_scale"], self.added[f"{name}_zero"] = np.array(scale), np.array(zero)
