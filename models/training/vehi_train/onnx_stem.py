"""Pads a network's first convolution to whole blocks of channels, which onnxruntime computes without reordering.

The runtime stores tensors in blocks of 16 channels. PicoDet's stem has 24: the runtime split its blocks, pooled channel
by channel and recombined them, a tenth of a run. The added channels are zero and have no effect.
"""
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

_BLOCK = 16
_CHANNEL_WISE = {"HardSwish", "HardSigmoid", "Mul", "MaxPool"}


def widen_stem(path: Path) -> None:
    """Pads the first convolution of a file to whole channel blocks. Raises ValueError if an operator other than a
    convolution separates its channels."""
    model = onnx.load(str(path))
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    first = next(node for node in graph.node if node.op_type == "Conv")
    channels = constants[first.input[1]].dims[0]
    added = -channels % _BLOCK
    if added == 0:
        return
    widened: set[str] = set()

    def widen(name: str, axis: int) -> None:
        if name not in widened:
            widened.add(name)
            value = numpy_helper.to_array(constants[name])
            more = np.zeros([added if k == axis else side for k, side in enumerate(value.shape)], value.dtype)
            constants[name].CopyFrom(numpy_helper.from_array(np.concatenate([value, more], axis), name))

    for node in graph.node:
        if node.op_type == "Conv" and node.input[1] == first.input[1]:
            for name in node.input[1:]:
                widen(name, 0)
            for reader in _readers(graph, node.output[0]):
                _widen_reader(graph, reader, channels, added, widen)
    del graph.value_info[:]
    onnx.checker.check_model(model)
    aside = path.with_suffix(".wide")
    onnx.save(model, str(aside))
    aside.replace(path)


def narrowed(value: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Removes the channels added by `widen_stem` from a tensor."""
    return value[tuple(slice(side) for side in shape)] if value.ndim == len(shape) else value


def _readers(graph: onnx.GraphProto, tensor: str) -> Iterator[onnx.NodeProto]:
    """Yields the convolutions that read a tensor, directly or through channel-preserving operators."""
    for node in graph.node:
        if tensor not in node.input:
            continue
        if node.op_type == "Conv":
            yield node
        elif node.op_type in _CHANNEL_WISE:
            yield from _readers(graph, node.output[0])
        else:
            raise ValueError(f"{node.op_type} {node.name} takes channels of the stem apart")


def _widen_reader(graph: onnx.GraphProto, node: onnx.NodeProto, channels: int, added: int, widen: Callable[[str, int], None]) -> None:
    group = next((attribute for attribute in node.attribute if attribute.name == "group"), None)
    if group is None or group.i == 1:
        widen(node.input[1], 1)
        return
    # A hard sigmoid and its product reach the same convolution twice: after the first time, its groups differ.
    if group.i == channels:
        group.i += added
        for name in node.input[1:]:
            widen(name, 0)
        for reader in _readers(graph, node.output[0]):
            _widen_reader(graph, reader, channels, added, widen)
