"""Writes an ONNX graph with its tensors and weights quantised, in QDQ form."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .qdq_graph import Graph

_LARGEST_BIAS = 2.0**30


class Writer:
    """Inserts QuantizeLinear and DequantizeLinear around every tensor with a scale."""

    def __init__(self, graph: Graph, scales: dict, keep_float: set[str]):
        self.graph, self.scales, self.keep_float = graph, scales, keep_float
        self.nodes: list[onnx.NodeProto] = []
        self.added: dict[str, np.ndarray] = {}
        self.convolutions = 0

    def written(self, model: onnx.ModelProto) -> onnx.ModelProto:
        """Returns a quantized copy of the model from which the graph was read."""
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
        """Computes x * clip(x/6 + 1/2, 0, 1). uint8 saturation performs the clipping: x is quantized to the range -3 to
        3, and the same integers are dequantized as 0 to 1. The leaky ReLU of slope 1 is an identity for which runtimes
        have an integer kernel."""
        self.nodes.append(helper.make_node("LeakyRelu", [x], [f"{y}_same"], alpha=1.0))
        self._constants(f"{y}_clip", np.float32(6 / 255), np.uint8(127))
        self._constants(f"{y}_gate", np.float32(1 / 255), np.uint8(0))
        clip, gate = ([f"{y}_{kind}_scale", f"{y}_{kind}_zero"] for kind in ("clip", "gate"))
        self.nodes.append(helper.make_node("QuantizeLinear", [f"{y}_same", *clip], [f"{y}_clip_q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{y}_clip_q", *gate], [f"{y}_gate_dq"]))
        self.nodes.append(helper.make_node("Mul", [x, f"{y}_gate_dq"], [y]))

    def _weights(self, node: onnx.NodeProto, input_scale: np.float32) -> list[str]:
        """Quantizes a convolution's weight and bias; returns the names of their dequantized tensors."""
        k = self.convolutions
        weight = numpy_helper.to_array(self.graph.constants[node.input[1]])
        has_bias = len(node.input) > 2
        bias = numpy_helper.to_array(self.graph.constants[node.input[2]]) if has_bias else np.zeros(len(weight))
        largest = np.abs(weight).reshape(len(weight), -1).max(1)
        # A channel of tiny weights needs a scale at which its bias fits 32 bits.
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
