"""Removes operators without effect from an exported ONNX graph: Identity, and BatchNorm after a convolution."""

import numpy as np
import onnx
from onnx import numpy_helper


def simplified(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns a copy with all constants as initializers, without Identity and without BatchNorm that can be folded into
    a convolution."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    outputs = {output.name for output in graph.output}
    same: dict[str, str] = {}
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        inputs = [same.get(name, name) for name in node.input]
        del node.input[:]
        node.input.extend(inputs)
        if node.op_type == "Identity" and node.output[0] not in outputs:
            same[node.output[0]] = node.input[0]
        elif node.op_type == "Constant" and node.attribute[0].name == "value":
            tensor = onnx.TensorProto()
            tensor.CopyFrom(node.attribute[0].t)
            tensor.name = node.output[0]
            constants[tensor.name] = tensor
        else:
            nodes.append(node)
    kept = [_copied(node) for node in _folded(nodes, constants)]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(kept)
    read = {name for node in kept for name in node.input}
    graph.initializer.extend(tensor for name, tensor in constants.items() if name in read)
    return result


def _folded(nodes: list[onnx.NodeProto], constants: dict[str, onnx.TensorProto]) -> list[onnx.NodeProto]:
    """Folds each BatchNorm that is the only reader of a convolution's output into that convolution's weights."""
    producer = {name: node for node in nodes for name in node.output}
    readers: dict[str, int] = {}
    for node in nodes:
        for name in node.input:
            readers[name] = readers.get(name, 0) + 1
    gone = set()
    for node in nodes:
        conv = producer.get(node.input[0]) if node.op_type == "BatchNormalization" else None
        if conv is None or conv.op_type != "Conv" or readers[conv.output[0]] > 1:
            continue
        gamma, beta, mean, variance = (numpy_helper.to_array(constants[name]) for name in node.input[1:5])
        epsilon = next((a.f for a in node.attribute if a.name == "epsilon"), 1e-5)
        factor = gamma / np.sqrt(variance + epsilon)
        weight = numpy_helper.to_array(constants[conv.input[1]])
        bias = numpy_helper.to_array(constants[conv.input[2]]) if len(conv.input) > 2 else np.zeros_like(beta)
        own = f"{node.output[0]}_folded"
        for name, value in (("weight", weight * factor[:, None, None, None]), ("bias", beta + (bias - mean) * factor)):
            constants[f"{own}_{name}"] = numpy_helper.from_array(value.astype(np.float32), f"{own}_{name}")
        inputs = [conv.input[0], f"{own}_weight", f"{own}_bias"]
        del conv.input[:]
        conv.input.extend(inputs)
        conv.output[0] = node.output[0]
        gone.add(id(node))
    return [node for node in nodes if id(node) not in gone]


def _copied(node: onnx.NodeProto) -> onnx.NodeProto:
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    return copy
