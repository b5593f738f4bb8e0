"""Static int8 quantisation of an ONNX graph in QDQ form: activations uint8, weights int8 per output channel.

Every convolution gets quantised input, weight, bias (int32) and output, so that a runtime can fuse it into one integer
kernel. Ranges of activations are measured by running the float graph with ReduceMin and ReduceMax added to it.
"""
import copy
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from . import onnx_node


def conv_nodes(graph: onnx.GraphProto, skip: set[str]) -> list[onnx.NodeProto]:
    """Convolutions with constant weights, but for those whose weight's name is in `skip`."""
    constant = {tensor.name for tensor in graph.initializer}
    return [n for n in graph.node if n.op_type == "Conv" and n.input[1] in constant and n.input[1] not in skip]


def activation_ranges(model: onnx.ModelProto, names: list[str], images: np.ndarray, scratch: Path) -> dict:
    """Lowest and highest value of each tensor per image: name -> (lows [n], highs [n])."""
    probed = copy.deepcopy(model)
    del probed.graph.output[:]
    for k, name in enumerate(names):
        for kind in ("Min", "Max"):
            output = f"range_{kind}_{k}"
            probed.graph.node.append(helper.make_node(f"Reduce{kind}", [name], [output + "_raw"], keepdims=0))
            probed.graph.node.append(helper.make_node("Reshape", [output + "_raw", "range_shape"], [output]))
            probed.graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 1]))
    probed.graph.initializer.append(numpy_helper.from_array(np.array([1, 1], np.int64), "range_shape"))
    path = scratch / "ranges.onnx"
    onnx.save(probed, str(path))
    outputs, _ = onnx_node.run(path, images)
    path.unlink()
    return {name: (outputs[f"range_Min_{k}"][:, 0], outputs[f"range_Max_{k}"][:, 0]) for k, name in enumerate(names)}


def activation_scale(lows: np.ndarray, highs: np.ndarray, percentile: float) -> tuple[np.float32, np.uint8]:
    """Scale and zero point of a uint8 range that holds zero; `percentile` of the images fit into it."""
    low = min(0.0, float(np.percentile(lows, 100 - percentile)))
    high = max(0.0, float(np.percentile(highs, percentile)))
    scale = max(high - low, 1e-6) / 255
    return np.float32(scale), np.uint8(np.clip(round(-low / scale), 0, 255))


def quantise(source: Path, images: np.ndarray, target: Path, percentile: float, skip: set[str]) -> int:
    """Writes the quantised model; returns how many convolutions were quantised."""
    model = onnx.load(str(source))
    graph = model.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    convolutions = conv_nodes(graph, skip)
    names = list(dict.fromkeys(name for n in convolutions for name in (n.input[0], n.output[0])))
    ranges = activation_ranges(model, names, images, target.parent)
    scales = {name: activation_scale(*ranges[name], percentile) for name in names}

    added: dict[str, np.ndarray] = {}
    before: dict[int, list[onnx.NodeProto]] = {}
    after: dict[int, list[onnx.NodeProto]] = {}
    inputs_done: dict[str, str] = {}
    outputs_done: dict[str, str] = {}
    used: set[str] = set()

    def pair(name: str, result: str) -> list[onnx.NodeProto]:
        """QuantizeLinear and DequantizeLinear of an activation."""
        scale, zero = scales[name]
        added[f"{result}_scale"], added[f"{result}_zero"] = np.array(scale), np.array(zero)
        return [
            helper.make_node("QuantizeLinear", [name, f"{result}_scale", f"{result}_zero"], [f"{result}_q"]),
            helper.make_node("DequantizeLinear", [f"{result}_q", f"{result}_scale", f"{result}_zero"], [result]),
        ]

    for node in convolutions:
        inner = node.output[0] + "_float"
        outputs_done[node.output[0]] = inner
        after[id(node)] = [_renamed(pair(node.output[0], node.output[0] + "_dq"), node.output[0], inner)]
    for k, node in enumerate(convolutions):
        name = node.input[0]
        if name in outputs_done:
            replaced, nodes = name + "_dq", []
        elif name in inputs_done:
            replaced, nodes = inputs_done[name], []
        else:
            replaced = inputs_done[name] = f"{name}_in"
            nodes = pair(name, replaced)
        weight = numpy_helper.to_array(weights[node.input[1]])
        bias = numpy_helper.to_array(weights[node.input[2]]) if len(node.input) > 2 else np.zeros(len(weight), np.float32)
        weight_scale = np.maximum(np.abs(weight).reshape(len(weight), -1).max(1), 1e-8).astype(np.float32) / 127
        integer = np.clip(np.round(weight / weight_scale[:, None, None, None]), -127, 127).astype(np.int8)
        bias_scale = (weight_scale * scales[name][0]).astype(np.float32)
        added.update({
            f"w{k}": integer, f"w{k}_scale": weight_scale, f"w{k}_zero": np.zeros(len(weight), np.int8),
            f"b{k}": np.clip(np.round(bias / bias_scale), -(2**31) + 1, 2**31 - 1).astype(np.int32),
            f"b{k}_scale": bias_scale, f"b{k}_zero": np.zeros(len(weight), np.int32),
        })
        nodes += [
            helper.make_node("DequantizeLinear", [f"w{k}", f"w{k}_scale", f"w{k}_zero"], [f"w{k}_dq"], axis=0),
            helper.make_node("DequantizeLinear", [f"b{k}", f"b{k}_scale", f"b{k}_zero"], [f"b{k}_dq"], axis=0),
        ]
        before[id(node)] = nodes
        used.update(node.input[1:])
        del node.input[:]
        node.input.extend([replaced, f"w{k}_dq", f"b{k}_dq"])

    rebuilt = []
    for node in graph.node:
        if id(node) in before:
            rebuilt += before[id(node)]
            original = node.output[0]
            node.output[0] = outputs_done[original]
            rebuilt += [node, *after[id(node)][0]]
        else:
            rebuilt.append(node)
    for node in rebuilt:
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            for k, name in enumerate(node.input):
                if name in outputs_done:
                    node.input[k] = name + "_dq"
    # a quantised input that is itself the output of a quantised convolution reads the dequantised tensor already
    still_read = {name for node in rebuilt for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name not in used or tensor.name in still_read]
    rebuilt_copy = [copy.deepcopy(node) for node in rebuilt]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(rebuilt_copy)
    graph.initializer.extend([*kept, *(numpy_helper.from_array(value, name) for name, value in added.items())])
    aside = target.with_suffix(".tmp")
    onnx.save(model, str(aside))
    onnx.checker.check_model(str(aside))
    aside.replace(target)
    return len(convolutions)


def _renamed(nodes: list[onnx.NodeProto], name: str, inner: str) -> list[onnx.NodeProto]:
    """The pair reading `inner` instead of `name`."""
    nodes[0].input[0] = inner
    return nodes
