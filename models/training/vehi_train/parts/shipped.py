"""Loads a segmenter from a shipped ONNX file for further training: weights by name, BatchNorm restored.

Files since 0.3.0 have folded norms and every weight under its own name. `fold` multiplies the slope of a hard sigmoid
into the preceding convolution; it is divided out here.
"""
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn

from ..onnx_graph import OnnxGraph, constants_of
from ..onnx_stem import narrowed
from .model import Segmenter

_PREFIX = "model.model."  # TwoSizes(MirrorMean(segmenter))
_MULTIPLIED = "ConvMulFusion_W_"


def fill_from_shipped(model: Segmenter, path: Path) -> None:
    """Copies the weights of the file into `model`, whose decoder norms become identities. Raises SystemExit naming
    missing weights."""
    graph = onnx.load(str(path)).graph
    constants = constants_of(graph)
    factors = _factors(model.encoder)
    biases = {node.input[1]: node.input[2] for node in graph.node if node.op_type == "Conv" and len(node.input) > 2}
    state = {}
    for name, parameter in model.named_parameters():
        value = _value(name, constants, biases, factors)
        if value is not None:
            value = narrowed(value, tuple(parameter.shape))
            state[name] = torch.from_numpy(np.ascontiguousarray(value)).reshape(parameter.shape)
    for conv, norm in model.convolutions_with_norms():
        if f"{conv}.weight" in state:
            state |= _identity(model.get_submodule(norm), constants[f"{_PREFIX}{conv}.bias"], norm)
            if f"{conv}.bias" in state:
                state[f"{conv}.bias"] = torch.zeros_like(state[f"{conv}.bias"])
    missing = sorted(set(model.state_dict()) - set(state))
    missing = [name for name in missing if not name.endswith("num_batches_tracked")]
    if missing:
        raise SystemExit(f"{path}: no weights for {', '.join(missing[:4])}{' …' if len(missing) > 4 else ''}; written by `export` since 0.3.0?")
    model.load_state_dict(state, strict=False)


@torch.no_grad()
def put_norms_back(model: Segmenter, batches: list[torch.Tensor]) -> None:
    """Sets every norm to the statistics of `batches` (normalized pictures) without changing the network's output."""
    model.eval()
    norms = {name: module for name, module in model.named_modules() if isinstance(module, nn.BatchNorm2d)}
    seen: dict[str, list[tuple[torch.Tensor, torch.Tensor]]] = {name: [] for name in norms}

    def note(name: str):
        return lambda _, inputs: seen[name].append((inputs[0].mean((0, 2, 3)), inputs[0].pow(2).mean((0, 2, 3))))

    hooks = [norm.register_forward_pre_hook(note(name)) for name, norm in norms.items()]
    for batch in batches:
        model(batch)
    for hook in hooks:
        hook.remove()
    for name, norm in norms.items():
        mean = torch.stack([m for m, _ in seen[name]]).mean(0)
        variance = (torch.stack([s for _, s in seen[name]]).mean(0) - mean**2).clamp(1e-6)
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        shift = norm.bias - norm.running_mean * scale
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(scale * (variance + norm.eps).sqrt())
        norm.bias.copy_(shift + mean * scale)
    model.encoder.unfold_batch_norm(batches)


def _value(name: str, constants: dict[str, np.ndarray], biases: dict[str, str], factors: dict[str, float]) -> np.ndarray | None:
    plain = _PREFIX + name
    if plain in constants:
        return constants[plain]
    key = name.removeprefix("encoder.weights.")
    weight_key = f"p{int(key[1:]) - int(key[1:]) % 2}" if key.startswith("p") and key[1:].isdigit() else ""
    multiplied = f"{_MULTIPLIED}{_PREFIX}encoder.weights.{weight_key}"
    if weight_key not in factors or multiplied not in constants:
        return None
    value = constants[multiplied] if key == weight_key else constants[biases[multiplied]]
    return value / factors[weight_key]


def _factors(encoder: OnnxGraph) -> dict[str, float]:
    """Returns the slopes of hard sigmoids after convolutions, which folding multiplies into them, by weight key."""
    slopes = {inputs[0]: attributes.get("alpha", 0.2) for operator, inputs, _, attributes in encoder.nodes if operator == "HardSigmoid"}
    return {encoder.weight_key[inputs[1]]: slopes[outputs[0]]
            for operator, inputs, outputs, _ in encoder.nodes if operator == "Conv" and outputs[0] in slopes}


def _identity(norm: nn.BatchNorm2d, bias: np.ndarray, name: str) -> dict[str, torch.Tensor]:
    """Returns the state of a norm that only adds `bias`."""
    ones = torch.ones(len(bias))
    return {f"{name}.running_mean": torch.zeros(len(bias)), f"{name}.running_var": ones - norm.eps,
            f"{name}.weight": ones, f"{name}.bias": torch.from_numpy(bias.copy())}
