"""An ONNX graph (convolutions only, BatchNorm folded) as a trainable torch module.

Supports the operators of PicoDet's export. Weights are numbered in graph order: parameter `p0` is the first tensor read
by a convolution, `p1` the second, and so on.
"""
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import numpy_helper

from .depthwise import depthwise_conv2d


def constants_of(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """Returns all initializers and Constant nodes of a graph by name."""
    values = {tensor.name: numpy_helper.to_array(tensor).copy() for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            value = next(a for a in node.attribute if a.name == "value")
            values[node.output[0]] = numpy_helper.to_array(value.t).copy()
    return values


class OnnxGraph(nn.Module):
    """Runs the subgraph that computes the tensors `outputs` and returns those, in that order."""

    def __init__(self, path: Path, outputs: list[str]):
        super().__init__()
        graph = onnx.load(str(path)).graph
        constants = constants_of(graph)
        self.outputs = list(outputs)
        self.input_name = next(i.name for i in graph.input if i.name not in constants)
        nodes = _fuse_hardswish(_needed_nodes(graph, self.outputs), constants)

        self.weights = nn.ParameterDict()
        self.batch_norms = nn.ModuleDict()
        self.weight_key: dict[str, str] = {}
        self.constants: dict[str, torch.Tensor] = {}
        convolved = {name for op, inputs, _, _ in nodes if op == "Conv" for name in inputs[1:]}
        for _, inputs, _, _ in nodes:
            for name in inputs:
                if name not in constants or name in self.weight_key or name in self.constants:
                    continue
                value = torch.from_numpy(np.ascontiguousarray(constants[name]))
                if name in convolved:
                    key = f"p{len(self.weight_key)}"
                    self.weight_key[name] = key
                    self.weights[key] = nn.Parameter(value.float())
                else:
                    self.constants[name] = value
        self.nodes = nodes
        self.frozen_nodes = 0
        self._statistics: dict[str, list[tuple[torch.Tensor, torch.Tensor]]] | None = None
        self._last_use = self._plan_release()

    def _plan_release(self) -> list[list[str]]:
        """Returns for each node the intermediate tensors not read afterwards, to limit memory."""
        last = {name: k for k, (_, inputs, _, _) in enumerate(self.nodes) for name in inputs}
        kept = {*self.outputs, *self.weight_key, *self.constants}
        return [
            [name for name in set(inputs) if last[name] == k and name not in kept]
            for k, (_, inputs, _, _) in enumerate(self.nodes)
        ]

    @torch.no_grad()
    def unfold_batch_norm(self, batches: list[torch.Tensor]) -> None:
        """Adds an identity BatchNorm after every spatial convolution.

        Its statistics come from `batches` (normalized images). Training without it is three times slower.
        """
        self.eval()
        self._statistics = {}
        for batch in batches:
            self(batch)
        statistics, self._statistics = self._statistics, None
        for key, seen in statistics.items():
            mean = torch.stack([m for m, _ in seen]).mean(0)
            variance = (torch.stack([s for _, s in seen]).mean(0) - mean**2).clamp(1e-5)
            self.batch_norms[key] = _batch_norm(mean, variance)

    def add_batch_norms(self, keys: list[str]) -> None:
        """Adds empty BatchNorms under these keys, to be loaded from a checkpoint."""
        shapes = {_key(outputs[0]): self.weights[self.weight_key[inputs[1]]].shape[0]
                  for op, inputs, outputs, _ in self.nodes if op == "Conv"}
        for key in keys:
            self.batch_norms[key] = _batch_norm(torch.zeros(shapes[key]), torch.ones(shapes[key]))

    @torch.no_grad()
    def fold_batch_norm(self, until_node: int | None = None) -> None:
        """Folds the BatchNorms of the first `until_node` nodes (all, if None) into their convolutions."""
        for op, inputs, outputs, _ in self.nodes[:until_node]:
            key = _key(outputs[0])
            if op != "Conv" or key not in self.batch_norms:
                continue
            norm = self.batch_norms[key]
            scale = norm.weight / (norm.running_var + norm.eps).sqrt()
            weight, bias = (self.weights[self.weight_key[name]] for name in inputs[1:3])
            weight.mul_(scale[:, None, None, None])
            bias.sub_(norm.running_mean).mul_(scale).add_(norm.bias)
            del self.batch_norms[key]

    def freeze(self, until_tensor: str) -> None:
        """Freezes the nodes up to the one that computes `until_tensor`: folded, without gradient."""
        self.frozen_nodes = 1 + next(k for k, node in enumerate(self.nodes) if until_tensor in node[2])
        self.fold_batch_norm(self.frozen_nodes)
        for _, inputs, _, _ in self.nodes[: self.frozen_nodes]:
            for name in inputs:
                if name in self.weight_key:
                    self.weights[self.weight_key[name]].requires_grad_(False)

    def forward(self, images: torch.Tensor) -> list[torch.Tensor]:
        values = {self.input_name: images}
        learning = torch.is_grad_enabled()

        def value_of(name: str):
            if name in values:
                return values[name]
            if name in self.weight_key:
                return self.weights[self.weight_key[name]]
            return self.constants.get(name)

        for k, (op, inputs, outputs, attributes) in enumerate(self.nodes):
            with torch.set_grad_enabled(learning and k >= self.frozen_nodes):
                result = OPERATORS[op]([value_of(name) for name in inputs], attributes)
                if op == "Conv":
                    result = self._after_convolution(_key(outputs[0]), result)
            if op == "Split":
                values.update(zip(outputs, result))
            else:
                values[outputs[0]] = result
            for name in self._last_use[k]:
                values.pop(name, None)
        return [values[name] for name in self.outputs]

    def _after_convolution(self, key: str, x: torch.Tensor) -> torch.Tensor:
        if self._statistics is not None and x.shape[-1] > 1:
            y = x.float()
            self._statistics.setdefault(key, []).append((y.mean((0, 2, 3)), y.pow(2).mean((0, 2, 3))))
        return self.batch_norms[key](x) if key in self.batch_norms else x


def _key(name: str) -> str:
    """Returns a tensor's name as a module key (torch allows no dots)."""
    return name.replace(".", "_")


def _batch_norm(mean: torch.Tensor, variance: torch.Tensor) -> nn.BatchNorm2d:
    """Creates a BatchNorm that is the identity on data with this mean and variance."""
    norm = nn.BatchNorm2d(len(mean), eps=1e-3, momentum=0.03)
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.data = (variance + norm.eps).sqrt()
    norm.bias.data = mean.clone()
    return norm


def _needed_nodes(graph: onnx.GraphProto, outputs: list[str]) -> list[onnx.NodeProto]:
    needed, kept = set(outputs), []
    for node in reversed(graph.node):
        if any(name in needed for name in node.output):
            kept.append(node)
            needed |= set(node.input)
    return [node for node in reversed(kept) if node.op_type != "Constant"]


def _fuse_hardswish(nodes: list[onnx.NodeProto], constants: dict[str, np.ndarray]) -> list[tuple]:
    """Fuses Add(x, 3), Clip(0, 6), Mul(x), Div(6) into one HardSwish: a node is (operator, inputs, outputs,
    attributes)."""
    readers: dict[str, list[onnx.NodeProto]] = {}
    for node in nodes:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    swallowed: set[int] = set()
    starts: dict[int, str] = {}
    for node in nodes:
        addend = constants.get(node.input[1]) if node.op_type == "Add" else None
        if addend is None or addend.size != 1 or abs(float(addend.reshape(-1)[0]) - 3) > 1e-6:
            continue
        clip = next((reader for reader in readers[node.output[0]] if reader.op_type == "Clip"), None)
        if clip is None:
            continue
        product = readers[clip.output[0]][0]
        quotient = readers[product.output[0]][0]
        if product.op_type == "Mul" and quotient.op_type == "Div":
            swallowed |= {id(node), id(clip), id(product), id(quotient)}
            starts[id(quotient)] = node.input[0]
    fused = []
    for node in nodes:
        if id(node) in starts:
            fused.append(("HardSwish", [starts[id(node)]], [node.output[0]], {}))
        elif id(node) not in swallowed:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            fused.append((node.op_type, list(node.input), list(node.output), attributes))
    return fused


def _convolve(x: list[torch.Tensor], a: dict) -> torch.Tensor:
    image, weight, bias = x[0], x[1], x[2] if len(x) > 2 else None
    top, left, bottom, right = a.get("pads", [0, 0, 0, 0])
    if top != bottom or left != right:
        image = F.pad(image, (left, right, top, bottom))
        top = left = 0
    stride, group = a.get("strides", [1, 1]), a.get("group", 1)
    if group > 1 and group == weight.shape[0] and bias is not None:
        return depthwise_conv2d(image, weight, bias, stride[0], top)
    return F.conv2d(image, weight, bias, stride, (top, left), a.get("dilations", [1, 1]), group)


def _max_pool(x: list[torch.Tensor], a: dict) -> torch.Tensor:
    top, left, bottom, right = a.get("pads", [0, 0, 0, 0])
    if top == left == bottom == right:
        return F.max_pool2d(x[0], a["kernel_shape"], a.get("strides", [1, 1]), top)
    padded = F.pad(x[0], (left, right, top, bottom), value=float("-inf"))
    return F.max_pool2d(padded, a["kernel_shape"], a.get("strides", [1, 1]))


def _reshape(x: list[torch.Tensor], _: dict) -> torch.Tensor:
    """Performs the two reshapes of a channel shuffle, independent of the exported input size.

    Preserves a channels-last layout: after a plain reshape, every later tensor of the stage would change its layout,
    and each following convolution would convert it back (a twelfth of a training step).
    """
    batch, channels, height, width = x[0].shape[0], x[0].shape[1], x[0].shape[-2], x[0].shape[-1]
    target = [int(size) for size in x[1].reshape(-1).tolist()]
    if len(target) == 5:
        return x[0].reshape(batch, target[1], channels // target[1], height, width)
    if len(target) != 4:
        raise NotImplementedError(f"Reshape to {target}")
    if x[0].stride(4) > 1:
        return x[0].permute(0, 3, 4, 1, 2).reshape(batch, height, width, -1).permute(0, 3, 1, 2)
    return x[0].reshape(batch, -1, height, width)


def _split(x: list[torch.Tensor], a: dict) -> tuple[torch.Tensor, ...]:
    axis = a.get("axis", 0)
    sizes = [int(size) for size in x[1].tolist()] if len(x) > 1 and x[1] is not None else a.get("split")
    return torch.split(x[0], sizes if sizes else x[0].shape[axis] // 2, axis)


def _resize(x: list[torch.Tensor], a: dict) -> torch.Tensor:
    if a["mode"] == b"nearest":
        return F.interpolate(x[0], scale_factor=2, mode="nearest")
    return F.interpolate(x[0], scale_factor=2, mode="bilinear", align_corners=False)


# By operator name: inputs and attributes -> output; a tuple for Split.
OPERATORS = {
    "Conv": _convolve,
    "MaxPool": _max_pool,
    "Reshape": _reshape,
    "Split": _split,
    "Resize": _resize,
    "HardSwish": lambda x, a: F.hardswish(x[0]),
    "Add": lambda x, a: torch.add(x[0], x[1]),
    "Mul": lambda x, a: torch.mul(x[0], x[1]),
    "Div": lambda x, a: torch.div(x[0], x[1]),
    "Relu": lambda x, a: F.relu(x[0]),
    "HardSigmoid": lambda x, a: torch.clamp(x[0] * a.get("alpha", 0.2) + a.get("beta", 0.5), 0, 1),
    "Concat": lambda x, a: torch.cat(x, a["axis"]),
    "GlobalAveragePool": lambda x, a: x[0].mean((2, 3), keepdim=True),
    "Transpose": lambda x, a: x[0].permute(*a["perm"]),
}
