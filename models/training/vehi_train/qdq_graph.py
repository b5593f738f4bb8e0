"""Determines which tensors of an ONNX graph can be quantized, and which share a scale."""

import numpy as np
import onnx

# Operators that pass values through unchanged, so input and output share a scale.
_MOVING = ("MaxPool", "Reshape", "Transpose", "Split", "Resize")
_QUANTISED = ("Conv", "HardSwish", "Mul", "Add", "Concat", *_MOVING)


class Graph:
    """Producers, consumers and shapes of the tensors."""

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
        """Returns tensors computed from a convolution's output, or from which a convolution's input is computed."""
        found: set[str] = set()
        for node in self.nodes if forward else reversed(self.nodes):
            near, far = (node.input, node.output) if forward else (node.output, node.input)
            if node.op_type == "Conv" or any(name in found for name in near):
                found.update(far)
        return found

    def candidates(self) -> set[str]:
        """Returns the activations to quantize: between two convolutions, produced by an operator with an integer
        kernel."""
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
        """Groups the names by shared scale."""
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
