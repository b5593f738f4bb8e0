"""Writes models/vehicle-fp32.onnx and its manifest entry: the highest score of any cell for a car, bus or truck."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .. import manifest
from ..context import Context

FILE_NAME = "vehicle-fp32.onnx"
COCO_CLASSES = 80


def run(context: Context) -> None:
    config = context.config
    source = context.weights / config["coco_weights"]
    path = context.models / FILE_NAME
    name, side = _write(source, config["classes"], path)
    entry = {
        "id": "vehicle",
        "task": "presence",
        "name": f"vehi-vehicle-s{side}",
        "version": config["version"],
        "weights": manifest.weights(context.models, "fp32", FILE_NAME),
        "input": manifest.square_input(name, side),
        "outputs": {"score": "score"},
        "labels": ["vehicle"],
        "threshold": config["threshold"],
        "licence": "Apache-2.0",
        "training_data": [{"source": "COCO 2017, by PaddleDetection, who trained the model", "images": 118287,
                           "licence": "annotations CC BY 4.0, pictures as on Flickr", "labels": ["vehicle"]}],
    }
    before = manifest.read_entry(context.models, "vehicle") or {}
    manifest.write_entry(context.models, {**entry, "measured": before.get("measured")})
    print(f"{path}: {path.stat().st_size} bytes, input {side} px")


def _write(source: Path, classes: list[int], path: Path) -> tuple[str, int]:
    """Writes the graph up to its class scores, reduced to one number; returns the input's name and side in pixels."""
    model = onnx.load(str(source))
    graph = model.graph
    scores = [o.name for o in graph.output if o.type.tensor_type.shape.dim[-1].dim_value == COCO_CLASSES]
    if not scores:
        raise SystemExit(f"{source}: no output with {COCO_CLASSES} scores per cell")
    peaks = []
    for k, score in enumerate(scores):
        graph.node.append(helper.make_node("Gather", [score, "vehicle_classes"], [f"chosen_{k}"], axis=2))
        graph.node.append(helper.make_node("ReduceMax", [f"chosen_{k}"], [f"peak_{k}"], axes=[1, 2], keepdims=0))
        graph.node.append(helper.make_node("Unsqueeze", [f"peak_{k}", "last_axis"], [f"column_{k}"]))
        peaks.append(f"column_{k}")
    if model.opset_import[0].version < 13:  # axes are an attribute of Unsqueeze in these versions
        for node in graph.node:
            if node.op_type == "Unsqueeze" and node.input[-1] == "last_axis":
                del node.input[1:]
                node.attribute.append(helper.make_attribute("axes", [1]))
    graph.node.append(helper.make_node("Concat", peaks, ["peaks"], axis=1))
    graph.node.append(helper.make_node("ReduceMax", ["peaks"], ["score"], axes=[1], keepdims=1))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("score", TensorProto.FLOAT, [1, 1]))
    graph.initializer.append(numpy_helper.from_array(np.array(classes, np.int64), "vehicle_classes"))
    graph.initializer.append(numpy_helper.from_array(np.array([1], np.int64), "last_axis"))
    _prune(graph)
    aside = path.with_suffix(".tmp")
    onnx.save(model, str(aside))
    onnx.checker.check_model(str(aside))
    aside.replace(path)
    return graph.input[0].name, graph.input[0].type.tensor_type.shape.dim[-1].dim_value


def _prune(graph: onnx.GraphProto) -> None:
    """Removes nodes that the output does not need: the boxes."""
    needed, kept = {output.name for output in graph.output}, []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            kept.append(node)
    for node in list(graph.node):
        graph.node.remove(node)
    graph.node.extend(reversed(kept))
    tensors = [tensor for tensor in graph.initializer if tensor.name in needed]
    inputs = [value for value in graph.input if value.name in needed and value.name not in {t.name for t in tensors}]
    del graph.initializer[:], graph.input[:], graph.value_info[:]
    graph.initializer.extend(tensors)
    graph.input.extend(inputs)
